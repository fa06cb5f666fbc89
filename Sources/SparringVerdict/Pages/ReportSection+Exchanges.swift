extension ReportSection {
    /// The requests and answers of the entries that the verdicts name, each folded away.
    var exchanges: Markup {
        guard !report.exchanges.isEmpty else { return .none }
        return part(
            "Requests and answers",
            "<p class=\"muted\">Credentials are hidden, and long bodies are shortened.</p>\n\(report.exchanges.map(exchange))", isGood: true
        )
    }

    private func exchange(_ exchange: ReportedExchange) -> Markup {
        let answer = exchange.answer.map { " → \($0.line)" } ?? ""
        let lane = exchange.lane.map { ", \($0)" } ?? ""
        let why = [exchange.cause].compactMap(\.self) + exchange.effects.map { "fault: \($0)" } + exchange.findings
        return """
            <details class="exchange"><summary><b>entry \(exchange.entry)</b> \(exchange.what)\(answer)<span class="muted">\(lane) \(exchange.time)</span></summary>
            <div class="body" id="\("\(prefix)x\(exchange.entry)")">
            \(.list(why))\(half("Request", exchange.request))\(half("Answer", exchange.answer))</div>
            </details>

            """
    }

    private func half(_ title: String, _ half: ReportedExchange.Half?) -> Markup {
        guard let half else { return .none }
        let head = ([half.line] + half.headers.map { "\($0.name): \($0.value)" }).joined(separator: "\n")
        return "<p class=\"muted\">\(title)</p>\n<pre>\(half.body.isEmpty ? head : head + "\n\n" + half.body)</pre>\n"
    }
}
