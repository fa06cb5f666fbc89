/// A condition that an expression may set for a place between two characters.
enum PatternAssertion: Sendable {
    case textStart, textEnd
    /// `^` and `$` with the flag `m`.
    case lineStart, lineEnd
    case wordBoundary, noWordBoundary

    func holds(after previous: PatternSide, before next: PatternSide) -> Bool {
        switch self {
        case .textStart: previous.contains(.outside)
        case .textEnd: next.contains(.outside)
        case .lineStart: !previous.isDisjoint(with: [.outside, .lineBreak])
        case .lineEnd: !next.isDisjoint(with: [.outside, .lineBreak])
        case .wordBoundary: previous.contains(.word) != next.contains(.word)
        case .noWordBoundary: previous.contains(.word) == next.contains(.word)
        }
    }
}

/// One side of a place, as an assertion sees it: the kind of the character there, or that there is none.
struct PatternSide: OptionSet, Hashable, Sendable {
    var rawValue: UInt8

    /// Before the first character or after the last one.
    static let outside = PatternSide(rawValue: 1)
    static let word = PatternSide(rawValue: 2)
    static let lineBreak = PatternSide(rawValue: 4)

    init(rawValue: UInt8) { self.rawValue = rawValue }

    init(_ scalar: UInt32) {
        self = PatternSet.words.contains(scalar) ? .word : PatternSet.lineBreaks.contains(scalar) ? .lineBreak : []
    }
}
