import SparringJSON
import Testing

struct TextPatternTests {
    @Test(arguments: [
        ("", "", true), ("a", "", false), ("", "a", false), ("ab", "ab", true), ("ab", "AB", false), ("ab", "abc", false), ("", "*", true),
        ("", "**", true), ("anything", "*", true), ("ab", "a*", true), ("ab", "*b", true), ("ab", "a*b", true), ("ab", "*a", false),
        ("aba", "ab*ba", false), ("abba", "ab*ba", true), ("aa", "a*a*a", false), ("aaa", "a*a*a", true), ("acb", "a*b*c", false),
        ("abbc", "a*b*c", true), ("aabaabaac", "*aabaac*", true), ("abcabd", "*abd", true), ("ababac", "*abac*", true),
        ("é", "*\u{e9}", true),
    ])
    func `a star stands for any characters`(_ text: String, _ pattern: String, _ isMatch: Bool) {
        #expect(TextPattern.matches(text, pattern) == isMatch)
    }

    /// Swift's `==` takes them for the same.
    @Test(arguments: [("\u{e9}", "e\u{301}"), ("\u{212A}ey", "Key"), ("caf\u{e9}!", "cafe\u{301}*"), ("a \u{e9} b", "*e\u{301}*")])
    func `what only looks the same does not match`(_ text: String, _ pattern: String) {
        #expect(!TextPattern.matches(text, pattern))
    }

    @Test func `a star ends within what a reader sees as one character`() {
        #expect(TextPattern.matches("e\u{301}", "e*"))
    }

    /// A search that starts again after each byte would compare 40,000,000,000 times.
    @Test(.timeLimit(.minutes(5)))
    func `a long piece that nearly fits everywhere is sought in one pass`() {
        let text = String(repeating: "a", count: 400_000)
        #expect(!TextPattern.matches(text, "*\(String(repeating: "a", count: 200_000))b*"))
        #expect(TextPattern.matches(text + "b", "*\(String(repeating: "a", count: 200_000))b*"))
    }
}
