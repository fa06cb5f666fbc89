/// Checks UTF-8 that comes in pieces (RFC 3629 §4), as soon as each byte is there.
struct UTF8Check {
    /// Bytes that the character under way still needs, and the range of the next of them.
    private var missing = 0
    private var range: ClosedRange<UInt8> = 0x80...0xBF

    /// No character is under way.
    var isComplete: Bool { missing == 0 }

    /// - Returns: false if the bytes cannot be the beginning of valid UTF-8.
    mutating func take(_ bytes: UnsafeRawBufferPointer) -> Bool {
        var place = 0
        while place < bytes.count {
            // Eight bytes of ASCII at once.
            if missing == 0, place + 8 <= bytes.count,
                bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self) & 0x8080_8080_8080_8080 == 0
            {
                place += 8
                continue
            }
            guard take(bytes[place]) else { return false }
            place += 1
        }
        return true
    }

    private mutating func take(_ byte: UInt8) -> Bool {
        if missing > 0 {
            guard range.contains(byte) else { return false }
            missing -= 1
            range = 0x80...0xBF
            return true
        }
        switch byte {
        case 0x00...0x7F: return true
        case 0xC2...0xDF: missing = 1
        case 0xE0: (missing, range) = (2, 0xA0...0xBF)  // no overlong forms
        case 0xED: (missing, range) = (2, 0x80...0x9F)  // no surrogates
        case 0xE1...0xEF: missing = 2
        case 0xF0: (missing, range) = (3, 0x90...0xBF)
        case 0xF1...0xF3: missing = 3
        case 0xF4: (missing, range) = (3, 0x80...0x8F)  // up to U+10FFFF
        default: return false
        }
        return true
    }
}
