/// Finds what the writer of an unknown word probably meant.
enum NearestWord {
    /// ` (did you mean 'summary'?)` for `sumary`, or nothing where no known word is near enough to be worth saying.
    static func hint(for word: String, among known: some Sequence<String>) -> String {
        var best: (word: String, distance: Int)?
        for candidate in known {
            let distance = distance(Array(word.utf8), Array(candidate.utf8))
            if distance < (best?.distance ?? .max) { best = (candidate, distance) }
        }
        guard let best, best.distance <= max(1, word.utf8.count / 3) else { return "" }
        return " (did you mean '\(best.word)'?)"
    }

    /// How many bytes must be inserted, removed, replaced or swapped with their neighbour to make one text of the other
    /// (optimal string alignment distance).
    static func distance(_ a: some Collection<UInt8>, _ b: some Collection<UInt8>) -> Int {
        let a = Array(a)
        let b = Array(b)
        guard !a.isEmpty, !b.isEmpty else { return max(a.count, b.count) }
        var beforeLast = [Int](repeating: 0, count: b.count + 1)
        var last = Array(0...b.count)
        var current = last
        for i in 1...a.count {
            current[0] = i
            for j in 1...b.count {
                let replaced = last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)
                current[j] = min(last[j] + 1, current[j - 1] + 1, replaced)
                if i > 1, j > 1, a[i - 1] == b[j - 2], a[i - 2] == b[j - 1] { current[j] = min(current[j], beforeLast[j - 2] + 1) }
            }
            (beforeLast, last, current) = (last, current, beforeLast)
        }
        return last[b.count]
    }
}
