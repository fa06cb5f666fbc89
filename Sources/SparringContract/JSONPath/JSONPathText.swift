internal import SparringJSON

/// How a query spells the way to a value (RFC 9535 §2.3, §2.7).
package enum JSONPathText {
    /// `.name`, or `['any name']`.
    package static func member(_ name: String) -> String {
        guard let first = name.utf8.first, isNameFirst(first), name.utf8.allSatisfy({ isNameFirst($0) || $0.isDigit })
        else {
            return "[\(literal(name))]"
        }
        return "." + name
    }

    /// The query of a value by the names of members on the way to it; `*` is any item of a list.
    package static func path(_ tokens: [String]) -> String { tokens.reduce("$") { $0 + ($1 == "*" ? "[*]" : member($1)) } }

    static func item(_ index: Int) -> String { "[\(index)]" }

    /// A string in single quotes.
    static func literal(_ text: String) -> String {
        var quoted = "'"
        for scalar in text.unicodeScalars {
            switch scalar {
            case "'", "\\": quoted += "\\\(scalar)"
            case "\u{0}"..<" ": quoted += "\\u00" + (scalar.value < 16 ? "0" : "") + String(scalar.value, radix: 16)
            default: quoted.unicodeScalars.append(scalar)
            }
        }
        return quoted + "'"
    }

    private static func isNameFirst(_ byte: UInt8) -> Bool { byte.isLetter || byte == UInt8(ascii: "_") }
}
