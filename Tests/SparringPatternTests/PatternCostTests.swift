@testable import SparringPattern
import Testing

/// The cost of a search, counted in steps, which are the same on every machine.
struct PatternCostTests {
    static let hostile: [(expression: String, text: String, found: Bool)] = [
        ("(a+)+$", String(repeating: "a", count: 100_000) + "!", false),
        (".*order.*number.*[0-9]+.*$", String(repeating: "order number ", count: 800), false),
        (".*order.*number.*[0-9]+.*$", String(repeating: "order number ", count: 80_000), false),
        ("(x*)*y", String(repeating: "x", count: 100_000), false), ("^(a|a)*$", String(repeating: "a", count: 50_000) + "b", false),
        ("^(([a-z])+.)+[A-Z]([a-z])+$", String(repeating: "a", count: 50_000), false),
        ("(a?){200}a{200}$", String(repeating: "a", count: 2000) + "b", false),
        ("((a{0,9}){0,9}){0,9}b", String(repeating: "a", count: 2000), false),
        ("[ab]*a[ab]{12}c", String(repeating: "ab", count: 5000), false),
        ("\\b(\\w+\\s?)+\\b$", String(repeating: "word ", count: 10_000) + "!", false),
        (
            "^([0-9]+([.][0-9]+)?(ms|s|m|h|d)|P([0-9]+([.][0-9]+)?[WD])+(T([0-9]+([.][0-9]+)?[HMS])+)?|PT([0-9]+([.][0-9]+)?[HMS])+)$",
            String(repeating: "1", count: 1_000_000), false
        ),
        ("(é|ß)*$", String(repeating: "éß", count: 20_000) + "!", true),
    ]

    @Test(arguments: hostile)
    func `a text costs one look into the table for each character`(_ row: (expression: String, text: String, found: Bool)) throws {
        let pattern = try Pattern(row.expression, dialect: .ecma)
        let (found, steps) = pattern.search(row.text)
        #expect(found == row.found)
        #expect(steps <= (2 * (pattern.states ?? 0) + 1) * (row.text.unicodeScalars.count + 1))
    }

    /// The texts are cut: here it is the bound that matters, and it is the same for each character.
    @Test(arguments: hostile)
    func `without a table a character costs two looks at each state at most`(_ row: (expression: String, text: String, found: Bool)) throws
    {
        let pattern = try Pattern(row.expression, dialect: .ecma, tableLimits: nil)
        let states = try #require(pattern.states)
        let text = String(row.text.unicodeScalars.prefix(1000))
        #expect(pattern.search(text).steps <= 2 * states * (text.unicodeScalars.count + 1))
    }

    @Test func `a search ends where nothing more can be found, or something is`() throws {
        let text = String(repeating: "a", count: 100_000)
        #expect(try Pattern("^b", dialect: .ecma).search(text) == (false, 1))
        #expect(try Pattern("^aa", dialect: .ecma).search(text) == (true, 3))
        #expect(try Pattern("^[b-z]", dialect: .ecma, tableLimits: nil).search(text).steps < 5)
    }

    @Test func `the table of an expression whose table would be large is given up early`() throws {
        let pattern = try Pattern("[ab]*a[ab]{30}$", dialect: .ecma)
        #expect(pattern.states == 35)
        #expect(pattern.isFound(in: "a" + String(repeating: "b", count: 30)))
        #expect(!pattern.isFound(in: "b" + String(repeating: "b", count: 30)))
        #expect(try Pattern("a{100}", dialect: .ecma, tableLimits: PatternTable.Limits(cells: 1 << 15, steps: 10)).states == 101)
        #expect(try Pattern("a{100}", dialect: .ecma, tableLimits: PatternTable.Limits(cells: 100, steps: 100_000)).states == 101)
    }

    /// 300 characters that are distinguished; a table has fewer columns.
    @Test func `an expression of many characters goes without a table`() throws {
        let all = (0..<300).map { String(Unicode.Scalar(UInt16(0x4E00 + $0 * 2)) ?? "a") }.joined()
        let pattern = try Pattern("^\(all)$", dialect: .ecma)
        #expect(pattern.states == 303)
        #expect(pattern.isFound(in: all) && !pattern.isFound(in: all + "a") && !pattern.isFound(in: String(all.dropLast())))
    }
}
