public import SparringJSON

/// Requests for changes of the set of sandboxes, and the reasons why a change is not made.
extension World {
    /// The settings that are requested for a sandbox; everything is optional.
    public struct SandboxRequest: Sendable {
        public var name: String?
        /// The name of the test that it is made for, shown in reports.
        public var label: String?
        public var seed: Int64?
        /// The seed of tenants' ids that are not given; nil: ``seed``. With the same one, one client configuration fits many scenarios.
        public var idSeed: Int64?
        public var clock: JSON?
        public var tenants: JSON.Object = [:]
        public var faults: [JSON] = []
        /// Faults that were given when the sandbox was made, and are not in force while a scenario is played in it.
        package var kept: [JSON] = []
        /// Values of policies by which clients are judged here (contracts/*.behaviour.yaml); kept with the sandbox.
        public var policies: JSON.Object = [:]

        /// The variation of what clients are sent; nil: none.
        public var vary: JSON?

        /// Nil: it lives until it is deleted.
        package var lifetime: Lifetime?

        public init() {}
    }

    /// Why a sandbox was not created or changed.
    public enum ChangeError: Error, Sendable, CustomStringConvertible {
        case exists(String)
        case tenantTaken(vendor: String, id: String, by: String)
        case invalid(ConfigurationError)
        case fault(JSONPointer, FaultRefused)

        public var description: String {
            switch self {
            case .exists(let name): "the sandbox '\(name)' already exists"
            case .tenantTaken(let vendor, let id, let by):
                "the \(vendor) tenant '\(id)' belongs to sandbox '\(by)'; leave its id out, and each sandbox gets one of its own"
            case .invalid(let error): error.description
            case .fault(let pointer, let error): "\(pointer.words): \(error)"
            }
        }
    }
}
