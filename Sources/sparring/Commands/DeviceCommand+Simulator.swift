import ArgumentParser
import Foundation
import SparringJSON
import Subprocess
import SystemPackage

extension DeviceCommand {
    struct SimulatorFile: ServerCommand {
        static let configuration = CommandConfiguration(
            commandName: "apns", abstract: "Print a notification as the file that the iOS simulator's push command takes.",
            discussion: """
                  sparring device apns 740f4707 > hello.apns &&
                    xcrun simctl push booted hello.apns
                """)

        @Argument(help: "The device's token.") var device: String
        @Argument(help: "The notification's number on the device. Default: the latest.") var number: Int?
        @OptionGroup(title: "Connection") var connection: ConnectionOptions
        @OptionGroup var sandbox: SandboxOptions

        func run(_ server: AdminClient) async throws {
            let number = if let number { number } else { try await latest(server) }
            try show(try await server.call(.readSimulatorFile, in: sandbox.name, ["device": device, "number": number])) { $0.prettyText }
        }

        private func latest(_ server: AdminClient) async throws -> Int {
            let page = try await server.call(.listNotifications, in: sandbox.name, ["device": device]).json
            guard let number = page["notifications"]?.array?.last?["number"]?.integer(in: 0...Int.max) else {
                throw CommandFailure(text: "no notification has arrived at \(Terminal.printable(device))", status: 1)
            }
            return number
        }
    }

    struct Simulator: ServerCommand {
        static let configuration = CommandConfiguration(
            commandName: "simulator",
            abstract: "Deliver pushes to the iOS simulator as they arrive.",
            discussion: """
                Hands each notification to 'xcrun simctl push', until interrupted: the app in the simulator gets them as if from Apple's service.
                  sparring device simulator 740f4707
                  sparring device simulator of:ada --simulator 'iPhone 17'
                """)

        @Argument(help: "The device's token.") var device: String
        @Option(help: "The simulator's name or id.") var simulator = "booted"
        @Option(help: "Begin with this notification. Default: only new ones.") var since: Int?
        @Option(help: "Stop after this many.") var limit: Int?
        @OptionGroup(title: "Connection") var connection: ConnectionOptions
        @OptionGroup var sandbox: SandboxOptions

        func validate() throws {
            if let limit, limit < 1 { throw ValidationError("--limit must be 1 or more.") }
            if let since, since < 0 { throw ValidationError("--since must be 0 or more.") }
        }

        func run(_ server: AdminClient) async throws {
            try await requireXcode()
            var left = limit ?? .max
            var feed = NotificationFeed(server, sandbox.name, device, since: try await first(server))
            Terminal.complain("sparring: waiting for pushes to \(Terminal.printable(device))")
            while left > 0 {
                for notification in try await feed.next().prefix(left) {
                    guard let number = notification["number"]?.integer(in: 0...Int.max) else { continue }
                    try await push(try await server.call(.readSimulatorFile, in: sandbox.name, ["device": device, "number": number]).json)
                    try Terminal.print(connection.json ? notification.text : Notifications.text(notification))
                    left -= 1
                }
            }
        }

        private func first(_ server: AdminClient) async throws -> Int {
            if let since { return since }
            let page = try await server.call(.listNotifications, in: sandbox.name, ["device": device]).json
            return page["next"]?.integer(in: 0...Int.max) ?? 0
        }

        /// Before the first push: nobody waits for what cannot be delivered.
        private func requireXcode() async throws {
            do {
                _ = try await Subprocess.run(.name("xcrun"), arguments: ["--version"], output: .discarded, error: .discarded)
            } catch is SubprocessError {
                throw CommandFailure(
                    text: "xcrun cannot be run: simulators need macOS with Xcode; `sparring device apns` prints the file anywhere",
                    status: 69)
            }
        }

        private func push(_ file: JSON) async throws {
            let place = FileManager.default.temporaryDirectory.appendingPathComponent("sparring-\(UUID().uuidString).apns")
            do { try Data(file.bytes).write(to: place) } catch {
                throw CommandFailure.cannotCreate(place.path, Terminal.reason(of: error).text)
            }
            defer { try? FileManager.default.removeItem(at: place) }
            let words: [String] = ["simctl", "push", simulator, place.path]
            let status = try await Subprocess.run(
                .name("xcrun"), arguments: Arguments(words), output: .discarded,
                error: .fileDescriptor(.standardError, closeAfterSpawningProcess: false)
            ).terminationStatus
            guard status.isSuccess else { throw CommandFailure(text: "xcrun simctl push failed: \(status)", status: 1) }
        }
    }
}
