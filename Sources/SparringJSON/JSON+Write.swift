import OrderedCollections

extension JSON {
    /// The value as compact JSON text. A number that JSON cannot say (infinite, not a number) is written `null`.
    public var text: String { String(decoding: bytes, as: UTF8.self) }

    /// ``text`` as UTF-8.
    public var bytes: [UInt8] {
        var out: [UInt8] = []
        out.reserveCapacity(256)
        write(to: &out)
        return out
    }

    /// The value as JSON text for people: two spaces of indentation, a member a line.
    public var prettyText: String {
        var out: [UInt8] = []
        write(to: &out, indentation: 0)
        return String(decoding: out, as: UTF8.self)
    }

    /// Appends ``bytes`` to `out`.
    public func write(to out: inout [UInt8]) { write(to: &out, indentation: nil) }

    /// - Parameter indentation: steps of what stands around it; nil: all in one line.
    private func write(to out: inout [UInt8], indentation: Int?) {
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
        case .bool(let value): out.append(contentsOf: (value ? "true" : "false").utf8)
        case .integer(let value): out.append(contentsOf: String(value).utf8)
        case .number(let value) where value.isFinite: out.append(contentsOf: value.description.utf8)
        case .string(let value): Self.writeString(value, to: &out)
        case .number, .null: out.append(contentsOf: "null".utf8)
        }
    }

    /// What stands before an element or a member.
    private static func begin(_ index: Int, to out: inout [UInt8], _ indentation: Int?) {
        if index > 0 { out.append(UInt8(ascii: ",")) }
        newLine(indentation.map { $0 + 1 }, to: &out)
    }

    private static func newLine(_ indentation: Int?, to out: inout [UInt8]) {
        guard let indentation else { return }
        out.append(UInt8(ascii: "\n"))
        out.append(contentsOf: repeatElement(UInt8(ascii: " "), count: indentation * 2))
    }

    /// Appends a string in quotes, escaping what RFC 8259 §7 says must be escaped.
    public static func writeString(_ string: String, to out: inout [UInt8]) {
        out.append(UInt8(ascii: "\""))
        var string = string
        string.withUTF8 { bytes in
            if bytes.contains(where: { $0 < 0x20 || $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "\\") }) {
                escape(bytes, to: &out)
            } else {
                out.append(contentsOf: bytes)  // nearly every string
            }
        }
        out.append(UInt8(ascii: "\""))
    }

    private static func escape(_ bytes: UnsafeBufferPointer<UInt8>, to out: inout [UInt8]) {
        for byte in bytes {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"):
                out.append(UInt8(ascii: "\\"))
                out.append(byte)
            case 0x0A: out.append(contentsOf: "\\n".utf8)
            case 0x0D: out.append(contentsOf: "\\r".utf8)
            case 0x09: out.append(contentsOf: "\\t".utf8)
            case 0..<0x20: out.append(contentsOf: "\\u00\([byte].hex)".utf8)
            default: out.append(byte)
            }
        }
    }
}

extension JSON: CustomStringConvertible {
    public var description: String { text }
}
