/// Reads an expression into ``PatternNode``s, from left to right and without recursion.
struct PatternParser {
    /// A group whose end was not read yet; the first is the whole expression.
    private struct Group {
        var position: Int
        /// The flags that apply again behind it.
        var outerFlags: Flags
        /// Those of its alternatives that are complete.
        var alternatives: [PatternNode] = []
        var sequence: [PatternNode] = []
        /// The number of states of all its parts so far.
        var states = 0

        var node: PatternNode { .choice(alternatives + [.sequence(sequence)]) }
    }

    struct Flags: OptionSet {
        var rawValue: UInt8

        static let ignoresCase = Flags(rawValue: 1)
        static let multiline = Flags(rawValue: 2)
        static let dotAll = Flags(rawValue: 4)
    }

    let dialect: Pattern.Dialect
    private let scalars: [Unicode.Scalar]
    /// The position of what is read next, counted from 0.
    private(set) var position = 0
    var flags: Flags = []
    var groupNames: Set<String> = []
    private var groups = [Group(position: 0, outerFlags: [])]

    static func parse(_ text: String, _ dialect: Pattern.Dialect) throws(PatternError) -> PatternNode {
        var parser = PatternParser(text, dialect)
        return try parser.parse()
    }

    private init(_ text: String, _ dialect: Pattern.Dialect) {
        self.dialect = dialect
        scalars = Array(text.unicodeScalars.prefix(PatternLimits.length + 1))
    }

    private mutating func parse() throws(PatternError) -> PatternNode {
        guard scalars.count <= PatternLimits.length else {
            position = PatternLimits.length
            throw refused(0, "an expression has at most \(PatternLimits.length) characters", isMalformed: false)
        }
        while let scalar = next {
            switch scalar {
            case "(": try openGroup()
            case ")": try closeGroup()
            case "|":
                groups[groups.count - 1].alternatives.append(.sequence(groups[groups.count - 1].sequence))
                groups[groups.count - 1].sequence = []
                position += 1
                try count(1, from: position - 1)
            case "*", "+", "?": throw refused(1, "there is nothing to repeat before it")
            case "{", "}", "]": throw refused(1, "as a character it is written \\\(scalar)")
            default: try atom(scalar)
            }
        }
        guard groups.count == 1 else { throw refused("(", at: groups[groups.count - 1].position, "the group has no ')'") }
        return groups[0].node
    }

    private mutating func atom(_ scalar: Unicode.Scalar) throws(PatternError) {
        let start = position
        switch scalar {
        case "^": try append(assertion: flags.contains(.multiline) ? .lineStart : .textStart)
        case "$": try append(assertion: flags.contains(.multiline) ? .lineEnd : .textEnd)
        case ".":
            position += 1
            try append(.one(flags.contains(.dotAll) ? .all : .noLineBreaks), from: start)
        case "[": try append(.one(try characterClass()), from: start)
        case "\\" where peek(1) == "b": try append(assertion: .wordBoundary, length: 2)
        case "\\" where peek(1) == "B": try append(assertion: .noWordBoundary, length: 2)
        case "\\": try append(.one(cased(try escape(inClass: false).set)), from: start)
        default:
            position += 1
            try append(.one(cased(PatternSet(scalar.value))), from: start)
        }
    }

    private mutating func append(assertion: PatternAssertion, length: Int = 1) throws(PatternError) {
        let start = position
        position += length
        if let scalar = next, "*+?{".unicodeScalars.contains(scalar) { throw refused(1, "an assertion cannot be repeated") }
        try append(.assertion(assertion), from: start)
    }

    /// Takes an atom with the quantifier behind it, if any.
    ///
    /// - Parameter start: where the atom begins.
    private mutating func append(_ node: PatternNode, from start: Int) throws(PatternError) {
        let quantifier = position
        if let (minimum, maximum) = try repetition() {
            try append(.repetition(node, minimum: minimum, maximum: maximum), counted: quantifier)
        } else {
            try append(node, counted: start)
        }
    }

    private mutating func append(_ node: PatternNode, counted start: Int) throws(PatternError) {
        try count(node.states, from: start)
        if !node.isEmpty { groups[groups.count - 1].sequence.append(node) }
    }

    /// - Parameter start: of the part that would be one too many.
    private mutating func count(_ states: Int, from start: Int) throws(PatternError) {
        groups[groups.count - 1].states += states
        let limit = PatternLimits.states(dialect)
        guard groups.reduce(0, { $0 + $1.states }) <= limit else {
            throw refused(
                start, 0, "the expression needs more than \(limit) states; each character of it is one, as often as it is counted",
                isMalformed: false)
        }
    }

    // MARK: Groups

    private mutating func openGroup() throws(PatternError) {
        guard groups.count <= PatternLimits.depth else {
            throw refused(1, "groups stand in groups at most \(PatternLimits.depth) times", isMalformed: false)
        }
        let start = position
        let outerFlags = flags
        let isFirst = groups.count == 1 && groups[0].sequence.isEmpty && groups[0].alternatives.isEmpty
        position += 1
        guard try groupHead(from: start, isFirst: isFirst) else { return }
        groups.append(Group(position: start, outerFlags: outerFlags))
    }

    private mutating func closeGroup() throws(PatternError) {
        guard groups.count > 1, let group = groups.popLast() else { throw refused(1, "there is no group that it could end") }
        position += 1
        flags = group.outerFlags
        try append(group.node, from: group.position)
    }

    // MARK: What is read

    var next: Unicode.Scalar? { peek(0) }
    func peek(_ offset: Int) -> Unicode.Scalar? { position + offset < scalars.count ? scalars[position + offset] : nil }

    mutating func skip(_ count: Int) { position += count }

    mutating func take(_ scalar: Unicode.Scalar) -> Bool {
        guard next == scalar else { return false }
        position += 1
        return true
    }

    /// The text between two positions; without an end, up to what is read next.
    func text(from start: Int, to end: Int? = nil) -> String {
        var text = ""
        text.unicodeScalars.append(contentsOf: scalars[start..<min(end ?? position, scalars.count)])
        return text
    }

    /// The set as the flags want it.
    func cased(_ set: PatternSet) -> PatternSet { flags.contains(.ignoresCase) ? set.withOtherCases : set }
}

/// Errors of a parser.
extension PatternParser {
    /// - Parameter length: of the part, which begins where the parser stands.
    func refused(_ length: Int, _ reason: String, isMalformed: Bool = true) -> PatternError {
        refused(position, length, reason, isMalformed: isMalformed)
    }

    /// - Parameter length: how much of the part, which begins at `start`, is yet to be read.
    func refused(_ start: Int, _ length: Int, _ reason: String, isMalformed: Bool = true) -> PatternError {
        refused(text(from: start, to: position + length), at: start, reason, isMalformed: isMalformed)
    }

    func refused(_ part: String, at start: Int, _ reason: String, isMalformed: Bool = true) -> PatternError {
        PatternError(isMalformed: isMalformed, part: part, position: start + 1, reason: reason)
    }
}
