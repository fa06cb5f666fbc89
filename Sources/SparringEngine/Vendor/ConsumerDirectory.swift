public import GRDB
public import SparringJSON

/// A vendor that knows its tenants' consumers: the admin API shows them, and can have one signed out.
public protocol ConsumerDirectory: Vendor {
    /// Who has ever signed in: JSON as in the admin API's contract.
    func consumers(of tenant: Tenant, in sandbox: Sandbox, _ db: Database) throws -> [JSON]

    /// Signs out whom `POST …/sign-outs` names; inside a savepoint.
    ///
    /// - Returns: what was done, in words.
    /// - Throws: ``ConfigurationError`` with the request's pointer.
    func signOut(_ request: JSON, _ intervention: Intervention, _ db: Database) throws -> [String]
}
