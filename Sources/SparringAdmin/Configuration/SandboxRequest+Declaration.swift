import SparringJSON
import SparringSandbox

extension World.SandboxRequest {
    static let members = ["seed", "clock", "tenants", "faults", "policies", "vary"]

    /// Reads a sandbox's declaration in a file; its name is read by the caller, who knows whether there may be one.
    init(_ declaration: Declaration) throws(ConfigurationError) {
        self.init()
        if let seed = declaration.json["seed"] {
            guard let number = seed.integer, number >= 0 else {
                throw declaration.error("seed", "'seed' must be a whole number, 0 or more")
            }
            self.seed = number
        }
        clock = declaration.json["clock"]
        if let tenants = declaration.json["tenants"] {
            guard let object = tenants.object else {
                throw declaration.error("tenants", "'tenants' must be a mapping from vendor to its configuration")
            }
            self.tenants = object
        }
        faults = try declaration.list("faults")
        if let policies = declaration.json["policies"] {
            guard let object = policies.object else {
                throw declaration.error("policies", "'policies' must be a mapping from a policy's name to its value")
            }
            self.policies = object
        }
        vary = declaration.json["vary"]
    }
}
