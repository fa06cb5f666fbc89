import SparringJSON
import SparringJournal

/// A journal entry in one line that fits the terminal: `04:11:48.702  alice  registerPush  503 unavailable  ⚡1  fault 1 forced it`.
enum EntryLine {
    /// - Parameters:
    ///   - entry: as the admin API sends it.
    ///   - width: of the terminal, in columns.
    ///   - sandbox: its name, where entries of several stand below each other.
    static func text(_ entry: JSON, width: Int, sandbox: String? = nil) -> String {
        var pieces: [(text: String, style: Terminal.Style?)] = [
            (Table.indented(entry.plain("number"), 5) + "  ", .dim), (clock(entry["sandboxTime"]) + "  ", .dim),
        ]
        if let sandbox { pieces.append((column(sandbox, 14), .dim)) }
        let lane = entry["actor"]?.string ?? entry["lane"]?.string ?? ""
        // A call that names nobody has the lane of its operation.
        pieces.append((column(lane == entry["operation"]?.string ? "" : lane, 14), nil))
        pieces.append((column(what(entry), 30), .bold))
        if let answer = entry["answer"] {
            pieces.append((answered(answer) + "  ", Terminal.Style(status: answer["status"]?.integer ?? 500)))
        }
        let faults = (entry["faults"]?.array ?? []).map { "⚡" + $0.text }.joined()
        if !faults.isEmpty { pieces.append((faults + "  ", .yellow)) }
        let varied = JournalEntry.Variation.families(of: entry["varied"]).joined(separator: " ")
        if !varied.isEmpty { pieces.append(("~" + varied + "  ", .yellow)) }
        let findings = (entry["findings"]?.array ?? []).compactMap { $0["words"]?.string }
        for finding in findings { pieces.append((finding + "  ", .red)) }
        if let cause = entry["cause"]?.string, findings.isEmpty || entry["causeCode"] != "malformed" { pieces.append((cause, .dim)) }
        return fitted(pieces.map { (Terminal.printable(Redaction.withoutTokens($0.text)), $0.style) }, width)
    }

    /// A call that matched nothing, in full: it says what to do.
    static func text(unplaced entry: JSON) -> String {
        let call = [entry["method"]?.string, entry["target"]?.string].compactMap { $0 }.filter { !$0.isEmpty }.joined(separator: " ")
        let reason = entry["reason"]?.string ?? ""
        let nearest = entry["nearest"]?.array?.first?.string.map { "; nearest: \($0)" } ?? ""
        let stub = entry["stub"]?.string.map { "; to answer it: \($0)" } ?? ""
        let words = (reason.contains(call) || call.isEmpty ? "" : call + ": ") + reason + nearest + stub
        return Terminal.styled("    –  " + clock(entry["arrival"]?["wall"]), .dim) + "  " + Terminal.styled("unplaced", .yellow) + "  "
            + Terminal.printable(words)
    }

    /// `07:00:00.000` of `2026-11-21T07:00:00.000Z`.
    private static func clock(_ time: JSON?) -> String { String((time?.string ?? "").dropFirst(11).prefix(12)) }

    private static func what(_ entry: JSON) -> String { entry["operation"]?.string ?? entry["kind"]?.string ?? "" }

    private static func answered(_ answer: JSON) -> String {
        let words = EntryText.words(ofAnswer: answer)
        return (words.isEmpty ? "no answer" : words) + (answer["delivery"]?.string.map { " (\($0))" } ?? "")
    }

    private static func column(_ text: String, _ width: Int) -> String {
        let text = text.count > width ? text.prefix(width - 1) + "…" : text
        return Table.padded(text, width) + "  "
    }

    /// Cut off at the terminal's edge, styles not counted.
    private static func fitted(_ pieces: [(text: String, style: Terminal.Style?)], _ width: Int) -> String {
        var left = width
        var line = ""
        for (text, style) in pieces where left > 0 {
            let shown = text.count > left ? String(text.prefix(left - 1)) + "…" : text
            left -= shown.count
            line += style.map { Terminal.styled(shown, $0) } ?? shown
        }
        return line
    }
}
