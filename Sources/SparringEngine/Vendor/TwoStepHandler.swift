public import GRDB
import SparringJournal
public import SparringSandbox

/// What is done about an event, in two halves. Preparing may take its time (cryptography, calls to others) and writes nothing. Deciding is
/// quick, runs inside the event's savepoint, never waits, and alone spends what can be spent once. Both may throw a ``Refusal``:
/// thrown while preparing, nothing is left to decide.
public struct TwoStepHandler<Event: Occurrence & Sendable, Outcome>: Sendable {
    typealias Prepare = @Sendable (Event) async throws -> any Sendable
    typealias Decide = @Sendable (Database, Event, any Sendable) throws -> Outcome

    let prepare: Prepare?
    let decide: Decide

    /// Nothing to prepare.
    public static func decide(_ decide: @escaping @Sendable (Database, Event) throws -> Outcome) -> Self {
        Self(prepare: nil) { db, event, _ in try decide(db, event) }
    }

    /// What `prepare` returns is handed to `decide`.
    public static func prepare<Prepared: Sendable>(
        _ prepare: @escaping @Sendable (Event) async throws -> Prepared,
        thenDecide decide: @escaping @Sendable (Database, Event, Prepared) throws -> Outcome
    ) -> Self {
        Self(
            prepare: { event in
                do { return try await prepare(event) } catch let refusal as Refusal { return refusal }
            },
            decide: { db, event, prepared in
                if let refusal = prepared as? Refusal { throw refusal }
                guard let prepared = prepared as? Prepared else { throw ToolError("\(event.origin.operation) was not prepared") }
                return try decide(db, event, prepared)
            })
    }
}
