import SparringContract

/// The vendors of a process, in the order in which their tenants are configured.
public struct Vendors: Sendable {
    public let all: [VendorEntry]
    private let byName: [String: VendorEntry]

    init(_ all: [VendorEntry]) {
        self.all = all
        byName = Dictionary(uniqueKeysWithValues: all.map { ($0.name, $0) })
    }

    public subscript(_ name: String) -> VendorEntry? { byName[name] }

    /// Whether anything that a vendor schedules is journalled under this name, `vendor.kind`.
    package func hasDueWork(named name: String) -> Bool {
        guard let dot = name.firstIndex(of: "."), let entry = byName[String(name[..<dot])] else { return false }
        return entry.vendor.dueHandler(of: String(name[name.index(after: dot)...])) != nil
    }
}
