package import SparringClient
package import SparringJSON

/// The calls that are passed on, with their destinations.
package struct RelayOptions: Sendable {
    package var targets: VendorTargets
    /// Nil: the machine's own list of authorities.
    package var tls: ClientTLS?
    /// Calls that no operation fits go to the vendor too.
    package var passesUnknown = false
    /// Does at the vendor what agents and others do there; nil: nobody does.
    package var act: (@Sendable (Act) async throws -> JSON)?

    /// Something that is asked for over the admin API, and that is done at the vendor.
    package struct Act: Sendable {
        package let vendor: String
        /// Such as `POST`.
        package let method: String
        /// With its query, below the sandbox, such as `liveperson/agent/say`.
        package let path: String
        package let body: JSON

        package init(vendor: String, method: String, path: String, body: JSON) {
            (self.vendor, self.method, self.path, self.body) = (vendor, method, path, body)
        }
    }

    package init(targets: VendorTargets, tls: ClientTLS? = nil) { (self.targets, self.tls) = (targets, tls) }
}
