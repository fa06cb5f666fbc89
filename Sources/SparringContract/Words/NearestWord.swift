internal import SparringJSON

/// Finds what the writer of an unknown word probably meant.
enum NearestWord {
    /// ` (did you mean 'summary'?)` for `sumary`, or nothing where no known word is near enough to be worth saying.
    static func hint(for word: String, among known: some Sequence<String>) -> String {
        var distances = EditDistance()
        return hint(for: word, among: known, &distances)
    }

    /// - Parameter distances: shared by all hints of one message, so that they share what they may cost.
    static func hint(for word: String, among known: some Sequence<String>, _ distances: inout EditDistance) -> String {
        var best: (word: String, distance: Int)?
        for candidate in known {
            let distance = distances.between(word.utf8, candidate.utf8, atMost: max(1, word.utf8.count / 3))
            if let distance, distance < best?.distance ?? .max { best = (candidate, distance) }
        }
        return best.map { " (did you mean '\($0.word)'?)" } ?? ""
    }
}
