/// Walks over a text byte by byte, taking what a grammar allows.
struct FormatScanner {
    private let bytes: [UInt8]
    private var position = 0

    init(_ text: String) { bytes = Array(text.utf8) }

    var isAtEnd: Bool { position == bytes.count }
    var peek: UInt8? { position < bytes.count ? bytes[position] : nil }

    mutating func take(_ scalar: Unicode.Scalar) -> Bool {
        guard peek == UInt8(ascii: scalar) else { return false }
        position += 1
        return true
    }

    /// Either case of an ASCII letter.
    mutating func takeLetter(_ scalar: Unicode.Scalar) -> Bool {
        guard let byte = peek, byte | 0x20 == UInt8(ascii: scalar) | 0x20 else { return false }
        position += 1
        return true
    }

    /// How many bytes were taken.
    mutating func takeAll(where predicate: (UInt8) -> Bool) -> Int {
        let start = position
        while let byte = peek, predicate(byte) { position += 1 }
        return position - start
    }

    /// Exactly that many decimal digits, as a number.
    mutating func takeNumber(digits: Int) -> Int? {
        var value = 0
        for _ in 0..<digits {
            guard let byte = peek, Self.isDigit(byte) else { return nil }
            value = value * 10 + Int(byte - UInt8(ascii: "0"))
            position += 1
        }
        return value
    }

    static func isDigit(_ byte: UInt8) -> Bool { UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte }
    static func isLetter(_ byte: UInt8) -> Bool { UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20 }
}
