import ArgumentParser
import SparringJSON

/// `sparring device`
struct DeviceCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "device",
        abstract: "List the devices that get pushes, and print what they got.",
        discussion: """
              sparring device list
              sparring device notifications 740f4707 --follow
              sparring device simulator 740f4707
            A device is named by its token, the beginning of it (four letters or more), or as of:ada, ada's device.
            """,
        subcommands: [List.self, Notifications.self, SimulatorFile.self, Simulator.self, Push.self, Notify.self, Renew.self])

    struct List: ServerCommand {
        static let configuration = CommandConfiguration(
            abstract: "List every device that was ever registered.",
            discussion: """
                'consumer' is who registered it last, 'registered' who gets pushes there now: more than one means that somebody was never \
                unregistered.
                  sparring device list --sandbox checkout
                """)

        @OptionGroup(title: "Connection") var connection: ConnectionOptions
        @OptionGroup var sandbox: SandboxOptions

        func run(_ server: AdminClient) async throws {
            try show(try await server.get(AdminPath.devices(sandbox.name))) { json in
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
            abstract: "Print what a device got, and watch.",
            discussion: """
                One notification a line: number, sandbox time, badge, for whom, service and text. With --json a page as the server sent it; \
                with --follow, one notification a line.
                  sparring device notifications 740f4707 --since 3
                  sparring device notifications 740f4707 --follow
                """)

        @Argument(help: "The device's token.") var device: String
        @Flag(name: .shortAndLong, help: "Go on with what comes, until interrupted or --limit is reached.") var follow = false
        @Option(help: "Only notifications from this number on.") var since: Int?
        @Option(help: "At most so many.") var limit: Int?
        @OptionGroup(title: "Connection") var connection: ConnectionOptions
        @OptionGroup var sandbox: SandboxOptions

        func validate() throws {
            if let limit, limit < 1 { throw ValidationError("--limit must be 1 or more.") }
            if let since, since < 0 { throw ValidationError("--since must be 0 or more.") }
        }

        func run(_ server: AdminClient) async throws {
            if !follow {
                let path = AdminPath.with(
                    AdminPath.notifications(sandbox.name, device),
                    query: ["since": since.map { String($0) }, "limit": limit.map { String($0) }])
                return try show(try await server.get(path)) { json in
                    let notifications = json["notifications"]?.array ?? []
                    return notifications.isEmpty ? "nothing came to \(device)" : notifications.map(Self.text).joined(separator: "\n")
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
            abstract: "Send a proactive push to a consumer's devices.",
            discussion: """
                  sparring device push ada 'Your parcel waits'
                  sparring device push ada 'Go on here' --set backendService=c2m \\
                    --set campaignInfo='{"campaignId":1,"engagementId":2}'
                """)

        @Argument(help: "The consumer, as the brand calls them.") var consumer: String
        @Argument(help: "What is said.") var text: String
        @Option(
            name: .customLong("set"),
            help: ArgumentHelp("A further member; may be given several times. What is no JSON is a string.", valueName: "name=JSON"),
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
            abstract: "Put a push on a device that is no vendor's.",
            discussion: """
                Such as the brand's own, which a client must not take for the vendor's.
                  sparring device notify 740f4707 '{"aps":{"alert":"20 % off"}}' \\
                    --text '20 % off'
                """)

        @Argument(help: "The device's token.") var device: String
        @Argument(help: ArgumentHelp("What the app gets.", valueName: "{…}"), transform: JSONArgument.object) var payload: JSON
        @Option(help: "What is read on the screen.") var text: String?
        @OptionGroup(title: "Connection") var connection: ConnectionOptions
        @OptionGroup var sandbox: SandboxOptions

        func run(_ server: AdminClient) async throws {
            let body = JSON.members(["payload": payload, "text": text.map { .string($0) }])
            try show(try await server.post(AdminPath.notifications(sandbox.name, device), body)) { json in
                "notification \(json["number"]?.text ?? "?") on device \(device)"
            }
        }
    }

    struct Renew: ServerCommand {
        static let configuration = CommandConfiguration(
            commandName: "renew-token", abstract: "Give a device a new token; pushes to the old one do not arrive any more.",
            discussion: "  sparring device renew-token 740f4707")

        @Argument(help: "The device's token.") var device: String
        @Argument(help: "Its new token. Default: one that is drawn.") var token: String?
        @OptionGroup(title: "Connection") var connection: ConnectionOptions
        @OptionGroup var sandbox: SandboxOptions

        func run(_ server: AdminClient) async throws {
            let body = JSON.members(["token": token.map { .string($0) }])
            try show(try await server.post(AdminPath.renewal(sandbox.name, device), body)) { $0["token"]?.string ?? "" }
        }
    }
}
