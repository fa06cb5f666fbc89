extension Sequence<UInt8> {
    /// Two hexadecimal digits for each byte.
    @inlinable public var hex: String {
        func digit(_ value: UInt8) -> UInt8 { value + (value < 10 ? UInt8(ascii: "0") : UInt8(ascii: "a") - 10) }
        var out: [UInt8] = []
        out.reserveCapacity(underestimatedCount * 2)
        for byte in self {
            out.append(digit(byte >> 4))
            out.append(digit(byte & 0xF))
        }
        return String(decoding: out, as: UTF8.self)
    }
}
