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
