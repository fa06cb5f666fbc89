package import GRDB
package import SparringJSON
package import SparringJournal

/// The entries that a sandbox writes about itself in its journal.
extension Sandbox {
    /// An entry about the sandbox itself, made now.
    package func entry(_ kind: JournalEntry.Kind, cause: Cause?, details: JSON? = nil) -> JournalEntry {
        JournalEntry(kind: kind, cause: cause, sandboxTime: clock.now, arrival: moment(.now), details: details)
    }

    /// When something arrived, and at which of the processes that have served the database.
    package func moment(_ arrival: Arrival) -> JournalEntry.Moment {
        let total = SchedulingDelay.total
        return JournalEntry.Moment(
            wall: arrival.wall, monotonic: arrival.monotonic, process: process, delayed: total.late, busy: total.busy,
            opening: arrival.opening)
    }

    /// Writes an entry together with what it tells of.
    ///
    /// - Parameter body: does that, and may complete the entry.
    @discardableResult
    package func write<Value: Sendable>(
        _ entry: JournalEntry, _ body: @escaping @Sendable (Database, inout JournalEntry) throws -> Value
    ) async throws -> Value {
        let value: Value
        do {
            value = try await store.write { [self] db in
                try journal.requireSandbox()
                var entry = entry
                let value = try body(db, &entry)
                try journal.append(entry, db)
                return value
            }
        } catch {
            missed(error)
            throw error
        }
        journal.committed()
        return value
    }

    /// Lets go of most of the journal, piece by piece, so that nobody waits for long when all of it goes.
    package func shed() async throws {
        while try await store.write({ [self] db in try journal.shed(db) }) {}
        store.reclaim()
    }

    /// Adds an entry that nobody waits for.
    package func note(_ entry: JournalEntry) {
        store.submit { [self] db in
            try journal.append(entry, db)
        } finished: { [self] result in
            if case .failure(let error) = result { missed(error) }
            journal.committed()
        }
    }

    /// A call or event could not be written. It is counted, and the journal says so as soon as it can be written again.
    ///
    /// - Parameter error: nothing is counted unless it is the store's: what its body refuses, or a sandbox that is gone, leaves nothing out.
    package func missed(_ error: any Error) {
        guard error is StoreError || error is StoreEnded || error is DatabaseError, !journal.isClosed else { return }
        store.unrecorded.add(Unrecorded("\(error)", at: Timestamp.now), of: id)
        journal.owe(entry(.finding, cause: nil))
    }

    /// Writes the journal's entry about calls that could not be written, if one is owed: perhaps nothing else is ever written.
    package func settleJournal() {
        guard journal.isOwing else { return }
        store.submit { [self] db in
            _ = try journal.next(db)
        } finished: { [self] _ in
            journal.committed()
        }
    }
}
