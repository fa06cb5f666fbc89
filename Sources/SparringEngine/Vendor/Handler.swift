public import GRDB
import SparringContract
import SparringSandbox

/// What an operation does, in two halves. Preparing may take its time (cryptography, calls to others) and writes nothing. Deciding is
/// quick, runs inside the call's savepoint, never waits, and alone spends what can be spent once.
public struct Handler: Sendable {
    typealias Prepare = @Sendable (Call) async throws -> any Sendable
    typealias Decide = @Sendable (Database, Call, any Sendable) throws -> Decision

    let prepare: Prepare?
    let decide: Decide

    /// Nothing to prepare.
    public static func decide(_ decide: @escaping @Sendable (Database, Call) throws -> Decision) -> Handler {
        Handler(prepare: nil) { db, call, _ in try decide(db, call) }
    }

    /// What `prepare` returns is handed to `decide`.
    public static func prepare<Prepared: Sendable>(
        _ prepare: @escaping @Sendable (Call) async throws -> Prepared,
        thenDecide decide: @escaping @Sendable (Database, Call, Prepared) throws -> Decision
    ) -> Handler {
        Handler(
            prepare: { try await prepare($0) },
            decide: { db, call, prepared in
                guard let prepared = prepared as? Prepared else { throw ToolError("\(call.operation.qualifiedName) was not prepared") }
                return try decide(db, call, prepared)
            })
    }

    private init(prepare: Prepare?, decide: @escaping Decide) {
        self.prepare = prepare
        self.decide = decide
    }
}
