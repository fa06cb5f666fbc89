import Foundation
@testable import SparringPattern
import Testing

/// Two engines that backtrack, as judges of what is found: Swift's own, and ICU's.
struct PatternPeerTests {
    /// Swift's `$` also stands before a last line break; `\z` does not.
    private func swift(_ expression: String) throws -> Regex<AnyRegexOutput> {
        try Regex(expression.replacing("\\$", with: "\\x24").replacing("$", with: "\\z"))
            .matchingSemantics(.unicodeScalar)
            .asciiOnlyDigits()
            .asciiOnlyWordCharacters()
    }

    /// ICU's classes are all of Unicode's, so they are written out.
    private func icu(_ expression: String) throws -> NSRegularExpression {
        let word = "[0-9A-Za-z_]"
        let plain = expression.replacing("\\$", with: "\\x24").replacing("$", with: "\\z")
            .replacing("\\b", with: "(?:(?<=\(word))(?!\(word))|(?<!\(word))(?=\(word)))")
            .replacing("\\B", with: "(?:(?<=\(word))(?=\(word))|(?<!\(word))(?!\(word)))")
            .replacing("\\d", with: "[0-9]").replacing("\\D", with: "[^0-9]")
            .replacing("\\w", with: word).replacing("\\W", with: "[^0-9A-Za-z_]")
        return try NSRegularExpression(pattern: plain)
    }

    @Test(arguments: [false, true])
    func `drawn expressions are found in drawn texts where others find them`(flags: Bool) throws {
        var generator = Generator(seed: flags ? 2 : 1)
        var count = 0
        for _ in 0..<1000 {
            let expression = generator.expression(flags: flags)
            // Swift's `\b` has a word of its own.
            let hasBoundary = expression.contains("\\b") || expression.contains("\\B")
            let swift = hasBoundary ? nil : try swift(expression)
            let icu = try icu(expression)
            let table = try Pattern(expression, dialect: .script)
            let states = try Pattern(expression, dialect: .script, tableLimits: nil)
            for _ in 0..<5 {
                let text = generator.text()
                let found = icu.firstMatch(in: text, range: NSRange(text.startIndex..., in: text)) != nil
                if let swift { #expect(try (swift.firstMatch(in: text) != nil) == found, "the judges agree") }
                #expect(table.isFound(in: text) == found, "\(expression) in \(text.debugDescription)")
                #expect(states.isFound(in: text) == found, "\(expression) in \(text.debugDescription), without a table")
                if found { count += 1 }
            }
        }
        #expect((1500...3500).contains(count), "\(count) of 5000")
    }
}
