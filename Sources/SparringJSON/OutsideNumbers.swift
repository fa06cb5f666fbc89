// Numbers come from outside: in a message, a query, a header, a token, a file, a database that somebody has edited. They enter here, each
// with the range in which it means something, so that no arithmetic on one can end the process.

extension JSON {
    /// The value as a whole number within a range, also when it was written `1.0` or `1e3`. Nil for everything else.
    public func integer<Number: FixedWidthInteger>(in range: ClosedRange<Number>) -> Number? {
        guard let value = integer, let number = Number(exactly: value), range.contains(number) else { return nil }
        return number
    }
}

extension StringProtocol {
    /// The whole number within a range that the text writes: decimal digits, with a `-` before them where it is below zero. Nil for everything
    /// else, a `+` and white space included.
    public func integer<Number: FixedWidthInteger>(in range: ClosedRange<Number>) -> Number? {
        guard utf8.first != UInt8(ascii: "+"), let number = Number(self), range.contains(number) else { return nil }
        return number < 0 || utf8.first != UInt8(ascii: "-") ? number : nil
    }
}
