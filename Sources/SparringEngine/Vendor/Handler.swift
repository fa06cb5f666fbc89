import GRDB

/// What an operation does.
public typealias Handler = TwoStepHandler<Call, Decision>

extension Handler {
    /// What was decided; a ``Refusal`` that was thrown is one that was returned, and what was done before it stays done.
    func decision(_ db: Database, _ call: Call, _ prepared: any Sendable) throws -> Decision {
        do { return try decide(db, call, prepared) } catch let refusal as Refusal { return .refusal(refusal) }
    }
}
