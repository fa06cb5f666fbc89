package import GRDB
package import SparringEngine
package import SparringJSON

/// A vendor of the tests whose tenants have an id and nothing else.
package protocol PlainVendor: Vendor where Settings == NoSettings {}

package struct NoSettings: Decodable, Sendable {}

extension PlainVendor {
    package func registerMigrations(in migrator: inout DatabaseMigrator) {}

    package func published(_ configuration: JSON, _ settings: NoSettings, addresses: Addresses) -> JSON { configuration }
}
