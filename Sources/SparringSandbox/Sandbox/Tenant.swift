package import SparringContract
public import SparringJSON
import SparringLocks

/// One party's account in one sandbox: what an unmodified client is configured with leads to it.
public final class Tenant: Sendable {
    public let vendor: String
    public let id: String
    public let sandbox: String
    private let state: Mutex<(configuration: JSON, settings: any Sendable, stubs: DefinedStubs)>

    init(vendor: String, id: String, sandbox: String, configuration: JSON, settings: any Sendable, stubs: DefinedStubs) {
        self.vendor = vendor
        self.id = id
        self.sandbox = sandbox
        state = Mutex((configuration, settings, stubs))
    }

    /// The configuration as it is stored.
    public var configuration: JSON { state.withLock { $0.configuration } }

    /// The configuration as its vendor's handlers want it.
    package var settings: any Sendable { state.withLock { $0.settings } }

    /// The stubs that it has beside its contract.
    package var stubs: DefinedStubs { state.withLock { $0.stubs } }

    /// Its id, and what else calls may name it by.
    package var names: [String] { [id] + ((settings as? any TenantNames)?.names ?? []) }
    /// Names that are canonically equivalent are one to a dictionary; here they differ.
    package func isCalled(_ name: String) -> Bool { id.isSame(as: name) || names.contains { $0.isSame(as: name) } }

    func change(_ configuration: JSON, _ settings: any Sendable, _ stubs: DefinedStubs) {
        state.withLock { $0 = (configuration, settings, stubs) }
    }
}

/// A tenant's settings where calls name the tenant not only by its id, but also by another one, such as that of a client of it. No two tenants of a vendor
/// may have one name.
public protocol TenantNames: Sendable {
    /// Besides the id.
    var names: [String] { get }
}
