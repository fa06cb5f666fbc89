/// A set of Unicode code points. Surrogates may be in it, as ECMA-262 allows; they occur in no text.
struct PatternSet: Hashable, Sendable {
    /// In order, with something between each and the next.
    let ranges: [ClosedRange<UInt32>]
    /// The same for ASCII, one bit each.
    private let low: UInt64
    private let high: UInt64

    static let last: UInt32 = 0x10FFFF
    static let all = PatternSet([0...last])

    /// - Parameter ranges: in any order; they may overlap.
    init(_ ranges: [ClosedRange<UInt32>]) {
        var merged: [ClosedRange<UInt32>] = []
        for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) {
            if let previous = merged.last, range.lowerBound <= previous.upperBound + 1 {
                merged[merged.count - 1] = previous.lowerBound...max(previous.upperBound, range.upperBound)
            } else {
                merged.append(range)
            }
        }
        self.ranges = merged
        (low, high) = (Self.bits(merged, from: 0), Self.bits(merged, from: 64))
    }

    init(_ scalar: UInt32) { self.init([scalar...scalar]) }

    /// 64 bits for as many code points.
    private static func bits(_ ranges: [ClosedRange<UInt32>], from first: UInt32) -> UInt64 {
        var bits: UInt64 = 0
        for range in ranges where range.overlaps(first...(first + 63)) {
            for scalar in range.clamped(to: first...(first + 63)) { bits |= 1 << UInt64(scalar - first) }
        }
        return bits
    }

    func contains(_ scalar: UInt32) -> Bool {
        if scalar < 64 { return low >> UInt64(scalar) & 1 == 1 }
        if scalar < 128 { return high >> UInt64(scalar - 64) & 1 == 1 }
        var (first, end) = (0, ranges.count)
        while first < end {
            let middle = (first + end) / 2
            if ranges[middle].upperBound < scalar { first = middle + 1 } else { end = middle }
        }
        return first < ranges.count && ranges[first].lowerBound <= scalar
    }

    var inverted: PatternSet {
        var gaps: [ClosedRange<UInt32>] = []
        var next: UInt32 = 0
        for range in ranges {
            if next < range.lowerBound { gaps.append(next...(range.lowerBound - 1)) }
            next = range.upperBound + 1
        }
        if next <= Self.last { gaps.append(next...Self.last) }
        return PatternSet(gaps)
    }
}

/// The sets that have a name in ECMA-262.
extension PatternSet {
    static let digits = PatternSet([0x30...0x39])
    static let words = PatternSet([0x30...0x39, 0x41...0x5A, 0x5F...0x5F, 0x61...0x7A])
    /// LineTerminator (§12.3), which `.` leaves out.
    static let lineBreaks = PatternSet([0xA...0xA, 0xD...0xD, 0x2028...0x2029])
    /// WhiteSpace and LineTerminator (§12.2, §12.3).
    static let spaces = PatternSet([
        0x9...0xD, 0x20...0x20, 0xA0...0xA0, 0x1680...0x1680, 0x2000...0x200A, 0x2028...0x2029, 0x202F...0x202F, 0x205F...0x205F,
        0x3000...0x3000, 0xFEFF...0xFEFF,
    ])
    static let noLineBreaks = lineBreaks.inverted
}
