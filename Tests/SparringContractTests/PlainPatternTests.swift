@testable import SparringContract
import Testing

struct PlainPatternTests {
    @Test(
        arguments: [
            "^[0-9]+$", "^[a-z][a-z0-9-]*$", "^[A-Za-z0-9_-]+\\.[a-z]+$", "^Bearer ", "^a{2}b{1,}c{0,2}$", "^\\d\\w?$", "^a-b\\$$", "^",
            "^$", "^a?b$",
            "^[.\\-]x$", "^a{2,3}",
        ],
        [
            "", "a", "7", "42", "a-1", "-", "ab.c", "ab.", "Bearer x", "Bearer", "aabc", "aab", "aaab", "aabccc", "7x", "a-b$", "b", ".x",
            "-x", "é", "7\n", "٣",
        ])
    func `A plain pattern matches what the engine matches`(pattern: String, subject: String) throws {
        let plain = try #require(PlainPattern(pattern))
        #expect(try plain.matches(subject) == SchemaPattern(pattern).matchesByEngine(subject))
    }

    @Test(arguments: [
        "a", "^a|b$", "^(a)$", "^.$", "^[^a]$", "^a*ab$", "^a*b?a$", "^[a-z]+?$", "^a$b", "^é$", "^[é]$", "^\\s$", "^[+--]$", "^[[a]]$",
        "^[a&&b]$", "^a{,2}$",
    ])
    func `Anything else is left to the engine`(pattern: String) {
        #expect(PlainPattern(pattern) == nil)
    }
}
