import Crypto
import SparringJSON

/// Numbers and ids that look random and are the same on every run: a pure function of the sandbox's seed and of who draws them for what
/// (promise 4 of the design), never of threads or time.
public struct Draw: Sendable {
    /// 32 of them.
    package let bytes: [UInt8]

    /// - Parameter parts: what tells this draw from every other one: fault number, lane, ordinal, purpose …
    public init(seed: Int64, _ parts: String...) { self.init(seed: seed, parts) }

    /// A draw for what lets somebody in: a code, a token, a secret. Unlike an id's it depends on the sandbox too, so that what another sandbox of the same seed gave
    /// out is unknown in this one.
    public init(secretOf sandbox: String, seed: Int64, _ parts: String...) { self.init(seed: seed, ["secret", sandbox] + parts) }

    private init(seed: Int64, _ parts: [String]) {
        var hash = SHA256()
        ByteBuffer.onStack { text in
            text.append(number: seed)
            for part in parts {
                // The length stands before each part, so that ("ab", "c") and ("a", "bc") differ.
                text.append(UInt8(ascii: "|"))
                text.append(number: Int64(part.utf8.count))
                text.append(UInt8(ascii: "|"))
                text.append(text: part)
            }
            text.withBytes { hash.update(bufferPointer: $0) }
        }
        bytes = Array(hash.finalize())
    }

    /// Evenly spread over 0..<1.
    public var fraction: Double {
        let bits = bytes.prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        return Double(bits >> 11) / Double(UInt64(1) << 53)
    }

    /// 64 hexadecimal digits.
    public var hex: String { bytes.hex }

    /// A UUID of version 4 in form (RFC 9562 §5.4).
    public var uuid: String {
        var bytes = Array(bytes.prefix(16))
        bytes[6] = bytes[6] & 0x0F | 0x40
        bytes[8] = bytes[8] & 0x3F | 0x80
        let hex = Array(bytes.hex)
        let parts: [ArraySlice<Character>] = [hex[0..<8], hex[8..<12], hex[12..<16], hex[16..<20], hex[20..<32]]
        return parts.map { String($0) }.joined(separator: "-")
    }

    /// Evenly spread over 0..<bound.
    public func number(below bound: Int64) -> Int64 { Int64(clamped: fraction * Double(bound)) }
}
