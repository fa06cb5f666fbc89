import Testing
import SparringJSON

@Suite struct Base64URLTests {
    @Test(arguments: [
        ("", ""), ("f", "Zg"), ("fo", "Zm8"), ("foo", "Zm9v"), ("foob", "Zm9vYg"), ("fooba", "Zm9vYmE"), ("foobar", "Zm9vYmFy"),
    ])
    func `the vectors of RFC 4648 go both ways, without padding`(plain: String, encoded: String) {
        #expect(Base64URL.encode(plain.utf8) == encoded)
        #expect(Base64URL.decode(encoded) == Array(plain.utf8))
    }

    @Test func `every byte survives`() {
        let bytes = (0...255).map { UInt8($0) }
        for length in 0...bytes.count { #expect(Base64URL.decode(Base64URL.encode(bytes[..<length])) == Array(bytes[..<length])) }
    }

    @Test func `the alphabet is the one for URLs`() { #expect(Base64URL.encode([0xFB, 0xFF, 0xBF]) == "-_-_") }

    @Test(arguments: ["Zg==", "Zm8=", "Z", "Zm9vY", "Zh", "Zm9", "+/+/", "Zm 8", "Zm8\n", "Zé8"])
    func `padding, strange characters, impossible lengths and stray bits are refused`(text: String) {
        #expect(Base64URL.decode(text) == nil)
    }

    @Test(
        arguments: [
            ("", []), ("Zg==", [0x66]), ("Zg", [0x66]), ("-_-_", [0xFB, 0xFF, 0xBF]), ("+/+/", [0xFB, 0xFF, 0xBF]),
            ("Zm9v\r\nYmFy\n", Array("foobar".utf8)), ("Zm8=\n", [0x66, 0x6F]), ("=", []), ("Z", nil), ("Zg==Zg==", nil), ("Zg=A", nil),
            ("Zm 8", nil), ("Zé8", nil),
        ] as [(String, [UInt8]?)])
    func `what senders write as Base64 is read, in either alphabet, in lines and without padding`(_ text: String, _ bytes: [UInt8]?) {
        #expect(Base64.decode(text) == bytes)
    }

    /// It is read in pieces of 49,152 characters.
    @Test(arguments: [36_863, 36_864, 36_865, 36_866, 73_728, 100_000]) func `a long text is read in pieces`(count: Int) {
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* $0 >> 3) }
        let text = Base64.encode(bytes)
        let all = Array(text.utf8)
        let lines = stride(from: 0, to: all.count, by: 76).map { String(decoding: all[$0..<min($0 + 76, all.count)], as: UTF8.self) }
            .joined(separator: "\r\n")
        #expect(Base64.decode(text) == bytes && Base64.decode(lines) == bytes)
        // Padding is at the end or nowhere.
        for place in [49_151, 49_150, 4] {
            var broken = all
            guard place < broken.count - 4 else { continue }
            broken[place] = UInt8(ascii: "=")
            #expect(Base64.decode(String(decoding: broken, as: UTF8.self)) == nil)
        }
    }

    @Test func `Base64 is written with padding`() { #expect(Base64.encode([0xFB, 0xFF]) == "+/8=") }
}
