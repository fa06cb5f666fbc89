public import GRDB
public import SparringJSON

/// A vendor whose agents a test can play: the admin API has them act in conversations, and shows the conversations.
public protocol AgentHost: Vendor {
    /// Whose conversation the request of `POST …/agent-acts` means: the consumer as the brand calls them.
    ///
    /// - Throws: ``ConfigurationError`` with the request's pointer.
    func consumer(in request: JSON, of tenant: Tenant, _ db: Database) throws -> String

    /// Does what `POST …/agent-acts` asks for; inside a savepoint.
    ///
    /// - Throws: ``ConfigurationError`` with the request's pointer; ``Refusal`` where the vendor says no. Nothing is changed then.
    func act(_ request: JSON, _ intervention: Intervention, _ db: Database) throws -> AgentDeed

    /// Whoever has signed in, as the brand calls them.
    func consumers(in sandbox: String, _ db: Database) throws -> [String]

    /// The tenant's conversations, oldest first; nil where nobody is called as `consumer` says.
    ///
    /// - Parameter state: OPEN or CLOSE; nil: any.
    func conversations(of tenant: Tenant, consumer: String?, state: String?, _ db: Database) throws -> [JSON]?

    /// A conversation with its events in order; nil where the tenant has none of this id.
    func conversation(_ id: String, of tenant: Tenant, _ db: Database) throws -> JSON?
}

/// What an agent has done.
public struct AgentDeed: Sendable {
    public var json: JSON
    /// For the journal.
    public var words: String

    public init(json: JSON, words: String) {
        self.json = json
        self.words = words
    }
}
