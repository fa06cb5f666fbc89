package import GRDB
package import SparringEngine
package import SparringJSON
package import SparringSandbox

/// A vendor of the tests whose tenants have an id and nothing else.
package protocol PlainVendor: Vendor where Settings == NoSettings {}

package struct NoSettings: Sendable {}

extension PlainVendor {
    package func registerMigrations(in migrator: inout DatabaseMigrator) {}

    package func complete(_ given: JSON, for context: TenantContext) throws(ConfigurationError) -> JSON {
        var complete = given
        complete[tenantKey] = .string(context.id)
        return complete
    }

    package func settings(_ configuration: JSON) throws(ConfigurationError) -> NoSettings { NoSettings() }
    package func published(_ configuration: JSON, _ settings: NoSettings, addresses: Addresses) -> JSON { configuration }
}
