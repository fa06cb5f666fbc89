import ArgumentParser
import Foundation
import SparringJSON
import Subprocess
import SystemPackage

extension DeviceCommand {
    struct SimulatorFile: SandboxVerb {
        static let name = "apns"
        static let abstract = "Print a notification as the file that the iOS simulator's push command takes."
        static let discussion = """
              sparring device apns 740f4707 > hello.apns &&
                xcrun simctl push booted hello.apns
            """

        @Argument(help: "The device's token.") var device: String
        @Argument(help: "The notification's number on the device. Default: the latest.") var number: Int?

        func run(_ sandbox: RemoteSandbox) async throws {
            let number = if let number { number } else { try await latest(sandbox) }
            try await sandbox.show(.readSimulatorFile, ["device": device, "number": number]) { $0.prettyText }
        }

        private func latest(_ sandbox: RemoteSandbox) async throws -> Int {
            let page = try await sandbox.call(.listNotifications, ["device": device]).json
            guard let number = page["notifications"]?.array?.last?["number"]?.integer(in: 0...Int.max) else {
                throw CommandFailure(text: "no notification has arrived at \(Terminal.printable(device))", status: 1)
            }
            return number
        }
    }

    struct Simulator: SandboxVerb {
        static let abstract = "Deliver pushes to the iOS simulator as they arrive."
        static let discussion = """
            Hands each notification to 'xcrun simctl push', until interrupted: the app in the simulator gets them as if from Apple's service.
              sparring device simulator 740f4707
              sparring device simulator of:ada --simulator 'iPhone 17'
            """

        @Argument(help: "The device's token.") var device: String
        @Option(help: "The simulator's name or id.") var simulator = "booted"
        @Option(help: "Begin with this notification. Default: only new ones.") var since: Int?
        @Option(help: "Stop after this many.") var limit: Int?

        func validate() throws { try NotificationFeed.check(since: since, limit: limit) }

        func run(_ sandbox: RemoteSandbox) async throws {
            try await requireXcode()
            let first = try await first(sandbox)
            Terminal.complain("sparring: waiting for pushes to \(Terminal.printable(device))")
            try await NotificationFeed(sandbox, device).follow(from: first, limit: limit) { notification in
                guard let number = notification["number"]?.integer(in: 0...Int.max) else { return }
                try await push(try await sandbox.call(.readSimulatorFile, ["device": device, "number": number]).json)
            }
        }

        private func first(_ sandbox: RemoteSandbox) async throws -> Int {
            if let since { return since }
            let page = try await sandbox.call(.listNotifications, ["device": device]).json
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
            try CommandFailure.writing(place.path) { try Data(file.bytes).write(to: place) }
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
