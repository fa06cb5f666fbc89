/// How much of the contracts was met.
extension SuitePage {
    var coverage: Markup {
        guard let coverage = suite.coverage else { return .none }
        let shares: [Markup] = Coverage.Axis.allCases.map { axis in
            let share = coverage.share(axis)
            return "<div><dt>\(axis.rawValue)</dt><dd>\(share.met) of \(share.all) (\(share.percent))</dd></div>"
        }
        let facts: [Markup] = [
            "<div><dt>faults’ effects</dt><dd>\(coverage.effects.isEmpty ? "none" : coverage.effects.joined(separator: ", "))</dd></div>",
            "<div><dt>close codes</dt><dd>\(coverage.closeCodes.isEmpty ? "none" : coverage.closeCodes.map(String.init).joined(separator: ", "))</dd></div>",
        ]
        let complaints: [Markup] = suite.shortfalls.map { "<li class=\"fail\">\($0)</li>" }
        let list: Markup = complaints.isEmpty ? .none : "<ul class=\"evidence\">\(complaints)</ul>"
        let columns: [Markup] = ["state", "operation", "calls", "not met, not sent"].map { "<th scope=\"col\">\($0)</th>" }
        let rows: [Markup] = coverage.rows.map { row in
            "<tr><td>\(row.state.rawValue)</td><td>\(row.name)</td><td>\(row.calls)</td><td class=\"wide\">\(row.lack)</td></tr>\n"
        }
        let extra: [Markup] = coverage.extra.map { "<tr><td>extra</td><td>\($0.name)</td><td>\($0.count)</td><td></td></tr>\n" }
        return """
            <section>
            <h2>Coverage of the contracts</h2>
            \(list)<dl>\(shares + facts)</dl>
            <details class="quiet"><summary>All operations</summary>
            <div class="scroll" tabindex="0" role="region" aria-label="Coverage of operations"><table class="rules">
            <thead><tr>\(columns)</tr></thead>
            <tbody>\(rows + extra)</tbody>
            </table></div></details>
            </section>

            """
    }
}
