public import GRDB
public import SparringJSON

/// The basis of a sandbox, such as a scenario. Seed and clock of a request replace the template's, tenants are merged, faults added.
public struct SandboxTemplate: Sendable {
    /// Without a name.
    let request: World.SandboxRequest
    /// Kept with the sandbox, for a reset.
    let json: JSON
    /// Writes what comes with the sandbox's making and with each reset, in the transaction of either.
    let begin: @Sendable (Sandbox, Database) throws -> Void

    public init(_ request: World.SandboxRequest, json: JSON, begin: @escaping @Sendable (Sandbox, Database) throws -> Void) {
        self.request = request
        self.json = json
        self.begin = begin
    }
}
