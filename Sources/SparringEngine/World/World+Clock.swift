import GRDB
import SparringJSON
import SparringJournal

/// Moving a sandbox's time: stored first, so that memory is never ahead of what a restart finds.
extension World {
    /// - Parameter alongside: what is written with it.
    func change(
        _ sandbox: Sandbox, to change: SandboxClock.Change, alongside: (@Sendable (Database) throws -> Void)? = nil
    ) async throws {
        let entry = entry(.clock, sandbox, cause: "the clock was set", details: change.json)
        try await store.write { [store] db in
            try alongside?(db)
            try Self.keep(change.stored, of: sandbox, db)
            try sandbox.journal.append(entry, db)
            store.effects.afterCommit { sandbox.clock.make(change) }
        }
        sandbox.journal.committed()
    }

    /// Advances the clock, and journals it when all that fell due is done.
    ///
    /// - Returns: how many waits ended.
    func advance(_ sandbox: Sandbox, by duration: Duration) async throws -> Int {
        let ran = try await sandbox.clock.advance(by: duration) { stored in
            try await store.write { try Self.keep(stored, of: sandbox, $0) }
        }
        let (stored, clock) = (sandbox.clock.stored, sandbox.clock.json)
        let details = JSON.members(["mode": clock["mode"], "now": clock["now"], "rate": clock["rate"]])
        let entry = entry(.clock, sandbox, cause: "the clock was advanced by \(duration.words)", details: details)
        try await store.write { db in
            try Self.keep(stored, of: sandbox, db)
            try sandbox.journal.append(entry, db)
        }
        sandbox.journal.committed()
        return ran
    }

    private static func keep(_ stored: JSON, of sandbox: Sandbox, _ db: Database) throws {
        try db.execute(sql: "UPDATE sandbox SET clock = ? WHERE id = ?", arguments: [stored.text, sandbox.id])
    }
}
