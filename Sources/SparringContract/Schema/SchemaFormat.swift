internal import SparringJSON
internal import SparringPattern

/// The formats that schemas may ask for (validation §7.3). They are asserted.
enum SchemaFormat: String, Sendable, CaseIterable {
    case dateTime = "date-time"
    case date
    case time
    case duration
    case uri
    case uriReference = "uri-reference"
    case jsonPointer = "json-pointer"
    case uuid
    case email
    case ipv4
    case ipv6
    case regex
    /// Sparring's own: `200ms`, `31s`, `10m`, `PT1H`, or whole seconds as a number; `minimum` and the like are about its seconds.
    case timeSpan = "time-span"

    /// The description of a ``timeSpan``, in words.
    static let span = "a duration such as 60s, 10m or PT1H, or whole seconds, of ten years at most"

    /// An example, as words that follow the format's name; empty where none is needed.
    var example: String {
        switch self {
        case .dateTime: ", such as 2026-01-01T00:00:00Z"
        case .date: ", such as 2026-01-01"
        case .time: ", such as 12:00:00Z"
        case .duration: ", such as PT10M"
        case .timeSpan: ", such as 60s, 10m or PT1H"
        default: ""
        }
    }

    func accepts(_ text: String) -> Bool {
        switch self {
        case .dateTime: FormatGrammar.isDateTime(text)
        case .date: FormatGrammar.isDate(text)
        case .time: FormatGrammar.isTime(text)
        case .duration: FormatGrammar.duration.isFound(in: text)
        case .uri: FormatGrammar.uri.isFound(in: text) && FormatGrammar.hasSoundAddress(text)
        case .uriReference: FormatGrammar.uriReference.isFound(in: text) && FormatGrammar.hasSoundAddress(text)
        case .jsonPointer: JSONPointer(text) != nil
        case .uuid: FormatGrammar.uuid.isFound(in: text)
        case .email:
            FormatGrammar.email.isFound(in: text)
                && FormatGrammar.hasSoundAddress(text[(text.lastIndex(of: "@") ?? text.startIndex)...], tag: "IPv6:")
        case .ipv4: FormatGrammar.isIPv4(text)
        case .ipv6: FormatGrammar.isIPv6(text)
        case .regex: Self.isExpression(text)
        case .timeSpan: Duration(text: text) != nil
        }
    }

    /// Whether the text is a regular expression of ECMA-262, even if ``Pattern`` does not match it, as with look-ahead.
    private static func isExpression(_ text: String) -> Bool {
        do throws(PatternError) {
            try Pattern.check(text, dialect: .ecma)
            return true
        } catch {
            return !error.isMalformed
        }
    }
}
