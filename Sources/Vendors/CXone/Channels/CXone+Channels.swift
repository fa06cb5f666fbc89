import SparringVendorKit

/// Handlers of the tags "Channels" and "Logger" (CXone reference 3.1, 3.2, 3.8 and 3.9), and what all calls over HTTP share.
extension CXone {
    func readChannel(_ channel: Channel) -> Decision {
        .answer(
            "channel-found", channel.json,
            cause: "\(channel.mode.rawValue), \(channel.authorization.rawValue)\(channel.securedSessions ? ", secured sessions" : "")")
    }

    func readAvailability(_ channel: Channel) -> Decision {
        .answer(
            "availability-told", ["status": .string(channel.availability.rawValue)],
            cause: "channel '\(channel.id)' is \(channel.availability.rawValue)")
    }

    func readPersistentMenu(_ channel: Channel) -> Decision {
        .answer("menu-found", .array(channel.persistentMenu.map(\.json)))
    }

    func writeLog(_ call: Call) -> Decision {
        .answer("logged", cause: (call.field("message") ?? "").abbreviated(to: 200))
    }

    // MARK: What all calls share

    /// - Parameter act: gets the channel that path or query names.
    func inChannel(_ act: @escaping @Sendable (Database, Call, Channel) throws -> Decision) -> Handler {
        withSupportedSDK { db, call in
            let id = call.path("channelId")
            guard let channel = call.settings(of: self).channel(id.isEmpty ? call.query("channelId") ?? "" : id) else {
                throw unknownChannel(call)
            }
            return try act(db, call, channel)
        }
    }

    func unknownChannel(_ call: Call) -> Refusal {
        let id = call.path("channelId")
        let known = call.settings(of: self).channels.map { "'\($0.id)' (\($0.mode.rawValue))" }.joined(separator: ", ")
        return Refusal(
            "channel-unknown",
            "brand \(call.tenant.id) has no channel \((id.isEmpty ? call.query("channelId") ?? "" : id).quoted); it has \(known)")
    }

    func withSupportedSDK(_ act: @escaping @Sendable (Database, Call) throws -> Decision) -> Handler {
        .decide { db, call in
            try requireSupportedSDK(call)
            return try act(db, call)
        }
    }

    private static let platform = HTTPField.Name("x-sdk-platform")!
    private static let version = HTTPField.Name("x-sdk-version")!

    /// `ios`, `android` or `web`, where the call, the socket's opening or AuthorizeCustomer says so.
    func platform(of call: Call) -> String? {
        let told = call.header(Self.platform) ?? call.query("sdkPlatform") ?? call.body?["payload"]?["data"]?["sdkPlatform"]?.string
        return told?.lowercased()
    }

    /// Refuses an SDK that is too old, where it says what it is (CXone reference 3.0 and 4.1).
    func requireSupportedSDK(_ call: Call) throws {
        guard let platform = platform(of: call),
            let version = (call.header(Self.version) ?? call.query("sdkVersion")).flatMap(SDKVersion.init),
            let oldest = call.settings(of: self).oldestSDKs[platform], version < oldest
        else { return }
        throw Refusal("sdk-version-not-supported", "the SDK for \(platform) is \(version), \(oldest) is the oldest that is served")
    }
}
