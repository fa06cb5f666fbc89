import GRDB
import SparringEngine
import SparringJSON
import SparringSandbox

/// A vendor of the tests whose tenants have an id and nothing else.
protocol PlainVendor: Vendor where Settings == NoSettings {}

struct NoSettings: Sendable {}

extension PlainVendor {
    func registerMigrations(in migrator: inout DatabaseMigrator) {}

    func complete(_ given: JSON, for context: TenantContext) throws(ConfigurationError) -> JSON {
        var complete = given
        complete[tenantKey] = .string(context.id)
        return complete
    }

    func settings(_ configuration: JSON) throws(ConfigurationError) -> NoSettings { NoSettings() }
    func published(_ configuration: JSON, _ settings: NoSettings, addresses: Addresses) -> JSON { configuration }
}
