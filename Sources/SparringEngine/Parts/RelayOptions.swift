package import SparringClient

/// The calls that are passed on, with their destinations.
package struct RelayOptions: Sendable {
    package var targets: VendorTargets
    /// Nil: the machine's own list of authorities.
    package var tls: ClientTLS?
    /// Calls that no operation fits go to the vendor too.
    package var passesUnknown = false

    package init(targets: VendorTargets, tls: ClientTLS? = nil) { (self.targets, self.tls) = (targets, tls) }
}
