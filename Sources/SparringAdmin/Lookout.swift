import SparringEngine
public import SparringJSON
import SparringSandbox

/// Sees what comes into the journals of all sandboxes, and what fits none.
public struct Lookout: Sendable {
    public struct Sight: Sendable {
        /// The sandbox whose journal it is in; nil: it fits none.
        public var sandbox: String?
        public var entry: JSON
    }

    private let server: Server
    /// The next number of each journal. One that was reset is another sandbox, and counts from 1.
    private var next: [ObjectIdentifier: (sandbox: Sandbox, number: Int)] = [:]
    private var nextUnplaced: Int64 = 0

    /// More than this at once is left for the next look.
    private static let pieceLimit = 500

    /// From now on.
    public init(_ server: Server) async throws {
        self.server = server
        _ = try await look(isFirst: true)
    }

    /// The entries that have come since the last look: by sandboxes, oldest first.
    public mutating func look() async throws -> [Sight] { try await look(isFirst: false) }

    private mutating func look(isFirst: Bool) async throws -> [Sight] {
        let sandboxes = server.world.sandboxes
        let (marks, unplacedMark, unplaced) = (next, nextUnplaced, server.admin.unplaced)
        let (found, strays) = try await server.admin.store.read { db in
            let found = try sandboxes.map { sandbox in
                try sandbox.journal.read(
                    Journal.Query(
                        since: marks[ObjectIdentifier(sandbox)]?.number ?? 0, limit: isFirst ? 1 : Self.pieceLimit, isTail: isFirst), db
                ).map { try JSON(parsing: $0) }
            }
            return (found, try unplaced.read(limit: isFirst ? 1 : 100, db).filter { ($0["number"]?.integer ?? 0) >= unplacedMark })
        }
        var sights: [Sight] = []
        next = next.filter { _, mark in sandboxes.contains { $0 === mark.sandbox } }
        for (sandbox, entries) in zip(sandboxes, found) {
            if let last = entries.last?["number"]?.integer(in: 0...Int64(Int.max)) {
                next[ObjectIdentifier(sandbox)] = (sandbox, Int(last) + 1)
            }
            sights += entries.map { Sight(sandbox: sandbox.id, entry: $0) }
        }
        if let last = strays.last?["number"]?.integer { nextUnplaced = last + 1 }
        return sights + strays.map { Sight(sandbox: nil, entry: $0) }
    }
}
