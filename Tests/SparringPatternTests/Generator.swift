/// Draws expressions, and texts that have a chance of fitting them; the same ones for the same seed, on every machine.
///
/// What repeats without end holds nothing that repeats: an engine that backtracks would not come back from it.
struct Generator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    /// SplitMix64 (Steele, Lea, Flood 2014).
    private mutating func draw() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var value = state
        value = (value ^ value >> 30) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ value >> 27) &* 0x94D0_49BB_1331_11EB
        return value ^ value >> 31
    }

    private mutating func number(_ range: ClosedRange<Int>) -> Int {
        range.lowerBound + Int(draw() % UInt64(range.upperBound - range.lowerBound + 1))
    }

    private mutating func oneOf(_ list: [String]) -> String { list[number(0...list.count - 1)] }

    /// Up to 12 characters, of those that expressions have too.
    mutating func text() -> String {
        (0..<number(0...12)).map { _ in oneOf(Self.characters) }.joined()
    }

    private static let characters = ["a", "a", "a", "b", "b", "A", "B", "1", "7", "_", "-", " ", "\n", "é", "ß", "😀", ".", "k", "s"]

    /// - Parameter flags: whether parts may have flags. Then there is no `\p{Lu}`: without case Swift still wants the upper one.
    mutating func expression(depth: Int = 3, flags: Bool = false) -> String {
        let alternatives = number(1...6) == 1 ? number(2...3) : 1
        return (0..<alternatives).map { _ in sequence(depth, flags) }.joined(separator: "|")
    }

    private mutating func sequence(_ depth: Int, _ flags: Bool) -> String {
        (0..<number(depth == 3 ? 1...4 : 1...3)).map { _ in part(depth, flags) }.joined()
    }

    private mutating func part(_ depth: Int, _ flags: Bool) -> String {
        switch number(1...14) {
        case 1: return oneOf(["^", "$", "\\b", "\\B"])
        case 2...4 where depth > 0:
            let opening = flags ? oneOf(["(", "(?:", "(?i:", "(?s:", "(?i-s:"]) : oneOf(["(", "(?:"])
            var inner = expression(depth: depth - 1, flags: flags)
            if flags { inner = inner.replacing("\\p{Lu}", with: "\\p{L}") }
            let isRepeated = inner.contains { "*+?{".contains($0) }
            return opening + inner + ")" + oneOf(["", "", "", "?", "{2}", "{0,2}"] + (isRepeated ? [] : ["*", "+", "{2,}"]))
        default: return atom() + quantifier()
        }
    }

    private mutating func atom() -> String {
        switch number(1...10) {
        case 1: return "."
        case 2: return oneOf(["\\d", "\\D", "\\w", "\\W", "\\s", "\\S"])
        case 3, 4: return characterClass()
        case 5: return oneOf(["\\n", "\\.", "\\x61", "\\u0062", "\\u00e9", "\\$", "\\p{L}", "\\P{L}", "\\p{Lu}", "\\p{Nd}"])
        default: return oneOf(["a", "a", "b", "A", "1", "_", "-", " ", "é", "😀", "k"])
        }
    }

    private mutating func characterClass() -> String {
        let members = (0..<number(1...3)).map { _ in
            oneOf(["a", "b", "B", "1", "é", "_", "\\-", " ", "a-c", "0-5", "A-Z", "ß-é", "\\d", "\\w", "\\s", "\\D", "\\n", "\\."])
        }
        return (number(1...3) == 1 ? "[^" : "[") + members.joined() + "]"
    }

    private mutating func quantifier() -> String {
        switch number(1...12) {
        case 1: "*"
        case 2: "+"
        case 3: "?"
        case 4: oneOf(["{2}", "{0}", "{1}", "{3}"])
        case 5: oneOf(["{0,2}", "{1,3}", "{2,4}", "{0,1}"])
        case 6: oneOf(["{0,}", "{2,}", "{1,}"])
        case 7: oneOf(["*?", "+?", "??", "{1,2}?", "{2,}?"])
        default: ""
        }
    }
}
