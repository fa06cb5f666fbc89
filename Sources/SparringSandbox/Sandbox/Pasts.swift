import GRDB
import SparringLocks

/// The pasts that were looked at last, of all sandboxes: a reader of one reads several things of it, and it does not change.
package final class Pasts: Sendable {
    /// Bytes of memory for all of them; a larger past is not kept.
    private static let limit = 48 << 20
    private static let mostPasts = 4

    private struct Held {
        /// Its object, as another sandbox may have taken its name.
        let sandbox: ObjectIdentifier
        let past: Past
    }

    private let held = Mutex<[Held]>([])
    /// One is made at a time.
    private let making = AsyncLock()

    /// The sandbox as it was at an entry.
    ///
    /// - Throws: ``Past/Lost``.
    package func past(of sandbox: Sandbox, at entry: Int) async throws -> Past {
        if let past = find(sandbox, entry) { return past }
        return try await making.run { [self] in
            if let past = find(sandbox, entry) { return past }
            let past = try await sandbox.store.pool.read { db in try Past.of(sandbox, at: entry, isBounded: true, db) }
            keep(past, of: sandbox)
            return past
        }
    }

    private func find(_ sandbox: Sandbox, _ entry: Int) -> Past? {
        held.withLock { $0.first { $0.sandbox == ObjectIdentifier(sandbox) && $0.past.entry == entry } }?.past
    }

    private func keep(_ past: Past, of sandbox: Sandbox) {
        guard past.bytes <= Self.limit else { return }
        held.withLock { held in
            held.append(Held(sandbox: ObjectIdentifier(sandbox), past: past))
            while held.count > Self.mostPasts || held.reduce(0, { $0 + $1.past.bytes }) > Self.limit { held.removeFirst() }
        }
        // It may have ended while the past was made, or just now.
        if sandbox.hasEnded { forget(sandbox) }
    }

    /// The sandbox is no more.
    func forget(_ sandbox: Sandbox) { held.withLock { $0.removeAll { $0.sandbox == ObjectIdentifier(sandbox) } } }
}
