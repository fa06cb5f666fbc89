/// The known words that are like an unknown one.
public enum Nearest {
    /// Words that are compared with an unknown one at most: the first ones.
    public static let mostKnown = 1000

    /// The likeliest first; none for a word longer than ``EditDistance/longest``. At most three that are spelt like it, or at most five that it is the beginning of, or
    /// one part of: `pusher-down` of `pusher-down-for-31s`, `registerPush` of `liveperson.registerPush`.
    public static func words(to word: String, in known: some Sequence<String>) -> [String] {
        let longer = longer(than: word, in: known, mostWords: 5)
        guard longer.isEmpty else { return longer }
        var distances = EditDistance()
        return words(to: word, in: known, &distances)
    }

    /// Characters of the shortest word that means all that begin with it.
    private static let shortestBeginning = 3

    private static func longer(than word: String, in known: some Sequence<String>, mostWords: Int) -> [String] {
        let word = word.lowercased()
        guard shortestBeginning...EditDistance.longest ~= word.utf8.count else { return [] }
        let known = known.prefix(mostKnown)
        let beginning = known.filter { $0.lowercased().hasPrefix(word) && $0.utf8.count > word.utf8.count }
        let longer = beginning.isEmpty ? known.filter { $0.lowercased().hasSuffix("." + word) } : beginning
        return Array(longer.sorted().prefix(mostWords))
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
        let near = self.word(to: word, in: known, &distances).map { [$0] } ?? longer(than: word, in: known, mostWords: 3)
        return near.isEmpty ? "" : " (did you mean \(choice(of: near.map { "'\($0)'" }))?)"
    }

    /// `a, b or c`
    public static func choice(of words: [String]) -> String {
        guard let last = words.last, words.count > 1 else { return words.first ?? "" }
        return words.dropLast().joined(separator: ", ") + " or " + last
    }

    /// The known word that `word` is a slip of the finger for: at most two letters differ.
    public static func slip(of word: String, in known: some Sequence<String>) -> String? {
        var distances = EditDistance()
        return self.word(to: word, in: known, atMost: 2, &distances)
    }

    /// Letters of the shortest name of which one can say that it was meant.
    private static let shortestName = 6

    /// Whether a name is surely meant for another: at most two letters differ, in a long word. One that counts further, as a version does, or has or lacks the `s` of a
    /// plural is another name.
    public static func isMisspelling(_ word: String, of known: String) -> Bool {
        guard word != known, min(word.utf8.count, known.utf8.count) >= shortestName, word + "s" != known, known + "s" != word,
            word.utf8.filter(\.isDigit) == known.utf8.filter(\.isDigit)
        else { return false }
        return slip(of: word, in: [known]) != nil
    }

    /// The known word that is nearest; nil where none is near enough to be worth saying.
    ///
    /// - Parameter limit: letters that differ at most; nil: one in three.
    public static func word(
        to word: String, in known: some Sequence<String>, atMost limit: Int? = nil, _ distances: inout EditDistance
    ) -> String? {
        let wanted = Array(word.lowercased().utf8)
        var best: (word: String, distance: Int)?
        for candidate in known.prefix(mostKnown) {
            let distance = distances.between(wanted, candidate.lowercased().utf8, atMost: limit ?? max(1, wanted.count / 3))
            if let distance, distance < best?.distance ?? .max { best = (candidate, distance) }
        }
        return best?.word
    }
}
