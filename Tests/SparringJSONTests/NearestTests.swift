import Testing

@testable import SparringJSON

/// The suggestion for an unknown word, and the cost of finding it: counted in cells of the table that a distance is read from.
@Suite struct NearestTests {
    @Test(
        arguments: [
            ("summary", "summary", 0), ("sumary", "summary", 1), ("summray", "summary", 1), ("symmary", "summary", 1), ("", "ab", 2),
            ("ab", "", 2),
            ("ca", "abc", 3), ("kitten", "sitting", 3), ("flaw", "lawn", 2), ("abcdef", "ghijkl", 6),
        ] as [(String, String, Int)])
    func `a distance counts insertions, removals, replacements and swaps, and is not told beyond the limit`(
        _ one: String, _ other: String, _ distance: Int
    ) {
        for limit in 0...8 {
            var distances = EditDistance()
            #expect(distances.between(one.utf8, other.utf8, atMost: limit) == (distance <= limit ? distance : nil), "\(limit)")
        }
    }

    @Test func `a comparison fills in a band as wide as the limit, and none for words of too different lengths or too long`() {
        let word = Array(repeating: UInt8(ascii: "a"), count: EditDistance.longest)
        var distances = EditDistance()
        #expect(distances.between(word, word.dropLast(3), atMost: 3) == 3)
        #expect(distances.cells <= 7 * word.count)
        let cells = distances.cells
        #expect(distances.between(word, word.dropLast(4), atMost: 3) == nil)
        #expect(distances.between(word + word, word + word, atMost: 3) == nil)
        #expect(distances.cells == cells, "what is decided without looking costs nothing")
        #expect(distances.between(word, word.map { $0 + 1 }, atMost: 1000) == nil)
        #expect(distances.cells - cells <= 2 * EditDistance.farthest * (2 * EditDistance.farthest + 1), "given up early")
    }

    @Test func `a search ends when its budget is spent`() {
        let word = Array(repeating: UInt8(ascii: "a"), count: 100)
        var distances = EditDistance(budget: 10_000)
        for _ in 0..<1000 { _ = distances.between(word, word, atMost: 16) }
        #expect(distances.cells < 10_000 + 33 * 100)
    }

    @Test(
        arguments: [
            ("defualt", ["default", "other"], ["default"]), ("DEFAULT", ["default"], ["default"]), ("nothing like it", ["default"], []),
            ("ab", ["ad", "ac", "ab1", "abcdefgh"], ["ab1", "ac", "ad"]),
            ("pusher-down", ["pusher-up", "pusher-down-for-31s", "pusher-down-at-once"], ["pusher-down-at-once", "pusher-down-for-31s"]),
            (
                "registerPush", ["cxone.registerPush", "liveperson.register", "liveperson.registerPush"],
                ["cxone.registerPush", "liveperson.registerPush"]
            ),
        ] as [(String, [String], [String])])
    func `the likeliest come first, and what is not near at all does not come`(_ word: String, _ known: [String], _ nearest: [String]) {
        #expect(Nearest.words(to: word, in: known) == nearest)
    }

    @Test(
        arguments: [
            ("sumary", " (did you mean 'summary'?)"), ("sum", " (did you mean 'summary' or 'summer'?)"), ("su", ""), ("winter", ""),
        ])
    func `a hint names the nearest word, else those that begin so`(_ word: String, _ hint: String) {
        #expect(Nearest.hint(for: word, in: ["summary", "summer", "other"]) == hint)
    }

    @Test(arguments: [
        ("identity.tokn", "identity.token"), ("identity.tok", "identity.token"), ("identity.t", nil), ("identity.token", "identity.token"),
    ])
    func `a slip is two letters at most`(_ word: String, _ meant: String?) {
        #expect(Nearest.slip(of: word, in: ["identity.token", "identity.jwks"]) == meant)
    }

    @Test func `among six thousand sandboxes a thousand are looked at, for no more than a millisecond's work`() {
        let known = (0..<6000).map { "sandbox-\($0)-of-a-client-with-a-long-name" }
        var distances = EditDistance()
        #expect(Nearest.words(to: "sandbox-7-of-a-client-with-a-lnog-name", in: known, &distances).first == known[7])
        #expect(distances.cells <= 300_000 + 33 * EditDistance.longest)
        #expect(Nearest.words(to: known[1000], in: known).first == known[100], "the thousand-and-first is not looked at")
        var none = EditDistance()
        for count in [EditDistance.longest + 1, 1 << 20] {
            #expect(Nearest.words(to: String(repeating: "1", count: count), in: known, &none) == [])
        }
        #expect(none.cells == 0)
    }
}
