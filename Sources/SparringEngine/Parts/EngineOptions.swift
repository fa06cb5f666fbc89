package import GRDB
public import SparringSandbox

/// How an engine keeps its state, whether its vendors may call other servers, and where its notices go.
public struct EngineOptions: Sendable {
    /// Nil: a private file that is removed at the end.
    public var database: String?
    /// The name of this server among several; nil: it is the only one.
    public var node: Node?
    public var durability = Store.Durability.process
    /// The limits of what a sandbox's journal keeps.
    public var journal = JournalLimits()
    /// Limits of what the server takes on.
    public var limits = ServerLimits()
    /// Whether vendors may call servers other than this one. Where not, each such call fails at once: for a process whose inputs name any host.
    public var callsAbroad = true
    /// Whether all that the contract does not allow is refused, also what the vendor lets through.
    public var isStrict = false
    /// Calls that go to the vendors' own servers; nil: none do.
    package var relay: RelayOptions?
    /// Called with each notice for the operator, such as that all connections are in use.
    public var notice: @Sendable (String) -> Void = { _ in }
    /// Called with each connection to the database, before it is used.
    package var prepareDatabase: (@Sendable (Database) -> Void)?

    public init() {}
}
