import Glibc
import SparringJSON
import Support
import Testing

/// CXone's customers in the middle of writing, and a server that dies of SIGKILL again and again.
@Suite struct ChatCrashTests {
    /// After how many answers of all customers together the server dies, life by life.
    private static let lives = [200, 1, 57, 300]

    @Test(arguments: [(customers: 3, devices: 1), (3, 2)])
    func `each kill -9 leaves every acknowledged message in its thread once, in order`(customers: Int, devices: Int) async throws {
        let folder = try TemporaryFolder()
        let database = folder.file("sparring.db")
        var talkers: [ChatTalker] = []
        for (life, answers) in Self.lives.enumerated() {
            let server = try await ServerProcess.start(["--database", database], in: folder)
            if talkers.isEmpty {
                let brand = try await ChatTalker.prepare(server)
                talkers = (0..<customers).map { ChatTalker($0, devices: devices, brand: brand) }
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
            try await talker.expectJournal(at: last)
        }
        #expect(talkers.reduce(0) { $0 + $1.acknowledged } >= Self.lives.reduce(0, +) / 2)
        #expect(try await last.get("/__admin/sandboxes/default/journal?kind=finding").json?["entries"] == [])
        #expect(try await last.stop() == 0)
    }
}
