public import GRDB
public import SparringEngine
public import SparringJSON
public import SparringSandbox

/// A vendor whose agents a test or a script plays. It states what its conversations are; reading the admin API's requests, playing scripts and making
/// lists is the same for all.
public protocol Desk: Vendor
where Settings: DeskSettings, Settings == Hand.Settings, AdminOperation == DeskOperation<Hand.Act, OwnOperation> {
    associatedtype Hand: DeskHand
    associatedtype Consumer: DeskConsumer
    /// The admin operations that the vendor adds to its agents' acts.
    associatedtype OwnOperation: RawRepresentable<String> & CaseIterable & Sendable = NoOperation
    typealias Conversation = Hand.Conversation
    /// The consumer, the conversation and the agent that a request of the admin API means.
    typealias Aim = DeskAim<Self>

    /// The vendor's word for a tenant, such as `brand`.
    static var tenantNoun: String { get }

    func adminHandler(of operation: OwnOperation) -> AdminHandler

    // MARK: Who and what there is

    /// All who have come, the first first.
    func consumers(of tenant: Tenant, _ db: Database) throws -> [Consumer]
    /// The consumer with this name at the brand, or this id at the vendor; of several, the one who came last.
    func consumer(called name: String, of tenant: Tenant, _ db: Database) throws -> Consumer?
    /// All, the oldest first.
    func conversations(of tenant: Tenant, _ db: Database) throws -> [Conversation]
    func conversation(_ id: String, of tenant: Tenant, _ db: Database) throws -> Conversation?
    /// The one that an act of an agent is for when it names none; nil: there is none.
    ///
    /// - Parameter all: the named consumer's, the oldest first.
    func current(among all: [Conversation]) -> Conversation?
    /// The one that it is for when it names no consumer either; nil: it must name one.
    ///
    /// - Parameter all: the tenant's, the oldest first.
    func meant(among all: [Conversation]) -> Conversation?

    // MARK: Acting

    /// The lane in which an agent's acts for a consumer count.
    func lane(of consumer: Consumer, of tenant: Tenant, _ db: Database) throws -> String
    /// Refuses an act for what its schema cannot say of it.
    func check(_ act: DeskAct<Hand.Act>, at pointer: JSONPointer) throws(ConfigurationError)
    /// The parts of an act that its contract does not know and lets through, in words.
    func remarks(on act: DeskAct<Hand.Act>) -> [String]
    /// - Throws: `Refusal` where nothing can be done in the conversation any more.
    func hand(for consumer: Consumer, in conversation: Conversation, _ occasion: Occasion, _ db: Database) throws -> Hand
    /// Performs an act for a consumer without a conversation; nil: the act needs one.
    func begin(
        _ act: DeskAct<Hand.Act>, by agent: Hand.Agent, for consumer: Consumer, _ occasion: Occasion, _ db: Database
    ) throws -> Acted<Conversation>?

    // MARK: Lists

    /// How many sockets of the consumer are open.
    func sockets(of consumer: Consumer, of tenant: Tenant, in sandbox: Sandbox) -> Int
    /// The members of a conversation that the admin API shows beside those that it shows for every vendor.
    func members(of conversation: Conversation, _ consumer: Consumer?, _ tenant: Tenant, _ db: Database) throws -> JSON
    /// The members that it shows besides when a conversation is read: what was said.
    func said(in conversation: Conversation, _ consumer: Consumer?, _ tenant: Tenant, _ db: Database) throws -> JSON
}

extension Desk {
    public func conversation(_ id: String, of tenant: Tenant, _ db: Database) throws -> Conversation? {
        try conversations(of: tenant, db).first { $0.id.isSame(as: id) }
    }

    public func current(among all: [Conversation]) -> Conversation? { all.last { $0.ended == nil } }
    public func meant(among all: [Conversation]) -> Conversation? { nil }
    public func lane(of consumer: Consumer, of tenant: Tenant, _ db: Database) throws -> String { consumer.name }
    public func sockets(of consumer: Consumer, of tenant: Tenant, in sandbox: Sandbox) -> Int { 0 }
    public func remarks(on act: DeskAct<Hand.Act>) -> [String] { [] }
    public func begin(
        _ act: DeskAct<Hand.Act>, by agent: Hand.Agent, for consumer: Consumer, _ occasion: Occasion, _ db: Database
    ) throws -> Acted<Conversation>? { nil }

    public func check(_ act: DeskAct<Hand.Act>, at pointer: JSONPointer) throws(ConfigurationError) {
        try act.kind.check(act.json, at: pointer)
    }
}
