public import GRDB
public import SparringJSON
public import SparringJournal
import SparringSandbox

/// What is done when scheduled work falls due, in two halves like a ``Handler``. The item is removed in the savepoint of the second half; a
/// process that is killed before then does it again after the restart, the first half included.
public struct DueHandler: Sendable {
    typealias Prepare = @Sendable (DueCall) async throws -> any Sendable
    typealias Decide = @Sendable (Database, DueCall, any Sendable) throws -> DueOutcome

    let prepare: Prepare?
    let decide: Decide

    /// Nothing to prepare.
    public static func decide(_ decide: @escaping @Sendable (Database, DueCall) throws -> DueOutcome) -> DueHandler {
        DueHandler(prepare: nil) { db, call, _ in try decide(db, call) }
    }

    /// What `prepare` returns is handed to `decide`.
    public static func prepare<Prepared: Sendable>(
        _ prepare: @escaping @Sendable (DueCall) async throws -> Prepared,
        thenDecide decide: @escaping @Sendable (Database, DueCall, Prepared) throws -> DueOutcome
    ) -> DueHandler {
        DueHandler(
            prepare: { try await prepare($0) },
            decide: { db, call, prepared in
                guard let prepared = prepared as? Prepared else { throw ToolError("\(call.name) was not prepared") }
                return try decide(db, call, prepared)
            })
    }

    private init(prepare: Prepare?, decide: @escaping Decide) {
        self.prepare = prepare
        self.decide = decide
    }
}

/// What came of due work, for the journal.
public struct DueOutcome: Sendable {
    /// In the words of the domain.
    public var cause: String
    public var details: JSON.Object
    /// What somebody did wrong, where that shows here.
    public var findings: [Finding]

    public init(_ cause: String, details: JSON.Object = [:], findings: [Finding] = []) {
        self.cause = cause
        self.details = details
        self.findings = findings
    }
}
