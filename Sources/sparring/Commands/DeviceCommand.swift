import ArgumentParser
import SparringJSON

/// `sparring device`
struct DeviceCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "device",
        abstract: "List the devices that get pushes, and print their notifications.",
        discussion: """
              sparring device list
              sparring device notifications 740f4707 --follow
              sparring device simulator 740f4707
            Name a device by its token, the beginning of it (four letters or more), or as of:ada, ada's device.
            """,
        subcommands: [List.self, Notifications.self, SimulatorFile.self, Simulator.self, Push.self, Notify.self, Renew.self])

    struct List: ServerCommand {
        static let configuration = CommandConfiguration(
            commandName: "list",
            abstract: "List every device that was ever registered.",
            discussion: """
                'consumer' registered the device last, and those under 'registered' get pushes there now: more than one means that somebody was \
                never unregistered.
                  sparring device list --sandbox checkout
                """)

        @OptionGroup(title: "Connection") var connection: ConnectionOptions
        @OptionGroup var sandbox: SandboxOptions

        func run(_ server: AdminClient) async throws {
            try show(try await server.call(.listDevices, in: sandbox.name)) { json in
                let devices = json["devices"]?.array ?? []
                if devices.isEmpty { return "no device was registered in \(sandbox.name)" }
                var table = Table("device", "type", "app", "consumer", "registered", "got")
                for device in devices {
                    let registered = (device["registrations"]?.array ?? []).map { registration in
                        (registration["consumer"]?.string ?? "") + (registration["onlyProactive"] == true ? " (proactive only)" : "")
                    }
                    func cell(_ name: String) -> String { device[name].map { $0.string ?? $0.text } ?? "" }
                    table.add(
                        cell("token") + (device["renewed"]?.string.map { " (now \($0))" } ?? ""), cell("pushType"), cell("appId"),
                        cell("consumer"),
                        registered.isEmpty ? "-" : registered.joined(separator: ", "), cell("notifications"))
                }
                return table.text
            }
        }
    }

    struct Notifications: ServerCommand {
        static let configuration = CommandConfiguration(
            commandName: "notifications",
            abstract: "Print a device's notifications, and watch.",
            discussion: """
                Prints one notification per line: number, sandbox time, badge, recipient, service and text. With --json, it prints a page as the \
                server sent it; with --follow as well, one notification per line.
                  sparring device notifications 740f4707 --since 3
                  sparring device notifications 740f4707 --follow
                """)

        @Argument(help: "The device's token.") var device: String
        @Flag(name: .shortAndLong, help: "Print new ones as they arrive, until interrupted or --limit is reached.") var follow = false
        @Option(help: "Only notifications from this number on.") var since: Int?
        @Option(help: "Print at most this many.") var limit: Int?
        @OptionGroup(title: "Connection") var connection: ConnectionOptions
        @OptionGroup var sandbox: SandboxOptions

        func validate() throws {
            if let limit, limit < 1 { throw ValidationError("--limit must be 1 or more.") }
            if let since, since < 0 { throw ValidationError("--since must be 0 or more.") }
        }

        func run(_ server: AdminClient) async throws {
            if !follow {
                let page = try await server.call(.listNotifications, in: sandbox.name, ["device": device, "since": since, "limit": limit])
                return try show(page) { json in
                    let notifications = json["notifications"]?.array ?? []
                    return notifications.isEmpty
                        ? "no notification has arrived at \(device)" : notifications.map(Self.text).joined(separator: "\n")
                }
            }
            var left = limit ?? .max
            var feed = NotificationFeed(server, sandbox.name, device, since: since ?? 0)
            while left > 0 {
                for notification in try await feed.next().prefix(left) {
                    try Terminal.print(connection.json ? notification.text : Self.text(notification))
                    left -= 1
                }
            }
        }

        static func text(_ notification: JSON) -> String {
            func part(_ name: String) -> String { notification[name].map { $0.string ?? $0.text } ?? "-" }
            let number = part("number")
            let line = [
                String(repeating: " ", count: max(0, 6 - number.count)) + number, part("time"), "badge \(part("badge"))",
                part("consumer"), part("backendService"), part("text"),
            ]
            return Terminal.printable(line.joined(separator: "  "))
        }
    }

    struct Push: ServerCommand {
        static let configuration = CommandConfiguration(
            commandName: "push",
            abstract: "Send a proactive push to a consumer's devices.",
            discussion: """
                  sparring device push ada 'Your parcel waits'
                  sparring device push ada 'Go on here' --set backendService=c2m \\
                    --set campaignInfo='{"campaignId":1,"engagementId":2}'
                """)

        @Argument(help: "The consumer, as the brand calls them.") var consumer: String
        @Argument(help: "The text.") var text: String
        @Option(
            name: .customLong("set"),
            help: ArgumentHelp(
                "A further member; may be given several times. A value that is not JSON is a string.", valueName: "name=JSON"),
            transform: JSONArgument.namedValue)
        var members: [(name: String, value: JSON)] = []
        @OptionGroup var vendor: VendorOption
        @OptionGroup(title: "Connection") var connection: ConnectionOptions
        @OptionGroup var sandbox: SandboxOptions

        func run(_ server: AdminClient) async throws {
            var with: JSON = ["consumer": .string(consumer), "text": .string(text)]
            for member in members { with[member.name] = member.value }
            try show(try await server.act("push", with, of: vendor, in: sandbox)) { json in
                (json["done"]?.array ?? []).compactMap(\.string).map(Terminal.printable).joined(separator: "\n")
            }
        }
    }

    struct Notify: ServerCommand {
        static let configuration = CommandConfiguration(
            commandName: "notify",
            abstract: "Put a push that no vendor has sent on a device.",
            discussion: """
                The push can be the brand's own, which a client must not mistake for the vendor's.
                  sparring device notify 740f4707 '{"aps":{"alert":"20 % off"}}' \\
                    --text '20 % off'
                """)

        @Argument(help: "The device's token.") var device: String
        @Argument(help: ArgumentHelp("The payload that the app gets.", valueName: "{…}"), transform: JSONArgument.object) var payload: JSON
        @Option(help: "The text on the screen.") var text: String?
        @OptionGroup(title: "Connection") var connection: ConnectionOptions
        @OptionGroup var sandbox: SandboxOptions

        func run(_ server: AdminClient) async throws {
            let body = JSON.members(["payload": payload, "text": text.map { .string($0) }])
            try show(try await server.call(.notifyDevice, in: sandbox.name, ["device": device], body: body)) { json in
                "notification \(json["number"]?.text ?? "?") on device \(device)"
            }
        }
    }

    struct Renew: ServerCommand {
        static let configuration = CommandConfiguration(
            commandName: "renew-token", abstract: "Give a device a new token; pushes to the old one no longer arrive.",
            discussion: "  sparring device renew-token 740f4707")

        @Argument(help: "The device's token.") var device: String
        @Argument(help: "Its new token. Default: a random one.") var token: String?
        @OptionGroup(title: "Connection") var connection: ConnectionOptions
        @OptionGroup var sandbox: SandboxOptions

        func run(_ server: AdminClient) async throws {
            let body = JSON.members(["token": token.map { .string($0) }])
            try show(try await server.call(.renewDeviceToken, in: sandbox.name, ["device": device], body: body)) {
                $0["token"]?.string ?? ""
            }
        }
    }
}
