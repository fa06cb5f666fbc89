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
            ("Zm9v\r\nYmFy\n", Array("foobar".utf8)), ("Zm8=\n", [0x66, 0x6F]), ("=", []), ("Z", nil), ("Zg==Zg==", nil), ("Zm 8", nil),
            ("Zé8", nil),
        ] as [(String, [UInt8]?)])
    func `what senders write as Base64 is read, in either alphabet, in lines and without padding`(_ text: String, _ bytes: [UInt8]?) {
        #expect(Base64.decode(text) == bytes)
    }

    @Test func `Base64 is written with padding`() { #expect(Base64.encode([0xFB, 0xFF]) == "+/8=") }
}
