import Glibc
import SparringJSON
import Support
import Testing

/// Consumers in the middle of talking, and a server that dies of SIGKILL again and again.
@Suite struct MessagingCrashTests {
    /// After how many answers of all consumers together the server dies, life by life.
    private static let lives = [300, 1, 57, 640]

    @Test(arguments: [(consumers: 1, devices: 1), (8, 1), (2, 3)])
    func `each kill -9 leaves every acknowledged message there once, in order, and the numbers go on`(
        consumers: Int, devices: Int
    ) async throws {
        let folder = try TemporaryFolder()
        let database = folder.file("sparring.db")
        var talkers: [Talker] = []
        for (life, answers) in Self.lives.enumerated() {
            let server = try await ServerProcess.start(["--database", database], in: folder)
            if talkers.isEmpty {
                for number in 0..<consumers { talkers.append(try await Talker(number, devices: devices, at: server)) }
            }
            for talker in talkers { try await talker.comeBack(to: server) }
            let countdown = Countdown(answers, server)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for talker in talkers { talker.talk(in: &group, life: life, answered: countdown.count) }
                try await group.waitForAll()
            }
            #expect(try await server.end() == 128 + SIGKILL)
        }

        let last = try await ServerProcess.start(["--database", database], in: folder)
        for talker in talkers {
            try await talker.comeBack(to: last)
            try await talker.sayGoodbye()
            try await talker.expectJournal(at: last)
        }
        #expect(talkers.reduce(0) { $0 + $1.acknowledged } >= Self.lives.reduce(0, +) / 2)
        #expect(try await last.get("/__admin/sandboxes/default/journal?kind=finding").json?["entries"] == [])
        #expect(try await last.stop() == 0)
    }
}
