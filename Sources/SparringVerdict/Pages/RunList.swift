/// The run as a list: what the drawing tells by a pointer, for touch, keyboards, screen readers and paper.
struct RunList {
    private static let limit = 400
    private let section: ReportSection
    private var report: VerdictReport { section.report }

    init(_ section: ReportSection) { self.section = section }

    var markup: Markup {
        let items = report.timeline.prefix(Self.limit)
        let rows: [Markup] = items.map { item in
            let took = item.end - item.begin >= 0.001 ? (item.end - item.begin).seconds : ""
            let faults = item.faults.map { "#\($0)" }.joined(separator: " ")
            let what = item.isUpright || item.kind == .mark ? "\(item.kind.rawValue): \(item.what)" : item.what
            return """
                <tr><td>\(section.entry(item.entry))</td><td>\(item.begin.span)</td><td>\(item.lane)</td><td class="wide">\(what)</td>\
                <td>\(item.outcome ?? (item.kind == .lost ? "no answer" : ""))</td><td>\(took)</td><td>\(faults)</td></tr>

                """
        }
        let columns = ["entry", "at", "lane", "what", "answer", "took", "faults"]
        let count = report.timeline.count
        let title = count > Self.limit ? "The first \(Self.limit) as a list" : "As a list"
        return """
            <details class="quiet"><summary>\(title)</summary>
            \(.table("The run as a list: \(report.sandbox)", columns, rows))</details>
            """
    }
}
