import GRDB
import GRDBSQLite
import SparringLocks
@testable import SparringSandbox

/// Makes statements of the writer fail.
final class Trouble: Sendable {
    enum Kind: String, Sendable, CaseIterable, CustomStringConvertible {
        /// One statement, as after an I/O error: SQLite rolls the transaction back where the statement writes.
        case one
        /// The one statement and all that follow, such as those that would journal the failure.
        case lasting
        /// No page may be added any more: a full disk.
        case full
        var description: String { rawValue }

        /// The first statement, or page, that it strikes, and how many further the next one is.
        var share: (first: Int, step: Int) {
            switch self {
            case .one: (0, 3)
            case .lasting: (1, 3)
            case .full: (0, 3)
            }
        }
    }

    private struct State {
        var kind = Kind.one
        var left: Int?
        var hasStruck = false
    }

    private let state = Mutex(State())

    /// To be set as ``Engine/Options/prepareDatabase``.
    func prepare(_ db: Database) {
        guard !db.configuration.readonly else { return }
        // Of the writer, as long as it is open.
        nonisolated(unsafe) let connection = db.sqliteConnection
        db.trace(options: .statement) { [self] event in
            // A rollback fails for nothing that happens to a file.
            if !event.description.hasPrefix("ROLLBACK"), strikes() { sqlite3_interrupt(connection) }
        }
    }

    /// It has made something fail since it was armed.
    var hasStruck: Bool { state.withLock { $0.hasStruck } }

    private func strikes() -> Bool {
        state.withLock { state in
            guard let left = state.left else { return false }
            state.left = state.kind == .one && left == 0 ? nil : max(0, left - 1)
            if left == 0 { state.hasStruck = true }
            return left == 0
        }
    }

    /// Lets so many statements pass, and strikes the next.
    func arm(_ kind: Kind, after statements: Int, _ store: Store) async throws {
        guard kind == .full else { return state.withLock { $0 = State(kind: kind, left: statements) } }
        state.withLock { $0 = State(kind: kind) }
        try await store.pool.writeWithoutTransaction { db in
            let pages = try Int.fetchOne(db, sql: "PRAGMA page_count") ?? 0
            try db.execute(sql: "PRAGMA max_page_count = \(pages + statements)")
        }
    }

    /// - Returns: whether anything was struck.
    func disarm(_ store: Store) async throws -> Bool {
        let (kind, hasStruck) = state.withLock { state in
            defer { state.left = nil }
            return (state.kind, state.hasStruck)
        }
        if kind == .full {
            try await store.pool.writeWithoutTransaction { try $0.execute(sql: "PRAGMA max_page_count = 1073741823") }
        }
        return hasStruck
    }
}
