public import SparringJSON
import SparringLocks

/// One party's account in one sandbox: what an unmodified client is configured with leads to it.
public final class Tenant: Sendable {
    public let vendor: String
    public let id: String
    public let sandbox: String
    private let state: Mutex<(configuration: JSON, settings: any Sendable)>

    init(vendor: String, id: String, sandbox: String, configuration: JSON, settings: any Sendable) {
        self.vendor = vendor
        self.id = id
        self.sandbox = sandbox
        state = Mutex((configuration, settings))
    }

    /// As it is stored.
    public var configuration: JSON { state.withLock { $0.configuration } }

    /// The configuration as its vendor's handlers want it.
    package var settings: any Sendable { state.withLock { $0.settings } }

    func change(_ configuration: JSON, _ settings: any Sendable) { state.withLock { $0 = (configuration, settings) } }
}
