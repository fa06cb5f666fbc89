/// Which known words are like an unknown one.
public enum Nearest {
    /// Words that are compared with an unknown one at most: the first ones.
    public static let mostKnown = 1000

    /// At most three, the likeliest first; none for a word longer than ``EditDistance/longest``.
    public static func words(to word: String, in known: some Sequence<String>) -> [String] {
        var distances = EditDistance()
        return words(to: word, in: known, &distances)
    }

    static func words(to word: String, in known: some Sequence<String>, _ distances: inout EditDistance) -> [String] {
        guard word.utf8.count <= EditDistance.longest else { return [] }
        let word = Array(word.lowercased().utf8)
        var near: [(name: String, distance: Int)] = []
        for name in known.prefix(mostKnown) where name.utf8.count <= EditDistance.longest {
            if let distance = distances.between(word, name.lowercased().utf8, atMost: max(3, word.count / 2)) {
                near.append((name, distance))
            }
        }
        return near.sorted { ($0.distance, $0.name) < ($1.distance, $1.name) }.prefix(3).map(\.name)
    }

    /// ` (did you mean 'summary'?)` for `sumary`; empty where no known word is near enough to be worth saying.
    public static func hint(for word: String, in known: some Sequence<String>) -> String {
        var distances = EditDistance()
        return hint(for: word, in: known, &distances)
    }

    /// - Parameter distances: shared by all hints of one message, so that they share what they may cost.
    public static func hint(for word: String, in known: some Sequence<String>, _ distances: inout EditDistance) -> String {
        let wanted = Array(word.lowercased().utf8)
        var best: (word: String, distance: Int)?
        for candidate in known.prefix(mostKnown) {
            let distance = distances.between(wanted, candidate.lowercased().utf8, atMost: max(1, wanted.count / 3))
            if let distance, distance < best?.distance ?? .max { best = (candidate, distance) }
        }
        return best.map { " (did you mean '\($0.word)'?)" } ?? ""
    }
}
