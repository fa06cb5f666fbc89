import SparringAdmin
import SparringJSON
import SparringJournal
import SparringTokens

/// The request and the answer in full: heads, bodies as people read them, and the contents of tokens.
enum ExchangeText {
    private static let indentation = String(repeating: " ", count: 8)

    /// Empty for an entry that is neither a call nor an answer.
    static func lines(_ entry: JSON) -> [String] {
        var lines: [String] = []
        if let request = entry["request"] {
            lines.append(half(">", "\(request["method"]?.string ?? "") \(request["target"]?.string ?? "")", request))
        }
        if let answer = entry["answer"] { lines.append(half("<", EntryText.words(ofAnswer: answer), answer)) }
        return lines.map { Self.indented($0) } + tokens(entry).map { Self.indented($0) }
    }

    private static func half(_ sign: String, _ head: String, _ half: JSON) -> String {
        let fields = (half["headers"]?.object ?? [:]).map { "\($0.key): \($0.value.string ?? "")" }
        var lines = ([head] + fields).map(Terminal.printable)
        let body = half["body"]?.string ?? half["bodyHex"]?.string ?? ""
        if !body.isEmpty {
            let shown = (try? JSON(parsing: body)).map { $0.object != nil || $0.array != nil ? $0.prettyText : body } ?? body
            lines.append("")
            lines += shown.split(separator: "\n", omittingEmptySubsequences: false).map { Terminal.printable(String($0)) }
        }
        return lines.map { Terminal.styled(sign, .dim) + ($0.isEmpty ? "" : " " + $0) }.joined(separator: "\n")
    }

    /// Each JWT once, with its header and claims. Nothing is verified here.
    private static func tokens(_ entry: JSON) -> [String] {
        EntryTokens(entry).all.compactMap { _, text in
            guard let token = try? JWS(parsing: text) else { return nil }
            return Terminal.styled("token \(text.prefix(16))…", .bold) + " " + token.header.text + "\n" + token.payload.prettyText
        }
    }

    private static func indented(_ text: String) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false).map { indentation + $0 }.joined(separator: "\n")
    }
}
