import SparringJSON
import Testing

@Suite struct ASCIITests {
    @Test func `a hexadecimal digit has its value in either case, and nothing else has one`() {
        for byte in UInt8.min...UInt8.max {
            #expect(byte.hexadecimalValue.map { Int($0) } == (byte < 0x80 ? Character(Unicode.Scalar(byte)).hexDigitValue : nil))
        }
    }

    @Test(arguments: [
        ("a", true), ("0-a", true), ("a-", true), ("-a", false), ("", false), ("A", false), ("a_b", false), ("é", false), ("abcd", false),
    ])
    func `a name has lower-case letters, digits and hyphens within`(_ text: String, _ isName: Bool) {
        #expect(text.isName(atMost: 3) == isName)
    }
}
