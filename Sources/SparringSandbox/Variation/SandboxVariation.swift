package import GRDB
import SparringLocks
package import SparringVariation

/// The variation of a sandbox, with the number of answers and messages of each kind that each lane has got.
package final class SandboxVariation: Sendable {
    private struct Kind: Hashable {
        var point: String
        var lane: String
    }

    package let variations: Variations
    private let sandbox: String
    private let effects: CommitEffects
    private let counts = Mutex<[Kind: Int]>([:])

    init(_ plan: VariationPlan, sandbox: String, effects: CommitEffects) {
        variations = Variations(plan)
        (self.sandbox, self.effects) = (sandbox, effects)
    }

    /// An answer or a message that is about to be written down: the next of its kind for its lane.
    package func next(_ vendor: String, _ point: String, lane: String, _ db: Database) throws -> VariationSubject {
        let kind = Kind(point: point, lane: lane)
        let ordinal = counts.withLock { counts in
            counts[kind, default: 0] += 1
            return counts[kind] ?? 1
        }
        effects.onRollback { [self] in counts.withLock { $0[kind] = ordinal - 1 } }
        try db.cachedStatement(
            sql: """
                INSERT INTO varied (sandbox, point, lane, count) VALUES (?, ?, ?, ?)
                ON CONFLICT DO UPDATE SET count = excluded.count
                """
        ).execute(arguments: [sandbox, point, lane, ordinal])
        return VariationSubject(variations, vendor: vendor, point: point, lane: lane, ordinal: ordinal)
    }

    func restore(_ db: Database) throws {
        let rows = try Row.fetchAll(db, sql: "SELECT point, lane, count FROM varied WHERE sandbox = ?", arguments: [sandbox])
        counts.withLock { counts in
            for row in rows { counts[Kind(point: row[0], lane: row[1])] = row[2] }
        }
    }
}
