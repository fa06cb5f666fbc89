package import GRDB
import SparringJSON
import SparringJournal

/// Moving a sandbox's time: stored first, so that memory is never ahead of what a restart finds.
extension Sandbox {
    /// - Parameter alongside: what is written with it.
    package func change(to change: SandboxClock.Change, alongside: (@Sendable (Database) throws -> Void)? = nil) async throws {
        try await write(entry(.clock, cause: Cause(change.words), details: change.json)) { [self] db, _ in
            try alongside?(db)
            try keep(change.stored, db)
            effects.afterCommit { [self] in clock.make(change) }
        }
    }

    /// Advances the clock, and journals it when all that fell due is done.
    ///
    /// - Parameter keepsSockets: open sockets count as used until the new time, so that none is closed as idle on the way.
    /// - Returns: how many waits ended.
    package func advance(by duration: Duration, keepsSockets: Bool = false) async throws -> Int {
        if keepsSockets {
            let end = clock.now + duration
            for socket in openSockets where !socket.isFrozen { socket.traffic(at: end) }
        }
        let ran = try await clock.advance(by: duration) { stored in
            try await store.write { [self] in try keep(stored, $0) }
        }
        let stored = clock.stored
        // Where this fails, time has moved all the same: it is counted as unrecorded.
        let cause = Cause("the clock was advanced by \(duration.words)", code: Cause.clockAdvanced)
        try await write(entry(.clock, cause: cause, details: clock.shown)) { [self] db, _ in
            try keep(stored, db)
        }
        return ran
    }

    private func keep(_ stored: JSON, _ db: Database) throws {
        try db.execute(sql: "UPDATE sandbox SET clock = ? WHERE id = ?", arguments: [stored.text, id])
    }
}
