/// How much of the contracts was met.
extension SuitePage {
    var coverage: Markup {
        guard let coverage = suite.coverage else { return .none }
        let shares = Coverage.Axis.allCases.map { axis in
            let share = coverage.share(axis)
            return (axis.rawValue, "\(share.met) of \(share.all) (\(share.percent))")
        }
        let codes = coverage.closeCodes.map(String.init)
        let varied = coverage.variedByFamily.map { "\($0.family) at \($0.operations.count) operations" }
        let facts = [("faults’ effects", coverage.effects), ("close codes", codes), ("variations", varied)].map {
            ($0, $1.isEmpty ? "none" : $1.joined(separator: ", "))
        }
        let complaints: [Markup] = suite.shortfalls.map { "<li class=\"fail\">\($0)</li>" }
        let list: Markup = complaints.isEmpty ? .none : "<ul class=\"evidence\">\(complaints)</ul>"
        let rows: [Markup] = coverage.rows.map { row in
            "<tr><td>\(row.state.rawValue)</td><td>\(row.name)\(row.isStub ? " (stub)" : "")</td><td>\(row.calls)</td><td class=\"wide\">\(row.lack)</td></tr>\n"
        }
        let extra: [Markup] = coverage.extra.map { "<tr><td>extra</td><td>\($0.name)</td><td>\($0.count)</td><td></td></tr>\n" }
        return """
            <section>
            <h2>Coverage of the contracts</h2>
            \(list)<dl>\(Markup.terms(shares + facts))</dl>
            <details class="quiet"><summary>All operations</summary>
            \(.table("Coverage of operations", ["state", "operation", "calls", "not met, not sent"], rows + extra))</details>
            </section>

            """
    }
}
