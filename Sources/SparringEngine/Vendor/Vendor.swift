public import GRDB
public import SparringContract
public import SparringJSON
public import SparringJournal
public import SparringSandbox

/// The behaviour of one emulated party. Its contract describes the interface; a vendor only has handlers, tables and the reading of its
/// tenants' configuration.
public protocol Vendor: Sendable {
    /// Raw values are the contract's operationIds; contract and enum are held against each other at start.
    associatedtype Operation: RawRepresentable & CaseIterable & Sendable where Operation.RawValue == String
    /// The vendor's additions to the admin API; raw values are the operationIds of its `*.admin.openapi.yaml`.
    associatedtype AdminOperation: RawRepresentable & CaseIterable & Sendable = NoOperation where AdminOperation.RawValue == String
    /// A tenant's configuration as the handlers want it; a class where it has many members, since a struct would be copied for each look.
    associatedtype Settings: Sendable

    /// The name in the contract's file name: `<name>.openapi.yaml`.
    var name: String { get }
    /// The member of a tenant's configuration that is its id, such as `accountId`.
    var tenantKey: String { get }

    /// Adds the vendor's tables, named after it, in numbered migrations.
    func registerMigrations(in migrator: inout DatabaseMigrator)

    /// Adds to what was given for a tenant what depends on which tenant it is: ids, keys, the sandbox's own identity provider. A member that was given stays.
    /// Constants are the defaults of `contracts/<vendor>.tenant.schema.yaml`, by which the whole is checked and completed.
    func complete(_ given: JSON, for context: TenantContext) throws(ConfigurationError) -> JSON

    /// Reads a complete configuration, refusing what cannot be used.
    func settings(_ configuration: JSON) throws(ConfigurationError) -> Settings

    /// The settings that a client needs to reach the tenant, secrets of the mock included.
    func published(_ configuration: JSON, _ settings: Settings, addresses: Addresses) -> JSON

    func handler(of operation: Operation) -> Handler

    /// The handler of due work of a kind that the vendor scheduled (`Sandbox.schedule(_:_:)`); nil for a kind that it never
    /// schedules.
    func dueHandler(of kind: String) -> DueHandler?

    func adminHandler(of operation: AdminOperation) -> AdminHandler

    /// The people who have ever signed in at the tenant: JSON as the admin API lists consumers.
    func consumers(of tenant: Tenant, in sandbox: Sandbox, _ db: Database) throws -> [JSON]

    /// The tenant's conversations, oldest first: JSON as the admin API lists conversations; nil where nobody is called as `consumer` says.
    ///
    /// - Parameters:
    ///   - tenant: whose.
    ///   - consumer: a name or id; nil: anybody's.
    ///   - state: OPEN or CLOSE; nil: any.
    ///   - db: read from.
    func conversations(of tenant: Tenant, consumer: String?, state: String?, _ db: Database) throws -> [JSON]?

    /// The registrations for the vendor's pushes on a device: JSON as the admin API lists them.
    func registrations(on device: String, of tenant: Tenant, _ db: Database) throws -> [JSON]

    /// The vendor's key that signed a token (RFC 7515 §5.2) or can decrypt it (RFC 7516 §5.2), for somebody who looks at it; nil: none.
    func look(at token: String, _ configuration: JSON, _ settings: Settings) -> TokenLook?

    /// How a refusal looks on the wire. What is returned has the refusal's name.
    func render(_ refusal: Refusal, for call: Call) -> Answer

    /// A timer of an open socket has come due (`Socket.setTimer(_:at:)`).
    func timer(_ name: String, of socket: Socket, _ occasion: Occasion, _ db: Database) throws

    /// The answer to a message that is not one of the channel's, where the contract has it answered (`x-misunderstood`).
    func misunderstood(_ message: [UInt8], on socket: Socket, _ example: JSON) -> JSON

    /// Words to add to the finding for a message that does not fit its channel; nil: the engine's own words suffice.
    func remark(on message: [UInt8], to socket: Socket) -> String?

    /// A socket has ended, no matter which side ended it; nothing can be sent to it any more.
    func closed(_ socket: Socket, _ occasion: Occasion, _ db: Database) throws
}

extension Vendor {
    /// The tenant's id.
    public func complete(_ given: JSON, for context: TenantContext) throws(ConfigurationError) -> JSON {
        given.filled([tenantKey: .string(context.id)])
    }

    public func registerMigrations(in migrator: inout DatabaseMigrator) {}
    public func dueHandler(of kind: String) -> DueHandler? { nil }

    public func consumers(of tenant: Tenant, in sandbox: Sandbox, _ db: Database) throws -> [JSON] { [] }
    public func conversations(of tenant: Tenant, consumer: String?, state: String?, _ db: Database) throws -> [JSON]? { nil }
    public func registrations(on device: String, of tenant: Tenant, _ db: Database) throws -> [JSON] { [] }

    public func look(at token: String, _ configuration: JSON, _ settings: Settings) -> TokenLook? { nil }

    public func timer(_ name: String, of socket: Socket, _ occasion: Occasion, _ db: Database) throws {}
    public func closed(_ socket: Socket, _ occasion: Occasion, _ db: Database) throws {}
    /// The contract's example.
    public func misunderstood(_ message: [UInt8], on socket: Socket, _ example: JSON) -> JSON { example }
    public func remark(on message: [UInt8], to socket: Socket) -> String? { nil }

    /// The contract's example for the refusal.
    public func render(_ refusal: Refusal, for call: Call) -> Answer {
        Answer(refusal.name, body: call.operation.answer(refusal.name)?.example.map { .json($0) } ?? .none)
    }
}

extension Vendor where Settings: Decodable {
    public func settings(_ configuration: JSON) throws(ConfigurationError) -> Settings { try configuration.decoded() }
}

extension Vendor where AdminOperation == NoOperation {
    public func adminHandler(of operation: NoOperation) -> AdminHandler {
        .read { _, _ in throw ToolError("there is no such operation") }
    }
}

/// A vendor that issues the brand's credentials: others learn about it, and the admin API can mint with it.
public protocol CredentialIssuer: Vendor {
    /// The facts that parties which trust this issuer must know.
    func facts(_ configuration: JSON, _ settings: Settings) -> IdentityProviderFacts

    /// Mints a credential for `POST …/credentials`. May write, as the issuing of a code does.
    func mint(_ request: JSON, for tenant: Tenant, _ minting: Minting, _ db: Database) throws -> JSON

    /// Replaces the signing key and returns the changed configuration.
    func rotateKeys(_ configuration: JSON) throws -> JSON
}

/// A vendor's knowledge of a token.
public struct TokenLook: Sendable {
    /// The key, as in `signed with key brand-rs256-1 of identity`.
    public var key: String
    /// The content that was encrypted; nil for a token that is only signed.
    public var content: String?

    public init(key: String, content: String? = nil) { (self.key, self.content) = (key, content) }
}

/// The context in which the admin API mints a credential.
public struct Minting: Sendable {
    public var now: Timestamp
    public var addresses: Addresses
    public var contract: Contract
    public var sandbox: Sandbox
    /// The number of this call in the subject's lane, for the draws.
    public var ordinal: Int

    package init(now: Timestamp, addresses: Addresses, contract: Contract, sandbox: Sandbox, ordinal: Int) {
        (self.now, self.addresses, self.contract) = (now, addresses, contract)
        (self.sandbox, self.ordinal) = (sandbox, ordinal)
    }
}
