import GRDB

/// The implementation of an operation.
public typealias Handler = TwoStepHandler<Call, Decision>

extension Handler {
    /// The decision; a ``Refusal`` that is thrown counts as one that is returned, and what was done before it stays done.
    func decision(_ db: Database, _ call: Call, _ prepared: any Sendable) throws -> Decision {
        do { return try decide(db, call, prepared) } catch let refusal as Refusal { return .refusal(refusal) }
    }
}
