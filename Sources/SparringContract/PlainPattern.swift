/// A regular expression so plain that one walk over the bytes decides it: anchored at the start, a row of ASCII characters and classes with
/// quantifiers, such as `^[a-z][a-z0-9-]*$`. Ids are described so, they come with every request, and Swift's `Regex` takes 5 µs for each.
struct PlainPattern: Sendable {
    private struct Atom {
        var set: ASCIISet
        var minimum = 1
        var maximum = 1
    }

    private var atoms: [Atom] = []
    private var isAnchoredAtEnd = false

    func matches(_ subject: String) -> Bool {
        var rest = subject.utf8[...]
        for atom in atoms {
            var count = 0
            while count < atom.maximum, let byte = rest.first, atom.set.contains(byte) {
                rest.removeFirst()
                count += 1
            }
            if count < atom.minimum { return false }
        }
        return !isAnchoredAtEnd || rest.isEmpty
    }

    /// Nil where the expression is not plain.
    init?(_ text: String) {
        var rest = text.utf8[...]
        guard rest.popFirst() == UInt8(ascii: "^") else { return nil }
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "$") {
                guard rest.isEmpty else { return nil }
                isAnchoredAtEnd = true
                break
            }
            guard let set = Self.set(byte, &rest), let (minimum, maximum) = Self.quantifier(&rest) else { return nil }
            atoms.append(Atom(set: set, minimum: minimum, maximum: maximum))
        }
        guard isDeterministic else { return nil }
    }

    /// Whether taking as much as possible is always right: what may follow a repeated atom begins with none of its characters.
    private var isDeterministic: Bool {
        for (index, atom) in atoms.enumerated() where atom.minimum != atom.maximum {
            for next in atoms[(index + 1)...] {
                if !atom.set.isDisjoint(with: next.set) { return false }
                if next.minimum > 0 { break }
            }
        }
        return true
    }

    /// One character, escape or class.
    private static func set(_ byte: UInt8, _ rest: inout Substring.UTF8View) -> ASCIISet? {
        switch byte {
        case UInt8(ascii: "["): bracketed(&rest)
        case UInt8(ascii: "\\"): rest.popFirst().flatMap(escaped)
        case _ where byte >= 0x80 || "^$.*+?()[]{}|".utf8.contains(byte): nil
        default: ASCIISet(byte...byte)
        }
    }

    private static func escaped(_ byte: UInt8) -> ASCIISet? {
        switch byte {
        case UInt8(ascii: "d"): ASCIISet.digits
        case UInt8(ascii: "w"): ASCIISet.words
        case _ where byte >= 0x80 || ASCIISet.words.contains(byte): nil
        default: ASCIISet(byte...byte)
        }
    }

    private static func bracketed(_ rest: inout Substring.UTF8View) -> ASCIISet? {
        var set = ASCIISet()
        while let byte = rest.popFirst(), byte != UInt8(ascii: "]") {
            if byte == UInt8(ascii: "\\") {
                guard let escape = rest.popFirst().flatMap(escaped) else { return nil }
                set.formUnion(escape)
            } else if rest.first == UInt8(ascii: "-"), let last = rest.dropFirst().first, last != UInt8(ascii: "]") {
                // A range between anything but letters and digits is left to the real engine.
                guard ASCIISet.words.contains(byte), ASCIISet.words.contains(last), byte <= last else { return nil }
                rest.removeFirst(2)
                set.formUnion(ASCIISet(byte...last))
            } else {
                guard byte < 0x80, !"^[&~".utf8.contains(byte) else { return nil }
                set.formUnion(ASCIISet(byte...byte))
            }
        }
        return set.isEmpty ? nil : set
    }

    private static func quantifier(_ rest: inout Substring.UTF8View) -> (Int, Int)? {
        let bounds: (Int, Int)
        switch rest.first {
        case UInt8(ascii: "*"): bounds = (0, .max)
        case UInt8(ascii: "+"): bounds = (1, .max)
        case UInt8(ascii: "?"): bounds = (0, 1)
        case UInt8(ascii: "{"):
            guard let end = rest.firstIndex(of: UInt8(ascii: "}")) else { return nil }
            let numbers = rest[..<end].dropFirst().split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false).map {
                Int(Substring($0))
            }
            guard let minimum = numbers[0], numbers.count <= 2 else { return nil }
            let isOpen = numbers.count == 2 && rest[..<end].last == UInt8(ascii: ",")
            guard let maximum = isOpen ? .max : numbers[numbers.count - 1], minimum <= maximum else { return nil }
            rest = rest[end...]
            bounds = (minimum, maximum)
        default: return (1, 1)
        }
        rest.removeFirst()
        // A lazy or possessive quantifier.
        return rest.first.map { "?*+{".utf8.contains($0) } == true ? nil : bounds
    }
}

/// A set of ASCII bytes.
private struct ASCIISet: Sendable {
    private var low: UInt64 = 0
    private var high: UInt64 = 0

    static let digits = ASCIISet(UInt8(ascii: "0")...UInt8(ascii: "9"))
    static let words: ASCIISet = {
        var set = digits
        set.formUnion(ASCIISet(UInt8(ascii: "a")...UInt8(ascii: "z")))
        set.formUnion(ASCIISet(UInt8(ascii: "A")...UInt8(ascii: "Z")))
        set.formUnion(ASCIISet(UInt8(ascii: "_")...UInt8(ascii: "_")))
        return set
    }()

    init() {}

    init(_ bytes: ClosedRange<UInt8>) {
        for byte in bytes {
            if byte < 64 { low |= 1 << UInt64(byte) } else { high |= 1 << UInt64(byte & 63) }
        }
    }

    var isEmpty: Bool { low == 0 && high == 0 }
    func contains(_ byte: UInt8) -> Bool { byte < 64 ? low >> UInt64(byte) & 1 == 1 : byte < 128 && high >> UInt64(byte & 63) & 1 == 1 }
    func isDisjoint(with other: ASCIISet) -> Bool { low & other.low == 0 && high & other.high == 0 }

    mutating func formUnion(_ other: ASCIISet) {
        low |= other.low
        high |= other.high
    }
}
