/// A time as RFC 3339 §5.6 writes it, in spellings that mean the same.
struct SpeltTime {
    let text: String
    private let head: Substring
    /// Digits after the second.
    private let fraction: Substring
    private let offset: Substring

    /// Nil for anything but a date-time in UTC.
    init?(_ text: String) {
        guard let match = text.wholeMatch(of: /(\d{4}-\d{2}-\d{2}[Tt]\d{2}:\d{2}:\d{2})(?:\.(\d+))?([Zz]|\+00:00)/) else { return nil }
        self.text = text
        (head, fraction, offset) = (match.1, match.2 ?? "", match.3)
    }

    /// None is the text itself, the simplest first.
    var spellings: [String] {
        let least = String(fraction.reversed().drop { $0 == "0" }.reversed())
        func spelt(_ digits: Int) -> String? {
            guard digits >= least.count else { return nil }
            let digits = least + String(repeating: "0", count: digits - least.count)
            return head + (digits.isEmpty ? "" : "." + digits)
        }
        let seconds = [0, 3, 6, 9].compactMap(spelt)
        let all = seconds.map { $0 + "Z" } + [text.dropLast(offset.count) + "+00:00"]
        return all.map { String($0) }.filter { $0 != text }
    }
}
