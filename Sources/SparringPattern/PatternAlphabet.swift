/// Characters that an expression does not distinguish, under one number.
struct PatternAlphabet: Sendable {
    /// The class of each ASCII character, by its value.
    private(set) var ascii: [UInt8] = []
    /// The characters at which another class begins, in order, and these classes.
    private var starts: [UInt32] = []
    private var classes: [UInt8] = []
    /// One of each class, by its number.
    private(set) var examples: [UInt32] = []

    /// The largest number of classes, some less than a `UInt8` has values.
    static let limit = 200
    /// Bounds the work: looks of a boundary into a set.
    private static let work = 100_000

    /// Nil above ``limit`` or too much work.
    init?(_ sets: [PatternSet]) {
        var boundaries: Set<UInt32> = [0]
        for range in sets.lazy.flatMap(\.ranges) {
            boundaries.insert(range.lowerBound)
            if range.upperBound < PatternSet.last { boundaries.insert(range.upperBound + 1) }
            guard boundaries.count * sets.count <= Self.work else { return nil }
        }
        var numbers: [[UInt64]: UInt8] = [:]
        for boundary in boundaries.sorted() {
            var members = [UInt64](repeating: 0, count: (sets.count + 63) / 64)
            for (index, set) in sets.enumerated() where set.contains(boundary) { members[index / 64] |= 1 << UInt64(index % 64) }
            if let number = numbers[members] {
                classes.append(number)
            } else {
                guard examples.count < Self.limit else { return nil }
                classes.append(UInt8(examples.count))
                numbers[members] = UInt8(examples.count)
                examples.append(boundary)
            }
            starts.append(boundary)
        }
        ascii = (0..<128).map { UInt8(number(of: $0)) }
    }

    func number(of scalar: UInt32) -> Int {
        var (first, end) = (0, starts.count)
        while first + 1 < end {
            let middle = (first + end) / 2
            if starts[middle] <= scalar { first = middle } else { end = middle }
        }
        return Int(classes[first])
    }
}
