public import SparringContract
public import SparringEngine
public import SparringSandbox

/// The settings of a server.
public struct ServerOptions: Sendable {
    public var engine = EngineOptions()
    public var version = "0"
    /// The folder of the `*.openapi.yaml` files.
    public var contracts = "contracts"
    /// Changes of those files.
    public var overlays: [Overlay] = []
    /// The vendors that are started; nil: all that have a contract.
    public var vendors: Set<String>?
    /// Files that need not be checked again; nil: all are checked.
    public var checked: CheckedFiles?
    /// The folder of the `*.yaml` and `*.yml` files of the scenarios that have names; nil: none has.
    public var scenarios: String?
    /// The folder of the live page's files; nil: browsers get no page.
    public var page: String?
    /// The sightings of the vendors by probes.
    package var live = LiveFidelity()
    /// How long sandboxes live that are made over the admin API.
    package var lifetimes = LifetimeLimits()
    /// Needed with every call of the admin API; nil: none is.
    public var adminToken: String?
    /// PEM of the local certificate authority; nil where TLS is off.
    public var certificateAuthority: String?
    /// Called before a sandbox is deleted or reset over the admin API, and waited for: the last look at what happened in it.
    public var willForget: (@Sendable (Sandbox) async -> Void)?

    public init() {}
}
