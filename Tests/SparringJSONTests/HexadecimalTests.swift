import SparringJSON
import Testing

@Suite struct HexadecimalTests {
    @Test(arguments: [([], ""), ([0x00, 0x0F, 0xA0, 0xFF], "000fa0ff")] as [([UInt8], String)])
    func `each byte is two digits, in lower case`(_ bytes: [UInt8], _ digits: String) { #expect(bytes.hex == digits) }
}
