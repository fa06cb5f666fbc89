import SparringJSON

/// A sandbox as people read it.
enum SandboxText {
    static func whole(_ sandbox: JSON) -> String {
        var head = Table()
        head.add("sandbox", sandbox["id"]?.string ?? "")
        if let label = sandbox["label"]?.string { head.add("label", label) }
        head.add("seed", sandbox["seed"]?.text ?? "")
        if let node = sandbox["node"]?.string { head.add("node", node) }
        if let ends = sandbox["ends"]?.string { head.add("ends", "\(ends), unless it is used before") }
        if let scenario = sandbox["scenario"]?.string { head.add("scenario", scenario) }
        head.add("clock", ClockText.line(sandbox["clock"]))
        head.add("base URL", sandbox["baseURL"]?.string ?? "")
        if let tls = sandbox["tlsBaseURL"]?.string { head.add("with TLS", tls) }
        return head.text + "\n\n" + settings(sandbox["tenants"]?.object ?? [:])
    }

    /// The settings of each vendor's tenant.
    static func settings(_ tenants: JSON.Object) -> String {
        let rows = tenants.flatMap { vendor, tenant in
            let settings = (tenant.object ?? [:]).filter { !$0.value.isNull }
            return settings.enumerated().map { [$0.offset == 0 ? vendor : "", $0.element.key, shown($0.element.value)] }
        }
        return Table.text("vendor", "setting", "value", of: rows) { $0 }
    }

    /// Keys and the like are left to `--json`.
    private static func shown(_ value: JSON) -> String {
        let text = value.strings(joinedBy: ", ") ?? value.text
        guard text.contains("\n") || text.count > 160 else { return text }
        let line = text.prefix { $0 != "\n" }.prefix(72)
        return line + "… (--json shows all of it)"
    }
}
