internal import Foundation
internal import SparringPattern

/// The grammars of formats. Those that are regular languages become automata, each when it is first asked for.
enum FormatGrammar {
    /// RFC 9562 §4, the textual form.
    static let uuid = pattern("\(hex){8}(?:-\(hex){4}){3}-\(hex){12}")

    /// `duration` (RFC 3339 appendix A): units from large to small without a gap, weeks alone.
    static let duration: Pattern = {
        func units(_ large: String, _ middle: String, _ small: String) -> String {
            let last = "[0-9]+\(small)"
            let second = "[0-9]+\(middle)(?:\(last))?"
            return "(?:[0-9]+\(large)(?:\(second))?|\(second)|\(last))"
        }
        let time = "T" + units("H", "M", "S")
        return pattern("P(?:\(units("Y", "M", "D"))(?:\(time))?|\(time)|[0-9]+W)")
    }()

    /// `Mailbox` (RFC 5321 §4.1.2): local part a dot-atom or a quoted string; a domain or an address literal.
    static let email = pattern(
        "(?:\(atom)(?:\\.\(atom))*|\"(?:[ !#-\\[\\]-~]|\\\\[ -~])*\")@(?:\(label)(?:\\.\(label))*|\\[(?:IPv6:)?[0-9A-Fa-f:.]*\\])")

    /// `URI` (RFC 3986 §3): with a scheme, in ASCII. An address in brackets is checked by itself.
    static let uri = pattern("\(scheme)\(hierarchy)\(rest)")

    /// `URI-reference` (RFC 3986 §4.1). A first segment with a colon would read as a scheme (§4.2).
    static let uriReference = pattern(
        "(?:\(scheme)\(hierarchy)|//\(authority)|(?:\(letters("@"))+(?:/\(letters("/:@"))*)?|/(?:\(letters(":@"))\(letters("/:@"))*)?)?)\(rest)"
    )

    private static let date = pattern("[0-9]{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12][0-9]|3[01])")
    private static let time = pattern("\(clock):(?:[0-5][0-9]|60)(?:\\.[0-9]+)?(?:[Zz]|[+-]\(clock))")
    /// Hours and minutes.
    private static let clock = "(?:[01][0-9]|2[0-3]):[0-5][0-9]"
    private static let hex = "[0-9A-Fa-f]"
    /// `atext` (RFC 5322 §3.2.3).
    private static let atom = "[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+"
    /// A label of a host name: letters, digits and inner hyphens.
    private static let label = "[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?"
    private static let scheme = "[A-Za-z][A-Za-z0-9+.-]*:"
    /// With all that begins a path after it (RFC 3986 §3.2, §3.3).
    private static let authority =
        "(?:\(letters(":"))*@)?(?:\\[[0-9A-Fa-f:.]*\\]|\(letters(""))*)(?::[0-9]*)?(?:/\(letters("/:@"))*)?"
    private static let hierarchy = "(?://\(authority)|/?(?:\(letters(":@"))\(letters("/:@"))*)?)"
    /// Query and fragment.
    private static let rest = "(?:\\?\(letters("/:@?"))*)?(?:#\(letters("/:@?"))*)?"

    /// Unreserved characters, sub-delimiters, encoded bytes and the given ones (RFC 3986 §2).
    private static func letters(_ more: String) -> String { "(?:[A-Za-z0-9._~!$&'()*+,;=\(more)-]|%\(hex){2})" }

    /// `full-date` (RFC 3339 §5.6), a day that exists.
    static func isDate(_ text: some StringProtocol) -> Bool {
        guard date.isFound(in: String(text)) else { return false }
        let (year, month, day) = (number(text.prefix(4)), number(text.dropFirst(5).prefix(2)), number(text.suffix(2)))
        let isLeap = year.isMultiple(of: 4) && (!year.isMultiple(of: 100) || year.isMultiple(of: 400))
        return day <= [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1]
    }

    /// `full-time` (RFC 3339 §5.6). A leap second stands only at the end of a UTC day (§5.7).
    static func isTime(_ text: some StringProtocol) -> Bool {
        guard time.isFound(in: String(text)) else { return false }
        func minutes(_ clock: some StringProtocol) -> Int { number(clock.prefix(2)) * 60 + number(clock.suffix(2)) }
        guard text.dropFirst(6).hasPrefix("60") else { return true }
        let offset = text.last?.isLetter == true ? 0 : minutes(text.suffix(5)) * (text.contains("-") ? -1 : 1)
        return (minutes(text.prefix(5)) - offset + 2 * 1440) % 1440 == 1439
    }

    /// `date-time` (RFC 3339 §5.6).
    static func isDateTime(_ text: String) -> Bool {
        let rest = text.dropFirst(10)
        return isDate(text.prefix(10)) && rest.first?.lowercased() == "t" && isTime(rest.dropFirst())
    }

    private static func number(_ digits: some StringProtocol) -> Int { Int(digits) ?? 0 }

    static func isIPv4(_ text: some StringProtocol) -> Bool {
        var address = in_addr()
        return !text.utf8.contains(0) && inet_pton(AF_INET, String(text), &address) == 1
    }

    /// Eight groups, one run of zeros left out as `::`, the last two perhaps as an IPv4 address (RFC 4291 §2.2); no zone.
    static func isIPv6(_ text: some StringProtocol) -> Bool {
        var address = in6_addr()
        return !text.utf8.contains(0) && inet_pton(AF_INET6, String(text), &address) == 1
    }

    /// Whether what stands in brackets, if anything does, is an address; one without the tag is of version 4.
    static func hasSoundAddress(_ text: some StringProtocol, tag: String = "") -> Bool {
        guard let open = text.firstIndex(of: "[") else { return true }
        let address = text[open...].dropFirst().prefix { $0 != "]" }
        return address.hasPrefix(tag) ? isIPv6(address.dropFirst(tag.count)) : isIPv4(address)
    }

    private static func pattern(_ text: String) -> Pattern { try! Pattern("^(?:\(text))$", dialect: .ecma) }
}
