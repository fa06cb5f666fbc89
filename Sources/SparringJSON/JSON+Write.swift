import OrderedCollections

extension JSON {
    /// The value as compact JSON text. A number that JSON cannot say (infinite, not a number) is written `null`.
    public var text: String {
        ByteBuffer.onStack { out in
            write(to: &out)
            return out.text
        }
    }

    /// ``text`` as UTF-8.
    public var bytes: [UInt8] {
        ByteBuffer.onStack { out in
            write(to: &out)
            return out.array
        }
    }

    /// The value as JSON text for people: two spaces of indentation, a member a line.
    public var prettyText: String {
        var out = ByteBuffer()
        write(to: &out, indentation: 0)
        return out.text
    }

    /// Appends ``bytes`` to `out`.
    public func write(to out: inout ByteBuffer) { write(to: &out, indentation: nil) }

    /// - Parameter indentation: steps of what stands around it; nil: all in one line.
    private func write(to out: inout ByteBuffer, indentation: Int?) {
        switch self {
        case .array(let elements):
            out.append(UInt8(ascii: "["))
            for (index, element) in elements.enumerated() {
                Self.begin(index, to: &out, indentation)
                element.write(to: &out, indentation: indentation.map { $0 + 1 })
            }
            if !elements.isEmpty { Self.newLine(indentation, to: &out) }
            out.append(UInt8(ascii: "]"))
        case .object(let members):
            out.append(UInt8(ascii: "{"))
            for (index, member) in members.enumerated() {
                Self.begin(index, to: &out, indentation)
                Self.writeString(member.key, to: &out)
                out.append(UInt8(ascii: ":"))
                if indentation != nil { out.append(UInt8(ascii: " ")) }
                member.value.write(to: &out, indentation: indentation.map { $0 + 1 })
            }
            if !members.isEmpty { Self.newLine(indentation, to: &out) }
            out.append(UInt8(ascii: "}"))
        case .bool(let value): value ? out.append("true") : out.append("false")
        case .integer(let value): out.append(number: value)
        case .number(let value) where value.isFinite: out.append(text: value.description)
        case .string(let value): Self.writeString(value, to: &out)
        case .number, .null: out.append("null")
        }
    }

    /// Writes the comma and the line break before an element or a member.
    private static func begin(_ index: Int, to out: inout ByteBuffer, _ indentation: Int?) {
        if index > 0 { out.append(UInt8(ascii: ",")) }
        newLine(indentation.map { $0 + 1 }, to: &out)
    }

    private static func newLine(_ indentation: Int?, to out: inout ByteBuffer) {
        guard let indentation else { return }
        out.append(UInt8(ascii: "\n"))
        for _ in 0..<indentation { out.append("  ") }
    }

    /// Appends a string in quotes, escaping what RFC 8259 §7 says must be escaped.
    public static func writeString(_ string: String, to out: inout ByteBuffer) {
        var string = string
        string.withUTF8 { writeString($0, to: &out) }
    }

    /// - Parameter bytes: UTF-8.
    package static func writeString(_ bytes: UnsafeBufferPointer<UInt8>, to out: inout ByteBuffer) {
        out.reserve(bytes.count + 2)
        out.append(UInt8(ascii: "\""))
        var start = 0
        // What needs no escape is appended in one piece, as nearly every string.
        while start < bytes.count {
            let end = bytes.firstEscaped(from: start)
            out.append(UnsafeBufferPointer(rebasing: bytes[start..<end]))
            if end == bytes.count { break }
            escape(bytes[end], to: &out)
            start = end + 1
        }
        out.append(UInt8(ascii: "\""))
    }

    private static func escape(_ byte: UInt8, to out: inout ByteBuffer) {
        out.append(UInt8(ascii: "\\"))
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"): out.append(byte)
        case 0x0A: out.append(UInt8(ascii: "n"))
        case 0x0D: out.append(UInt8(ascii: "r"))
        case 0x09: out.append(UInt8(ascii: "t"))
        default: out.append(text: "u00\([byte].hex)")
        }
    }
}

extension UnsafeBufferPointer<UInt8> {
    /// The place of the first byte from there on that a JSON string cannot hold as it is; the end where there is none.
    fileprivate func firstEscaped(from start: Int) -> Int {
        var place = start
        let bytes = UnsafeRawBufferPointer(self)
        while place + 8 <= count {
            // Eight at once: the highest bit of a byte is set where it is one of them, or where one before it is.
            let word = bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self).littleEndian
            let (quotes, backslashes) = (word ^ 0x2222_2222_2222_2222, word ^ 0x5C5C_5C5C_5C5C_5C5C)
            let found =
                (word &- 0x2020_2020_2020_2020) & ~word | (quotes &- 0x0101_0101_0101_0101) & ~quotes
                | (backslashes &- 0x0101_0101_0101_0101) & ~backslashes
            let marks = found & 0x8080_8080_8080_8080
            if marks != 0 { return place + marks.trailingZeroBitCount / 8 }
            place += 8
        }
        while place < count, self[place] >= 0x20, self[place] != UInt8(ascii: "\""), self[place] != UInt8(ascii: "\\") { place += 1 }
        return place
    }
}

extension JSON: CustomStringConvertible {
    public var description: String { text }
}
