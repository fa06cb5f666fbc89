import SparringJSON
import SparringJournal

/// The values of the replay that take the place of the recording's: the n-th id stays the n-th id.
struct Correspondence {
    private var replayed: [String: String] = [:]
    private var recorded: [String: String] = [:]
    /// The recorded values that the replay has others for, the longest first.
    private var differing: [String] = []
    /// The replayed times for each recorded second, in which several things may have been done.
    private var times: [Int64: Set<Timestamp>] = [:]

    /// Characters of the shortest value that is looked for within texts.
    private static let shortest = 4

    /// The outcome for two values at the same place.
    enum Match: Equatable {
        /// They had been seen together, or neither had been seen.
        case same
        /// The recorded one was another value of the replay before.
        case renamed(before: String)
        /// The replayed one stood for another recorded value before.
        case merged(with: String)
    }

    /// Notes that two values stand at the same place.
    mutating func pair(_ value: String, _ other: String) -> Match {
        if let known = replayed[value] { return known == other ? .same : .renamed(before: known) }
        if let known = recorded[other], known != value { return .merged(with: known) }
        note(value, other)
        return .same
    }

    /// Lets one value stand for another from now on.
    mutating func note(_ value: String, _ other: String) {
        replayed[value] = other
        if recorded[other] == nil { recorded[other] = value }
        guard value != other, value.count >= Self.shortest else { return }
        differing.insert(value, at: differing.firstIndex { $0.count < value.count } ?? differing.endIndex)
    }

    /// Lets one time stand for another from now on.
    mutating func note(_ time: Timestamp, _ other: Timestamp) { times[time.milliseconds / 1000, default: []].insert(other) }

    /// One time stands for the other. Some operations round to whole seconds what others give to the millisecond.
    func knows(_ time: Timestamp, as other: Timestamp) -> Bool {
        times[time.milliseconds / 1000]?.contains { abs(($0 - other).milliseconds) < 1000 } ?? false
    }

    /// Something that was recorded has this value in the replay.
    func isUsed(_ other: String) -> Bool { recorded[other] != nil }

    func knows(_ value: String) -> Bool { replayed[value] != nil }

    /// A recorded text with the values of the replay in it.
    func translate(_ text: String) -> String {
        if let whole = replayed[text] { return whole }
        var text = text
        for value in differing where text.contains(value) { text = Self.replace(value, by: replayed[value] ?? value, in: text) }
        return text
    }

    /// Replaces whole words only: a number may be part of another.
    private static func replace(_ value: String, by other: String, in text: String) -> String {
        var (result, rest) = ("", text[...])
        while let range = rest.firstRange(of: value) {
            let isBegun =
                (range.lowerBound > rest.startIndex ? rest[rest.index(before: range.lowerBound)] : result.last).map(isOfWord) ?? false
            let isLonger = range.upperBound < rest.endIndex && isOfWord(rest[range.upperBound])
            let isWhole = !(isBegun && value.first.map(isOfWord) == true) && !(isLonger && value.last.map(isOfWord) == true)
            result += rest[..<range.lowerBound] + (isWhole ? other[...] : rest[range])
            rest = rest[range.upperBound...]
        }
        return result + rest
    }

    private static func isOfWord(_ character: Character) -> Bool { character.isLetter || character.isNumber || character == "_" }

    func translate(_ json: JSON) -> JSON {
        switch json {
        case .object(let members): .object(members.mapValues { translate($0) })
        case .array(let items): .array(items.map { translate($0) })
        case .string(let text): .string(translate(text))
        case .integer(let number):
            replayed[String(number)].flatMap { $0.integer(in: Int.min...Int.max) }.map { .integer(Int64($0)) } ?? json
        default: json
        }
    }
}
