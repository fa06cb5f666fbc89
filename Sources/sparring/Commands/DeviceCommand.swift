import ArgumentParser
import SparringJSON

/// `sparring device`
struct DeviceCommand: WordedCommand {
    static let abstract = "List the devices that get pushes, and print their notifications."
    static let discussion = """
          sparring device list
          sparring device notifications 740f4707 --follow
          sparring device simulator 740f4707
        Name a device by its token, the beginning of it (four letters or more), or as of:ada, ada's device; 'of:*' is that of \
        the only consumer who has one.
        """
    static var subcommands: [any ParsableCommand.Type] {
        [List.command, Notifications.command, SimulatorFile.command, Simulator.command, Push.command, Notify.command, Renew.command]
    }

    struct List: SandboxVerb {
        static let abstract = "List every device that was ever registered."
        static let discussion = """
            'consumer' registered the device last, and those under 'registered' get pushes there now: more than one means that somebody was \
            never unregistered.
              sparring device list --sandbox checkout
            """

        func run(_ sandbox: RemoteSandbox) async throws {
            try await sandbox.show(.listDevices) { json in
                Table.text(
                    "device", "type", "app", "consumer", "registered", "got", of: json["devices"]?.array,
                    none: "no device was registered in \(sandbox.name)"
                ) { device in
                    let registered = (device["registrations"]?.array ?? []).map { registration in
                        (registration["consumer"]?.string ?? "") + (registration["onlyProactive"] == true ? " (proactive only)" : "")
                    }
                    return [device.plain("token") + (device["renewed"]?.string.map { " (now \($0))" } ?? "")]
                        + device.cells("pushType", "appId", "consumer")
                        + [registered.isEmpty ? "-" : registered.joined(separator: ", "), device.plain("notifications")]
                }
            }
        }
    }

    struct Notifications: SandboxVerb {
        static let abstract = "Print a device's notifications, and watch."
        static let discussion = """
            Prints one notification per line: number, sandbox time, badge, recipient, service and text. With --json, it prints a page as the \
            server sent it; with --follow as well, one notification per line.
              sparring device notifications 740f4707 --since 3
              sparring device notifications 740f4707 --follow
            """

        @Argument(help: "The device's token.") var device: String
        @Flag(name: .shortAndLong, help: "Print new ones as they arrive, until interrupted or --limit is reached.") var follow = false
        @Option(help: "Only notifications from this number on.") var since: Int?
        @Option(help: "Print at most this many.") var limit: Int?

        func validate() throws { try NotificationFeed.check(since: since, limit: limit) }

        func run(_ sandbox: RemoteSandbox) async throws {
            if follow { return try await NotificationFeed(sandbox, device).follow(from: since ?? 0, limit: limit) }
            try await sandbox.show(.listNotifications, ["device": device, "since": since, "limit": limit]) { json in
                let notifications = json["notifications"]?.array ?? []
                return notifications.isEmpty
                    ? "no notification has arrived at \(device)" : notifications.map(NotificationFeed.text).joined(separator: "\n")
            }
        }
    }

    struct Push: SandboxVerb {
        static let abstract = "Send a proactive push to a consumer's devices."
        static let discussion = """
              sparring device push ada 'Your parcel waits'
              sparring device push ada 'Go on here' --set backendService=c2m \\
                --set campaignInfo='{"campaignId":1,"engagementId":2}'
            """

        @Argument(help: "The consumer's id at the brand.") var consumer: String
        @Argument(help: "The text.") var text: String
        @OptionGroup var further: MembersOption
        @OptionGroup var vendor: VendorOption

        func run(_ sandbox: RemoteSandbox) async throws {
            var with: JSON = ["consumer": .string(consumer), "text": .string(text)]
            for member in further.members { with[member.name] = member.value }
            try await sandbox.perform("push", with, of: vendor)
        }
    }

    struct Notify: SandboxVerb {
        static let abstract = "Put a push that no vendor has sent on a device."
        static let discussion = """
            The push can be the brand's own, which a client must not mistake for the vendor's.
              sparring device notify 740f4707 '{"aps":{"alert":"20 % off"}}' \\
                --text '20 % off'
            """

        @Argument(help: "The device's token.") var device: String
        @Argument(help: ArgumentHelp("The payload that the app gets.", valueName: "{…}"), transform: JSONArgument.object) var payload: JSON
        @Option(help: "The text on the screen.") var text: String?

        func run(_ sandbox: RemoteSandbox) async throws {
            let body = JSON.members(["payload": payload, "text": text.map(JSON.string)])
            try await sandbox.show(.notifyDevice, ["device": device], body: body) { json in
                "notification \(json["number"]?.text ?? "?") on device \(device)"
            }
        }
    }

    struct Renew: SandboxVerb {
        static let name = "renew-token"
        static let abstract = "Give a device a new token; pushes to the old one no longer arrive."
        static let discussion = "  sparring device renew-token 740f4707"

        @Argument(help: "The device's token.") var device: String
        @Argument(help: "Its new token. Default: a random one.") var token: String?

        func run(_ sandbox: RemoteSandbox) async throws {
            let body = JSON.members(["token": token.map(JSON.string)])
            try await sandbox.show(.renewDeviceToken, ["device": device], body: body) { $0["token"]?.string ?? "" }
        }
    }
}
