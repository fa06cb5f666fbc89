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
    private static let ignored: UInt8 = 0xFE

    /// The same for the alphabet of RFC 4648 §4; either alphabet is read. Line breaks do not count, which Android's `Base64.DEFAULT` makes.
    static let lenientValues: [UInt8] = {
        var lenient = values
        for (character, value) in [("+", 62), ("/", 63), ("\r", ignored), ("\n", ignored)] as [(Unicode.Scalar, UInt8)] {
            lenient[Int(character.value)] = value
        }
        return lenient
    }()

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
    public static func decode(_ text: some StringProtocol) -> [UInt8]? {
        var text = String(text)
        return text.withUTF8 { decode($0, values) }
    }

    static func decode(_ text: Substring.UTF8View) -> [UInt8]? { decode(Substring(text)) }

    /// - Parameter values: of each byte; what is not in the alphabet has ``notInAlphabet``, and what does not count ``ignored``.
    static func decode(_ text: UnsafeBufferPointer<UInt8>, _ values: [UInt8]) -> [UInt8]? {
        var isSound = true
        let bytes = values.withUnsafeBufferPointer { values in
            [UInt8](unsafeUninitializedCapacity: text.count / 4 * 3 + 3) { bytes, count in
                isSound = decode(text, values, into: bytes, &count)
            }
        }
        return isSound ? bytes : nil
    }

    private static func decode(
        _ text: UnsafeBufferPointer<UInt8>, _ values: UnsafeBufferPointer<UInt8>, into bytes: UnsafeMutableBufferPointer<UInt8>,
        _ count: inout Int
    ) -> Bool {
        var bits: UInt32 = 0
        var bitCount: UInt32 = 0
        for character in text {
            let value = values[Int(character)]
            guard value < 64 else {
                if value == ignored { continue }
                return false
            }
            bits = bits << 6 | UInt32(value)
            bitCount += 6
            if bitCount >= 8 {
                bitCount -= 8
                bytes[count] = UInt8(truncatingIfNeeded: bits >> bitCount)
                count += 1
            }
        }
        // Six bits left over are a lone character, which stands for no whole byte.
        return bitCount < 6 && bits & (1 << bitCount - 1) == 0
    }
}
