/// Base64 with the alphabet for URLs and without padding, as JOSE uses it (RFC 4648 §5, RFC 7515 §2).
public enum Base64URL {
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

    /// The value of each byte in the alphabet, `notInAlphabet` for the others.
    private static let values: [UInt8] = {
        var values = [UInt8](repeating: notInAlphabet, count: 256)
        for (value, character) in alphabet.enumerated() { values[Int(character)] = UInt8(value) }
        return values
    }()

    private static let notInAlphabet: UInt8 = 0xFF

    public static func encode(_ bytes: some Sequence<UInt8>) -> String {
        var text: [UInt8] = []
        var bits: UInt32 = 0
        var bitCount = 0
        for byte in bytes {
            bits = bits << 8 | UInt32(byte)
            bitCount += 8
            while bitCount >= 6 {
                bitCount -= 6
                text.append(alphabet[Int(bits >> UInt32(bitCount) & 0x3F)])
            }
        }
        if bitCount > 0 { text.append(alphabet[Int(bits << UInt32(6 - bitCount) & 0x3F)]) }
        return String(decoding: text, as: UTF8.self)
    }

    /// Nil on padding, on characters outside the alphabet, on an impossible length, and where the bits after the last byte are not
    /// zero: then two texts would stand for the same bytes, and a changed token could pass for unchanged.
    public static func decode(_ text: String) -> [UInt8]? { decode(text.utf8) }

    static func decode(_ text: some Collection<UInt8>) -> [UInt8]? {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count * 3 / 4)
        var bits: UInt32 = 0
        var bitCount = 0
        for character in text {
            let value = values[Int(character)]
            guard value != notInAlphabet else { return nil }
            bits = bits << 6 | UInt32(value)
            bitCount += 6
            if bitCount >= 8 {
                bitCount -= 8
                bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(bitCount)))
            }
        }
        // Six bits left over are a lone character, which stands for no whole byte.
        guard bitCount < 6, bits & (1 << UInt32(bitCount) - 1) == 0 else { return nil }
        return bytes
    }
}
