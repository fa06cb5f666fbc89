/// A rule's source with a link where it names an RFC (rfc-editor.org).
struct SourceLink {
    private let text: String

    init(_ text: String) { self.text = text }

    /// `RFC 6749 §4.1.2`: the section is optional.
    var markup: Markup {
        var out = Markup.none
        var rest = text[...]
        while let found = rest.firstMatch(of: /RFC ([0-9]{3,5})(?: ?(?:§|section ) ?([0-9]+(?:\.[0-9]+)*))?/) {
            let section = found.2.map { "#section-\($0)" } ?? ""
            out += "\(String(rest[..<found.range.lowerBound]))"
            out += "<a href=\"\("https://www.rfc-editor.org/rfc/rfc\(found.1)\(section)")\" rel=\"noreferrer\">\(String(found.0))</a>"
            rest = rest[found.range.upperBound...]
        }
        out += "\(String(rest))"
        return out
    }
}
