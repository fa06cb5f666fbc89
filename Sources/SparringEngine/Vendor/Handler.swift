public import GRDB
import SparringContract
import SparringSandbox

/// What an operation does, in two halves. Preparing may take its time (cryptography, calls to others) and writes nothing. Deciding is
/// quick, runs inside the call's savepoint, never waits, and alone spends what can be spent once. Both may throw a ``Refusal``:
/// thrown while preparing, nothing is left to decide; thrown while deciding, it is one that was returned, and what was done before stays done.
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
            prepare: { call in
                do { return try await prepare(call) } catch let refusal as Refusal { return refusal }
            },
            decide: { db, call, prepared in
                if let refusal = prepared as? Refusal { return .refusal(refusal) }
                guard let prepared = prepared as? Prepared else { throw ToolError("\(call.operation.qualifiedName) was not prepared") }
                return try decide(db, call, prepared)
            })
    }

    /// What was decided; a ``Refusal`` that was thrown is one that was returned.
    func decision(_ db: Database, _ call: Call, _ prepared: any Sendable) throws -> Decision {
        do { return try decide(db, call, prepared) } catch let refusal as Refusal { return .refusal(refusal) }
    }

    private init(prepare: Prepare?, decide: @escaping Decide) {
        self.prepare = prepare
        self.decide = decide
    }
}
