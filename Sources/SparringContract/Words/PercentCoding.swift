internal import SparringJSON

/// Percent-encoding (RFC 3986 §2.1) and form encoding (URL Standard §5.1).
public enum PercentCoding {
    /// Everything but RFC 3986's unreserved characters encoded: safe in a path segment and in a query.
    public static func encoded(_ text: String) -> String {
        var out: [UInt8] = []
        out.reserveCapacity(text.utf8.count)
        for byte in text.utf8 {
            if byte.isUnreserved {
                out.append(byte)
            } else {
                out.append(contentsOf: "%\([byte].hex.uppercased())".utf8)
            }
        }
        return String(decoding: out, as: UTF8.self)
    }

    /// Nil where a `%` is not followed by two hexadecimal digits.
    package static func decoded(_ bytes: some Collection<UInt8>) -> [UInt8]? {
        var out: [UInt8] = []
        out.reserveCapacity(bytes.count)
        var rest = bytes.makeIterator()
        while let byte = rest.next() {
            guard byte == UInt8(ascii: "%") else {
                out.append(byte)
                continue
            }
            guard let high = rest.next()?.hexadecimalValue, let low = rest.next()?.hexadecimalValue else { return nil }
            out.append(high << 4 | low)
        }
        return out
    }

    /// Decodes a form's name or value as the URL Standard does: `+` is a space, a `%` that begins no encoded byte stands for itself,
    /// invalid UTF-8 becomes U+FFFD.
    static func formDecoded(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) -> String {
        guard bytes.contains(where: { $0 == UInt8(ascii: "%") || $0 == UInt8(ascii: "+") }) else {
            return String(decoding: bytes, as: UTF8.self)
        }
        var out: [UInt8] = []
        out.reserveCapacity(bytes.count)
        var index = bytes.startIndex
        while index < bytes.endIndex {
            let byte = bytes[index]
            if byte == UInt8(ascii: "%"), index + 2 < bytes.endIndex, let high = bytes[index + 1].hexadecimalValue,
                let low = bytes[index + 2].hexadecimalValue
            {
                out.append(high << 4 | low)
                index += 3
            } else {
                out.append(byte == UInt8(ascii: "+") ? UInt8(ascii: " ") : byte)
                index += 1
            }
        }
        return String(decoding: out, as: UTF8.self)
    }

    /// A query's or form body's fields, decoded (URL Standard §5.1). A malformed percent-encoding is kept as it is.
    public static func fields(_ text: Substring) -> [(name: String, value: String)] {
        var text = text
        return text.withUTF8 { fields($0) }
    }

    static func fields(_ bytes: ArraySlice<UInt8>) -> [(name: String, value: String)] { bytes.withUnsafeBufferPointer { fields($0) } }

    private static func fields(_ bytes: UnsafeBufferPointer<UInt8>) -> [(name: String, value: String)] {
        var fields: [(name: String, value: String)] = []
        var rest = bytes[...]
        while !rest.isEmpty {
            let field = rest.prefix { $0 != UInt8(ascii: "&") }
            rest = rest[field.endIndex...].dropFirst()
            if field.isEmpty { continue }
            let equals = field.firstIndex(of: UInt8(ascii: "=")) ?? field.endIndex
            fields.append((formDecoded(field[..<equals]), formDecoded(field[equals...].dropFirst())))
        }
        return fields
    }

    /// The opposite of ``fields(_:)``. A space becomes %20, which queries and forms both understand.
    public static func form(_ fields: [(String, String)]) -> String {
        fields.map { "\(encoded($0.0))=\(encoded($0.1))" }.joined(separator: "&")
    }

    /// A form's value. Nil where a percent sign is not followed by two hexadecimal digits, or the bytes are no UTF-8.
    public static func formValue(_ text: some StringProtocol) -> String? {
        decoded(text.utf8.lazy.map { $0 == UInt8(ascii: "+") ? UInt8(ascii: " ") : $0 }).flatMap { String(validating: $0, as: UTF8.self) }
    }
}
