import SparringJSON
import Testing

/// Strings and numbers are written many bytes at a time.
@Suite struct JSONWritingTests {
    /// The text as RFC 8259 §7 writes it, byte by byte.
    private static func written(_ text: String) -> String {
        let escaped = text.unicodeScalars.map { scalar -> String in
            switch scalar {
            case "\"": #"\""#
            case "\\": #"\\"#
            case "\n": #"\n"#
            case "\r": #"\r"#
            case "\t": #"\t"#
            case "\0"..<" ": #"\u00"# + [UInt8(scalar.value)].hex
            default: String(scalar)
            }
        }
        return "\"" + escaped.joined() + "\""
    }

    @Test func `every byte is escaped at every place, where it must be`() {
        for length in 0...19 {
            for place in 0..<max(1, length) {
                for byte in UInt8(0)...0x7F {
                    var bytes = [UInt8](repeating: UInt8(ascii: "a"), count: length)
                    if length > 0 { bytes[place] = byte }
                    // A second one behind it, which a carry could hide.
                    if place + 1 < length { bytes[place + 1] = 0x21 }
                    let text = String(decoding: bytes, as: UTF8.self)
                    guard JSON.string(text).text == Self.written(text) else {
                        Issue.record("\(bytes)")
                        return
                    }
                }
            }
        }
        for text in ["ü\"é🙂\\\n", String(repeating: "\"", count: 40), "\u{7F}\u{80}\u{FF}"] {
            #expect(JSON.string(text).text == Self.written(text))
        }
    }

    @Test(arguments: [0, 1, -1, 9, 10, -10, 1_234_567_890, .max, .min])
    func `a whole number is written as Swift writes it`(_ number: Int64) { #expect(JSON.integer(number).text == String(number)) }
}
