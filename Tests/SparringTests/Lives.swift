import Glibc
import SparringJSON
import SparringLocks
import Support
import Testing

/// Somebody who talks to a server until it dies, and holds the next one to what this one has acknowledged.
protocol Talking: Sendable {
    /// How many messages the server has acknowledged in all its lives.
    var acknowledged: Int { get }
    /// Connects again, and compares what is there with what was acknowledged.
    func comeBack(to server: ServerProcess) async throws
    /// Adds a task for each device, which ends with its connection.
    ///
    /// - Parameter answered: called with each answer, when the next request is already under way.
    func talk(in group: inout ThrowingTaskGroup<Void, any Error>, life: Int, answered: @escaping @Sendable () -> Void)
    /// Checks the server's state when nobody talks any more.
    func check(at server: ServerProcess) async throws
}

/// A server with a database file that dies of SIGKILL again and again, in the middle of talks.
enum Lives {
    /// - Parameters:
    ///   - lives: after how many answers to all talkers together the server dies, life by life.
    ///   - people: makes the talkers, at the first server.
    static func play(_ lives: [Int], _ people: (ServerProcess) async throws -> [any Talking]) async throws {
        let folder = try TemporaryFolder()
        let database = folder.file("sparring.db")
        var talkers: [any Talking] = []
        for (life, answers) in lives.enumerated() {
            let server = try await ServerProcess.start(["--database", database], in: folder)
            if talkers.isEmpty { talkers = try await people(server) }
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
            try await talker.check(at: last)
        }
        #expect(talkers.reduce(0) { $0 + $1.acknowledged } >= lives.reduce(0, +) / 2)
        let findings = try await last.get("/__admin/sandboxes/default/journal?kind=finding").json?["entries"]?.array
        #expect(findings?.map { $0["causeCode"] } == lives.map { _ in "server-killed" })
        #expect(try await last.stop() == 0)
    }
}

/// Kills the server with the answer that makes the count full.
private final class Countdown: Sendable {
    private let left: Mutex<Int>
    private let server: ServerProcess

    init(_ count: Int, _ server: ServerProcess) {
        left = Mutex(count)
        self.server = server
    }

    @Sendable func count() {
        let isFull = left.withLock { left in
            left -= 1
            return left == 0
        }
        if isFull { server.signal(SIGKILL) }
    }
}
