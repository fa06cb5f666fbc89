import SparringJSON
import SparringJournal

extension Fault {
    /// The text form, parameters in a fixed order and defaults left out.
    public var text: String {
        ([place.description, effect.word] + parameters.map { "\($0.name)=\($0.value)" }).joined(separator: " ")
    }

    /// Everything behind the effect, by name.
    var parameters: [(name: String, value: String)] {
        var out: [(String, String)] = []
        switch effect {
        case .status(let code, let retryAfter):
            out.append(("code", String(code)))
            if let retryAfter { out.append(("retry-after", retryAfter.shortText)) }
        case .delay(let by): out.append(("by", by.shortText))
        case .refusal, .reset, .emptyResponse: break
        }
        if phase != .onRequestEnd { out.append(("phase", phase.rawValue)) }
        if let times = trigger.times { out.append(("times", String(times))) }
        if trigger.skip > 0 { out.append(("skip", String(trigger.skip))) }
        if trigger.every > 1 { out.append(("every", String(trigger.every))) }
        if let probability = trigger.probability { out.append(("probability", String(probability))) }
        if trigger.per != .sandbox { out.append(("per", trigger.per.rawValue)) }
        return out
    }
}

/// Which known words are like an unknown one.
public enum Nearest {
    /// At most three, the likeliest first.
    public static func words(to word: String, in known: [String]) -> [String] {
        let word = Array(word.lowercased().utf8)
        let ranked = known.map { (name: $0, distance: distance(word, Array($0.lowercased().utf8))) }
            .filter { $0.distance <= max(3, word.count / 2) }
            .sorted { ($0.distance, $0.name) < ($1.distance, $1.name) }
        return ranked.prefix(3).map(\.name)
    }

    /// Levenshtein's.
    private static func distance(_ a: [UInt8], _ b: [UInt8]) -> Int {
        var row = Array(0...b.count)
        for (i, x) in a.enumerated() {
            var diagonal = row[0]
            row[0] = i + 1
            for (j, y) in b.enumerated() {
                (diagonal, row[j + 1]) = (row[j + 1], min(row[j + 1] + 1, row[j] + 1, diagonal + (x == y ? 0 : 1)))
            }
        }
        return row[b.count]
    }
}
