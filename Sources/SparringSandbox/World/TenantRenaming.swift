import GRDB
import SparringJSON

/// Gives what a fork has from its sandbox the names by which clients reach the fork's own tenants: where a whole value, or a whole segment of a URL, is an old one.
/// A token that was signed with an old id in it stays as it is, so that it is refused.
struct TenantRenaming {
    typealias Names = [(old: String, new: String)]

    /// The names of tenants, by vendor: a tenant's id, and what else it may be called by.
    let names: [String: Names]
    /// New names of devices' apps by their old ones: such a name, or the vendor and one, as in `cxone-1386`.
    private let apps: [String: String]

    init(names: [String: Names]) {
        self.names = names
        let pairs = names.flatMap { vendor, names in
            names.flatMap { [($0.old, $0.new), ("\(vendor)-\($0.old)", "\(vendor)-\($0.new)")] }
        }
        apps = Dictionary(pairs, uniquingKeysWith: { first, _ in first })
    }

    /// A tenant's configuration may name the others', such as the issuer whose tokens it takes.
    func renamed(_ configuration: JSON) -> JSON { names.values.reduce(configuration) { Self.renamed($0, $1) } }

    /// A row of a vendor's own table, or of a device.
    func renamed(_ value: DatabaseValue, in table: String) -> DatabaseValue {
        if table == DeviceInbox.deviceTable, case .string(let text) = value.storage { return apps[text]?.databaseValue ?? value }
        guard let names = names.first(where: { table.hasPrefix($0.key + "_") })?.value, case .string(let text) = value.storage else {
            return value
        }
        guard text.first == "{" || text.first == "[" else { return Self.renamed(text, names).databaseValue }
        guard let json = try? JSON(parsing: text) else { return value }
        return Self.renamed(json, names).text.databaseValue
    }

    private static func renamed(_ json: JSON, _ names: Names) -> JSON {
        switch json {
        case .string(let text): return .string(renamed(text, names))
        case .array(let items): return .array(items.map { renamed($0, names) })
        case .object(let members):
            var out = JSON.Object()
            for (name, value) in members { out[name] = renamed(value, names) }
            return .object(out)
        default: return json
        }
    }

    private static func renamed(_ text: String, _ names: Names) -> String {
        func new(_ part: some StringProtocol) -> String? { names.first { $0.old == part }?.new }
        if let new = new(text) { return new }
        guard text.contains("/") else { return text }
        return text.split(separator: "/", omittingEmptySubsequences: false).map { new($0) ?? String($0) }.joined(separator: "/")
    }
}
