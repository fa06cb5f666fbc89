public import GRDB
public import SparringJSON
public import SparringSandbox

/// The implementation of one of a vendor's admin operations.
public struct AdminHandler: Sendable {
    package enum Kind: Sendable {
        case read(@Sendable (Database, AdminRequest) throws -> Answer)
        case act(
            lane: @Sendable (Database, AdminRequest) throws -> String,
            perform: @Sendable (Database, AdminRequest, Occasion) throws -> Answer)
    }

    package let kind: Kind
    /// It makes something happen.
    package var isAct: Bool { if case .act = kind { true } else { false } }
    package let check: @Sendable (JSON) throws(ConfigurationError) -> Void

    /// Shows what has been committed.
    ///
    /// - Parameter show: throws ``AdminProblem`` where there is nothing to show.
    public static func read(_ show: @escaping @Sendable (Database, AdminRequest) throws -> Answer) -> AdminHandler {
        AdminHandler(kind: .read(show)) { (_: JSON) throws(ConfigurationError) in }
    }

    /// Makes something happen in the vendor's world. It is journalled with the answer's cause as its cause, and what it has for sockets is sent
    /// after the commit.
    ///
    /// - Parameters:
    ///   - check: refuses a body that can never be acted on, when a scenario is loaded and before anything else is done.
    ///   - lane: whose doing it counts as, such as a consumer's name; reads what has been committed.
    ///   - perform: in a savepoint. Throws `ConfigurationError` with the body's pointer where the request cannot be followed, and ``Refusal``
    ///     where the vendor says no; nothing is changed then.
    public static func act(
        checking check: @escaping @Sendable (JSON) throws(ConfigurationError) -> Void = { (_: JSON) throws(ConfigurationError) in },
        in lane: @escaping @Sendable (Database, AdminRequest) throws -> String,
        _ perform: @escaping @Sendable (Database, AdminRequest, Occasion) throws -> Answer
    ) -> AdminHandler {
        AdminHandler(kind: .act(lane: lane, perform: perform), check: check)
    }
}

/// The admin operations of a vendor that has none.
public struct NoOperation: RawRepresentable, CaseIterable, Sendable {
    public static let allCases: [NoOperation] = []
    public let rawValue: String
    public init?(rawValue: String) { return nil }
}
