import OrderedCollections

extension JSON {
    /// Reads a JSON text (RFC 8259), the whole of it. Foundation's reader is not used: it forgets the order of members, takes the last of
    /// two members of one name without a word, and makes `1` and `1.0` and `true` hard to distinguish.
    ///
    /// - Parameter depthLimit: how many arrays and objects may stand in each other.
    /// - Throws: ``JSONSyntaxError``: bad syntax, invalid UTF-8, a member named twice, a number out of range, nesting too deep.
    public init(parsing bytes: some Sequence<UInt8>, depthLimit: Int = 256) throws(JSONSyntaxError) {
        var parser = JSONParser(bytes: Array(bytes), depthLimit: depthLimit)
        self = try parser.document()
    }

    /// Parses a string as ``init(parsing:depthLimit:)`` parses bytes.
    public init(parsing text: String, depthLimit: Int = 256) throws(JSONSyntaxError) {
        try self.init(parsing: text.utf8, depthLimit: depthLimit)
    }
}

/// One pass over the bytes, by recursive descent.
private struct JSONParser {
    let bytes: [UInt8]
    let depthLimit: Int
    var position = 0
    var depth = 0

    init(bytes: [UInt8], depthLimit: Int) {
        self.bytes = bytes
        self.depthLimit = depthLimit
    }

    mutating func document() throws(JSONSyntaxError) -> JSON {
        let value = try value()
        skipSpace()
        guard position == bytes.count else { throw error("text after the value") }
        return value
    }

    private mutating func value() throws(JSONSyntaxError) -> JSON {
        skipSpace()
        guard let byte = peek else { throw error(bytes.isEmpty ? "empty text" : "the text ends where a value is expected") }
        switch byte {
        case UInt8(ascii: "{"): return try object()
        case UInt8(ascii: "["): return try array()
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "t"): return try word("true", .bool(true))
        case UInt8(ascii: "f"): return try word("false", .bool(false))
        case UInt8(ascii: "n"): return try word("null", .null)
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return try number()
        default: throw error("unexpected \(printable(byte)) where a value is expected")
        }
    }

    private mutating func object() throws(JSONSyntaxError) -> JSON {
        try enter()
        var members = JSON.Object()
        skipSpace()
        if take("}") { return leave(.object(members)) }
        repeat {
            skipSpace()
            guard peek == UInt8(ascii: "\"") else { throw error("expected a name in double quotes") }
            let start = position
            let name = try string()
            skipSpace()
            guard take(":") else { throw error("':' should follow the member's name") }
            let member = try value()
            guard members.updateValue(member, forKey: name) == nil else { throw error("member \(name.quoted) is named twice", at: start) }
            skipSpace()
        } while take(",")
        guard take("}") else { throw error("expected ',' or '}'") }
        return leave(.object(members))
    }

    private mutating func array() throws(JSONSyntaxError) -> JSON {
        try enter()
        var elements: [JSON] = []
        skipSpace()
        if take("]") { return leave(.array(elements)) }
        repeat {
            elements.append(try value())
            skipSpace()
        } while take(",")
        guard take("]") else { throw error("expected ',' or ']'") }
        return leave(.array(elements))
    }

    private mutating func string() throws(JSONSyntaxError) -> String {
        position += 1
        let start = position
        while let byte = peek, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\"), byte >= 0x20 { position += 1 }
        if peek == UInt8(ascii: "\"") {  // the common case: nothing escaped
            defer { position += 1 }
            return try decoded(bytes[start..<position], from: start)
        }
        var content = Array(bytes[start..<position])
        while let byte = peek {
            position += 1
            switch byte {
            case UInt8(ascii: "\""): return try decoded(content[...], from: start)
            case UInt8(ascii: "\\"): try escape(into: &content)
            case 0..<0x20: throw error("control character \(printable(byte)) in a string", at: position - 1)
            default: content.append(byte)
            }
        }
        throw error("string without end", at: start - 1)
    }

    private func decoded(_ content: ArraySlice<UInt8>, from start: Int) throws(JSONSyntaxError) -> String {
        guard let string = String(validating: content, as: UTF8.self) else { throw error("invalid UTF-8 in a string", at: start) }
        return string
    }

    private mutating func escape(into content: inout [UInt8]) throws(JSONSyntaxError) {
        guard let byte = peek else { throw error("text ends in an escape") }
        position += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): content.append(byte)
        case UInt8(ascii: "b"): content.append(0x08)
        case UInt8(ascii: "f"): content.append(0x0C)
        case UInt8(ascii: "n"): content.append(0x0A)
        case UInt8(ascii: "r"): content.append(0x0D)
        case UInt8(ascii: "t"): content.append(0x09)
        case UInt8(ascii: "u"): content.append(contentsOf: String(try escapedScalar()).utf8)
        default: throw error("unknown escape \(printable(byte))", at: position - 1)
        }
    }

    private mutating func escapedScalar() throws(JSONSyntaxError) -> Character {
        let start = position - 2
        let unit = try hexUnit()
        if let scalar = Unicode.Scalar(unit) { return Character(scalar) }
        guard 0xD800..<0xDC00 ~= unit, take("\\"), take("u") else { throw error("lone surrogate", at: start) }
        let low = try hexUnit()
        guard 0xDC00..<0xE000 ~= low, let scalar = Unicode.Scalar(0x10000 + ((unit - 0xD800) << 10) + (low - 0xDC00)) else {
            throw error("lone surrogate", at: start)
        }
        return Character(scalar)
    }

    private mutating func hexUnit() throws(JSONSyntaxError) -> UInt32 {
        var unit: UInt32 = 0
        for _ in 0..<4 {
            guard let digit = peek?.hexadecimalValue else { throw error("four hexadecimal digits should follow \\u") }
            unit = unit << 4 | UInt32(digit)
            position += 1
        }
        return unit
    }

    private mutating func number() throws(JSONSyntaxError) -> JSON {
        let start = position
        var isWhole = true
        _ = take("-")
        if take("0") {
            if peek?.isDigit == true { throw error("a number has a leading zero", at: start) }
        } else {
            try digits()
        }
        if take(".") {
            isWhole = false
            try digits()
        }
        if take("e") || take("E") {
            isWhole = false
            if !take("+") { _ = take("-") }
            try digits()
        }
        let text = String(decoding: bytes[start..<position], as: UTF8.self)
        if isWhole, let value = Int64(text) { return .integer(value) }
        guard let value = Double(text), value.isFinite else { throw error("number out of range", at: start) }
        return .number(value)
    }

    private mutating func digits() throws(JSONSyntaxError) {
        guard peek?.isDigit == true else { throw error("expected a digit") }
        while let byte = peek, byte.isDigit { position += 1 }
    }

    private mutating func word(_ word: StaticString, _ value: JSON) throws(JSONSyntaxError) -> JSON {
        let text = word.description
        guard bytes[position...].starts(with: text.utf8) else { throw error("only true, false and null may stand here unquoted") }
        position += text.utf8.count
        return value
    }

    private var peek: UInt8? { position < bytes.count ? bytes[position] : nil }

    private mutating func take(_ scalar: Unicode.Scalar) -> Bool {
        guard peek == UInt8(ascii: scalar) else { return false }
        position += 1
        return true
    }

    private mutating func skipSpace() {
        while let byte = peek, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { position += 1 }
    }

    private mutating func enter() throws(JSONSyntaxError) {
        depth += 1
        guard depth <= depthLimit else { throw error("nested deeper than \(depthLimit)") }
        position += 1
    }

    private mutating func leave(_ value: JSON) -> JSON {
        depth -= 1
        return value
    }

    private func printable(_ byte: UInt8) -> String {
        0x21..<0x7F ~= byte ? "'\(Character(Unicode.Scalar(byte)))'" : "byte 0x" + String(byte, radix: 16, uppercase: true)
    }

    private func error(_ reason: String, at offset: Int? = nil) -> JSONSyntaxError {
        let offset = offset ?? position
        let before = bytes[..<min(offset, bytes.count)]
        let line = before.count(where: { $0 == 0x0A }) + 1
        let column = offset - ((before.lastIndex(of: 0x0A) ?? -1) + 1) + 1
        return JSONSyntaxError(reason: reason, line: line, column: column)
    }
}
