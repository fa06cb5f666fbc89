import SparringContract

/// The vendors of a process, in the order in which their tenants are configured.
public struct Vendors: Sendable {
    public let all: [VendorEntry]

    public subscript(_ name: String) -> VendorEntry? { all.first { $0.name == name } }

    /// Whether anything that a vendor schedules is journalled under this name, `vendor.kind`.
    package func hasDueWork(named name: String) -> Bool {
        all.contains { name.hasPrefix($0.name + ".") && $0.vendor.dueHandler(of: String(name.dropFirst($0.name.count + 1))) != nil }
    }
}
