public import SparringJSON
public import SparringJournal

/// The handling of scheduled work that falls due. The item is removed in the savepoint of the second half; a process that is killed before
/// then does it again after the restart, the first half included.
public typealias DueHandler = TwoStepHandler<DueCall, DueOutcome>

/// The outcome of due work, for the journal.
public struct DueOutcome: Sendable {
    /// In the words of the domain.
    public var cause: String
    public var details: JSON.Object
    /// The mistakes, of any party, that show here.
    public var findings: [Finding]

    public init(_ cause: String, details: JSON.Object = [:], findings: [Finding] = []) {
        self.cause = cause
        self.details = details
        self.findings = findings
    }
}
