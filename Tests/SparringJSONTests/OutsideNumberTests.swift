import SparringJSON
import Testing

/// Numbers that strangers send: read within a range, and added without a trap.
@Suite struct OutsideNumberTests {
    @Test(
        arguments: [
            ("0", 0), ("65535", 65_535), ("007", 7), ("65536", nil), ("-1", nil), ("-0", nil), ("+5", nil), (" 5", nil), ("5 ", nil),
            ("", nil),
            ("-", nil), ("0x10", nil), ("1.0", nil), ("1e3", nil), ("٣", nil), ("99999999999999999999", nil),
        ] as [(String, UInt16?)])
    func `a text is a number of the range, in plain digits, or none`(_ text: String, _ number: UInt16?) {
        #expect(text.integer(in: 0...UInt16.max) == number)
    }

    @Test(
        arguments: [
            ("-9223372036854775808", Int64.min), ("9223372036854775807", .max), ("9223372036854775808", nil), ("-9223372036854775809", nil),
            ("-5", -5), ("+5", nil),
        ] as [(String, Int64?)])
    func `all 64 bits can be asked for`(_ text: String, _ number: Int64?) {
        #expect(text.integer(in: Int64.min...Int64.max) == number)
    }

    @Test func `a text of a million digits is none`() {
        #expect(String(repeating: "1", count: 1 << 20).integer(in: 0...Int.max) == nil)
    }

    @Test(
        arguments: [
            (1, 1), (1.0, 1), (1e3, nil), (100, 100), (101, nil), (-1, nil), (1.5, nil), ("1", nil), (true, nil), (.null, nil),
            (.number(.infinity), nil), (.number(.nan), nil), (.number(1e300), nil), (.integer(.max), nil), (.integer(.min), nil),
            ([1], nil),
        ] as [(JSON, Int?)])
    func `a JSON value is a whole number of the range, however it was written, or none`(_ json: JSON, _ number: Int?) {
        #expect(json.integer(in: 1...100) == number)
    }

    @Test func `sums, differences and products end where the type does`() {
        #expect(Int64.max.addingClamped(1) == .max && Int64.min.addingClamped(-1) == .min && Int64(2).addingClamped(-3) == -1)
        #expect(Int64.max.subtractingClamped(-1) == .max && Int64.min.subtractingClamped(1) == .min && Int64(2).subtractingClamped(3) == -1)
        #expect(Int64.min.multipliedClamped(by: -1) == .max && Int64.max.multipliedClamped(by: -1000) == .min)
        #expect(Int64.min.multipliedClamped(by: 2) == .min && Int64(-4).multipliedClamped(by: 5) == -20)
        #expect(UInt8(3).subtractingClamped(4) == 0 && UInt8(200).addingClamped(100) == 255 && UInt8(16).multipliedClamped(by: 16) == 255)
    }

    @Test(
        arguments: [
            (1.9, 1), (-1.9, -1), (-0.0, 0), (9.2e18, 9_200_000_000_000_000_000), (9.3e18, .max), (-9.3e18, .min), (.infinity, .max),
            (-.infinity, .min), (.nan, 0),
        ] as [(Double, Int64)])
    func `a fraction is made whole, and what is too large is the largest`(_ value: Double, _ number: Int64) {
        #expect(Int64(clamped: value) == number)
    }
}
