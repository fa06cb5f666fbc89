import SparringJSON
import SparringJournal

/// A journal entry as people read it: a line of what happened, and below it why.
enum EntryText {
    private static let indentation = String(repeating: " ", count: 8)

    static func text(_ entry: JSON) -> String {
        let kind = entry["kind"]?.string ?? ""
        let findings = (entry["findings"]?.array ?? []).map { printable($0["words"]?.string ?? $0.text) }
        var cause = entry["cause"]?.string.map(printable)
        // The cause of a refusal for a malformed request repeats the findings.
        if entry["causeCode"] == "malformed", !findings.isEmpty { cause = nil }

        var head = [Table.indented(entry.plain("number"), 6), entry["sandboxTime"]?.string ?? "", Table.padded(kind, 8)]
        if let operation = entry["operation"]?.string { head.append(operation) }
        if let happened = happened(entry) {
            head.append(happened)
        } else if let only = cause {
            head.append(only)
            cause = nil
        }
        var lines = [head.joined(separator: "  ")]
        if let cause { lines.append(cause) }
        if kind == "mark" {
            let lane = entry["lane"]?.string.map { "of \($0): " } ?? "of nobody: "
            lines.append(printable(lane + (entry["details"]?.text ?? "")))
        }
        if let origin = entry["causedBy"] { lines.append(Terminal.styled("called by \(caller(origin))", .dim)) }
        lines += findings.map { Terminal.styled("finding: \($0)", .red) }
        let faults = (entry["faults"]?.array ?? []).map(\.text)
        if !faults.isEmpty, kind != "fault", faults.count > 1 || entry["causeCode"] != "fault" {
            lines.append(Terminal.styled((faults.count == 1 ? "fault " : "faults ") + faults.joined(separator: ", ") + " struck", .yellow))
        }
        lines += (entry["varied"]?.array ?? []).map { Terminal.styled("varied: " + words(ofVariation: $0), .yellow) }
        return lines.joined(separator: "\n" + indentation)
    }

    /// `V5 /body/closeReason: 'AGENT' → 'SPARRING_7F3'`
    static func words(ofVariation variation: JSON) -> String {
        let family = JournalEntry.Variation.family(of: variation)
        return printable(
            [family, variation["place"]?.string].compactMap(\.self).joined(separator: " ") + ": " + (variation["words"]?.string ?? ""))
    }

    /// The printable text without JWTs, which may identify somebody: a device token can be one.
    private static func printable(_ text: String) -> String { Terminal.printable(Redaction.withoutTokens(text)) }

    /// Request and answer; nil for an entry that is neither.
    private static func happened(_ entry: JSON) -> String? {
        guard let request = entry["request"] else { return entry["answer"].map(answered) }
        let method = request["method"]?.string ?? ""
        let text = Terminal.printable("\(method) \(shortened(request["target"]?.string ?? ""))")
        return text + " → " + (entry["answer"].map(answered) ?? Terminal.styled("no answer", .red))
    }

    private static func answered(_ answer: JSON) -> String {
        let words = words(ofAnswer: answer)
        let style = words.isEmpty ? .red : Terminal.Style(status: answer["status"]?.integer ?? 0)
        let delivery = answer["delivery"]?.string.map { " (\(Terminal.printable($0)))" } ?? ""
        return Terminal.styled(words.isEmpty ? "no answer" : Terminal.printable(words), style) + delivery
    }

    /// `503 unavailable`; empty for an answer without status and name.
    static func words(ofAnswer answer: JSON) -> String {
        [answer["status"]?.integer.map { String($0) }, answer["name"]?.string].compactMap(\.self).joined(separator: " ")
    }

    private static func caller(_ origin: JSON) -> String {
        "\(origin["operation"]?.string ?? "?"), lane \(printable(origin["lane"]?.string ?? "?")), call \(origin["ordinal"]?.text ?? "?")"
    }

    /// Tokens and codes make targets long; `journal show` has them whole.
    private static func shortened(_ target: String) -> String { target.count > 72 ? target.prefix(71) + "…" : target }
}
