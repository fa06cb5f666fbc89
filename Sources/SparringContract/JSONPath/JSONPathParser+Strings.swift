extension JSONPathParser {
    /// A string in single or double quotes (RFC 9535 §2.3.1.1).
    mutating func string() throws(JSONPathError) -> String {
        let start = position
        guard let quote = next() else { throw unexpected("a quote") }
        var text = String.UnicodeScalarView()
        while let scalar = next() {
            switch scalar {
            case quote: return String(text)
            case "\\": text.append(try escaped(in: quote))
            case "\u{0}"..<" ": throw error("a control character must be escaped", at: position - 1)
            default: text.append(scalar)
            }
        }
        throw error("the string has no end", at: start)
    }

    private mutating func escaped(in quote: Unicode.Scalar) throws(JSONPathError) -> Unicode.Scalar {
        let start = position - 1
        switch next() {
        case "b": return "\u{8}"
        case "f": return "\u{C}"
        case "n": return "\n"
        case "r": return "\r"
        case "t": return "\t"
        case "/": return "/"
        case "\\": return "\\"
        case quote: return quote
        case "u":
            let first = try hexadecimal(start)
            guard (0xD800..<0xE000).contains(first) else { return Unicode.Scalar(first)! }
            guard first < 0xDC00, take("\\u") else { throw error("a surrogate stands alone", at: start) }
            let second = try hexadecimal(start)
            guard (0xDC00..<0xE000).contains(second) else { throw error("a surrogate stands alone", at: start) }
            return Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00))!
        default: throw error("no such escape", at: start)
        }
    }

    private mutating func hexadecimal(_ start: Int) throws(JSONPathError) -> UInt32 {
        var value: UInt32 = 0
        for _ in 0..<4 {
            guard let scalar = next(), scalar.properties.isASCIIHexDigit, let digit = Character(scalar).hexDigitValue else {
                throw error("\\u needs four hexadecimal digits", at: start)
            }
            value = value << 4 + UInt32(digit)
        }
        return value
    }
}
