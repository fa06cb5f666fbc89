public import GRDB
import SparringJournal
public import SparringSandbox

/// The handling of an event, in two halves. Preparing may take its time (cryptography, calls to others) and writes nothing. Deciding is
/// quick, runs inside the event's savepoint, never waits, and alone spends what can be spent once. Both may throw a ``Refusal``:
/// thrown while preparing, nothing is left to decide.
public struct TwoStepHandler<Event: Occurrence & Sendable, Outcome>: Sendable {
    typealias Prepare = @Sendable (Event) async throws -> any Sendable
    typealias Decide = @Sendable (Database, Event, any Sendable) throws -> Outcome

    typealias Recall = @Sendable (Event) -> (any Sendable)?

    let prepare: Prepare?
    /// Returns the result of preparing where that is known at once.
    let recall: Recall?
    /// It is given the database.
    let mayWrite: Bool
    let decide: Decide

    private init(prepare: Prepare? = nil, recall: Recall? = nil, mayWrite: Bool = true, decide: @escaping Decide) {
        (self.prepare, self.recall, self.mayWrite) = (prepare, recall, mayWrite)
        self.decide = decide
    }

    /// Nothing to prepare.
    public static func decide(_ decide: @escaping @Sendable (Database, Event) throws -> Outcome) -> Self {
        Self { db, event, _ in try decide(db, event) }
    }

    /// Nothing to prepare, and nothing is read or written.
    public static func decide(_ decide: @escaping @Sendable (Event) throws -> Outcome) -> Self {
        Self(mayWrite: false) { _, event, _ in try decide(event) }
    }

    /// A handler with both halves: what `prepare` returns is handed to `decide`.
    ///
    /// - Parameter recall: what `prepare` would return, where that is known at once, such as whose a token is that was seen before: then the
    ///   event does not wait for anything. Nil: it is not known.
    public static func prepare<Prepared: Sendable>(
        _ prepare: @escaping @Sendable (Event) async throws -> Prepared, orRecall recall: (@Sendable (Event) -> Prepared?)? = nil,
        thenDecide decide: @escaping @Sendable (Database, Event, Prepared) throws -> Outcome
    ) -> Self {
        var known: Recall?
        if let recall { known = { event in recall(event) } }
        return Self(
            prepare: { event in
                do { return try await prepare(event) } catch let refusal as Refusal { return refusal }
            }, recall: known,
            decide: { db, event, prepared in
                if let refusal = prepared as? Refusal { throw refusal }
                guard let prepared = prepared as? Prepared else { throw ToolError("\(event.origin.operation) was not prepared") }
                return try decide(db, event, prepared)
            })
    }
}
