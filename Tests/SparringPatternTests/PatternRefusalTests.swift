@testable import SparringPattern
import Testing

/// The expressions that are refused, and the place that the error names.
struct PatternRefusalTests {
    private func expect(
        _ expression: String, _ dialect: Pattern.Dialect, isMalformed: Bool, _ part: String, _ position: Int, _ words: String
    ) throws {
        let error = try #require(throws: PatternError.self) { try Pattern(expression, dialect: dialect) }
        #expect((error.isMalformed, error.part, error.position) == (isMalformed, part, position))
        #expect(error.reason.contains(words), "\(error)")
        #expect(throws: error) { try Pattern.check(expression, dialect: dialect) }
    }

    @Test(
        arguments: [
            ("(?=a)", "(?=", 1, "look-ahead"), ("abc(?!a)", "(?!", 4, "look-ahead"), ("é😀(?<=a)", "(?<=", 3, "look-behind"),
            ("(?<!a)", "(?<!", 1, "look-behind"), ("(a)\\1", "\\1", 4, "back reference"), ("(?<n>a)\\k<n>", "\\k", 8, "back reference"),
            ("[[:alpha:]]", "[:", 2, "POSIX"), ("[a-z&&[b]]", "&&", 5, "sets"), ("[a-z--b]", "--", 5, "sets"), ("[a~~b]", "~~", 3, "sets"),
            ("a\\p{Script=Greek}", "\\p{Script=Greek}", 2, "general categories"), ("\\P{Greek}", "\\P{Greek}", 1, "general categories"),
        ] as [(String, String, Int, String)])
    func `what cannot be matched here is refused with its place`(_ expression: String, _ part: String, _ position: Int, _ words: String)
        throws
    {
        for dialect in [Pattern.Dialect.ecma, .script] { try expect(expression, dialect, isMalformed: false, part, position, words) }
    }

    @Test(
        arguments: [
            ("(a", "(", 1, "no ')'"), ("a(b(c)", "(", 2, "no ')'"), ("a)", ")", 2, "no group"), ("(?", "(?", 1, "kind of group"),
            ("(?:a", "(", 1, "no ')'"), ("[a", "[", 1, "no ']'"), ("a[b-", "[", 2, "no ']'"), ("[^", "[", 1, "no ']'"),
            ("a]", "]", 2, "\\]"),
            ("a}", "}", 2, "\\}"), ("{", "{", 1, "\\{"), ("a{", "{", 2, "{n,m}"), ("a{,2}", "{", 2, "{n,m}"), ("a{1", "{", 2, "{n,m}"),
            ("a{x}", "{", 2, "{n,m}"), ("a{1;2}", "{", 2, "{n,m}"), ("a{2,1}", "{2,1}", 2, "wrong order"),
            ("*a", "*", 1, "nothing to repeat"),
            ("a|+", "+", 3, "nothing to repeat"), ("(?)", "(?)", 1, "kind of group"), ("a**", "*", 3, "nothing to repeat"),
            ("a{1}{2}", "{", 5, "\\{"), ("a+*", "*", 3, "nothing to repeat"), ("^*", "*", 2, "assertion"), ("a\\b+", "+", 4, "assertion"),
            ("$?", "?", 2, "assertion"), ("a\\B{2}", "{", 4, "assertion"), ("a\\", "\\", 2, "should follow"),
            ("\\A", "\\A", 1, "not ECMA-262"),
            ("a\\z", "\\z", 2, "not ECMA-262"), ("\\h", "\\h", 1, "not ECMA-262"), ("\\Qa\\E", "\\Q", 1, "not ECMA-262"),
            ("\\é", "\\é", 1, "not ECMA-262"), ("\\-", "\\-", 1, "has to go"), ("a\\@", "\\@", 2, "has to go"),
            ("[\\1]", "\\1", 2, "not ECMA-262"),
            ("[\\B]", "\\B", 2, "not ECMA-262"), ("[\\k]", "\\k", 2, "not ECMA-262"), ("\\01", "\\01", 1, "octal"),
            ("\\c1", "\\c", 1, "letter"),
            ("\\c", "\\c", 1, "letter"), ("\\x4", "\\x", 1, "two hexadecimal"), ("\\u00e", "\\u", 1, "four hexadecimal"),
            ("\\u{}", "\\u{", 1, "hexadecimal"), ("\\u{41", "\\u{", 1, "'}'"), ("\\u{110000}", "\\u{110000}", 1, "10FFFF"),
            ("\\u{FFFFFFFFFFFFFFFFFF}", "\\u{FFFFFFFFFFFFFFFFFF}", 1, "10FFFF"), ("\\pL", "\\p", 1, "{…}"), ("\\p{L", "\\p{L", 1, "'}'"),
            ("\\p{L!}", "!", 5, "property's name"), ("[b-a]", "b-a", 2, "wrong order"), ("[a-\\d]", "a-\\d", 2, "from one character"),
            ("[\\w-z]", "\\w-z", 2, "from one character"), ("[a--b]", "a--", 2, "wrong order"), ("(?<>a)", "(?<>", 1, "missing"),
            ("(?<1a>b)", "1", 4, "group's name"), ("(?<a-b>c)", "-", 5, "group's name"), ("(?<a", "(?<a", 1, "no '>'"),
            ("(?<a>b)(?<a>c)", "(?<a>", 8, "another group"), ("(?>a)", "(?>", 1, "atomic"), ("a*+", "*+", 2, "possessive"),
            ("a{1,2}+", "{1,2}+", 2, "possessive"), ("(?(1)a|b)", "(?(", 1, "condition"), ("a(?R)", "(?R", 2, "recursion"),
            ("(?1)", "(?1", 1, "recursion"), ("(?P<n>a)", "(?P", 1, "(?<name>…)"), ("(?#a)", "(?#", 1, "kind of group"),
            ("(?|a)", "(?|", 1, "kind"),
            ("(*FAIL)", "*", 2, "nothing to repeat"),
        ] as [(String, String, Int, String)])
    func `what ECMA-262 does not know is refused with its place`(_ expression: String, _ part: String, _ position: Int, _ words: String)
        throws
    {
        for dialect in [Pattern.Dialect.ecma, .script] { try expect(expression, dialect, isMalformed: true, part, position, words) }
    }

    @Test(
        arguments: [
            ("(?i)a", "(?i", 1), ("a(?i:b)", "(?i", 2), ("(?m)", "(?m", 1), ("(?-s:a)", "(?-", 1), ("(?x)a", "(?x", 1),
        ] as [(String, String, Int)])
    func `a schema's expression has no flags`(_ expression: String, _ part: String, _ position: Int) throws {
        try expect(expression, .ecma, isMalformed: true, part, position, "no flags")
    }

    @Test(
        arguments: [
            ("(?x)a", "x", 3, "no such flag"), ("(?iu:a)", "u", 4, "no such flag"), ("a(?i)b", "(?i)", 2, "at the beginning"),
            ("((?i)b)", "(?i)", 2, "at the beginning"), ("(?ii)a", "i", 4, "twice"), ("(?i-i:a)", "i", 5, "twice"),
            ("(?i--s:a)", "-", 5, "no such"),
            ("(?-)a", "(?-)", 1, "missing"), ("(?i", "(?i", 1, "no ')'"), ("(?i)*", "*", 5, "nothing to repeat"),
        ] as [(String, String, Int, String)])
    func `a flag that a script cannot have is refused with its place`(
        _ expression: String, _ part: String, _ position: Int, _ words: String
    ) throws {
        try expect(expression, .script, isMalformed: true, part, position, words)
    }

    @Test(
        arguments: [
            ("a{10001}", "{10001}", 2), ("a{99999999999999999999}", "{99999999999999999999}", 2), ("b(a{1000}){1000}", "{1000}", 11),
            ("((a{1000}){1000}){1000}", "{1000}", 11), ("a{5000}b{5001}", "{5001}", 9), ("(a{0,100}){51}", "{51}", 11),
            ("(a{100}){100,}", "{100,}", 9), ("(a{100}|b){99}", "{99}", 11), ("(\\b){10001}", "{10001}", 5),
            ("a{9223372036854775808,}", "{9223372036854775808,}", 2),
            ("(a{0,9999999}){0}", "{0,9999999}", 3),
        ] as [(String, String, Int)])
    func `an expression that is short for too long a one is refused with its place`(_ expression: String, _ part: String, _ position: Int)
        throws
    {
        try expect(expression, .ecma, isMalformed: false, part, position, "10000 states")
    }

    @Test func `what is just small enough is read`() throws {
        #expect(try Pattern("^a{9999}", dialect: .ecma).isFound(in: String(repeating: "a", count: 9999)))
        #expect(try Pattern("^(?:){99999999999999999999}$", dialect: .ecma).isFound(in: ""))
        #expect(try Pattern("^a{999}", dialect: .script).isFound(in: String(repeating: "a", count: 999)))
        try expect("^a{1000}", .script, isMalformed: false, "{1000}", 3, "1000 states")
    }

    @Test func `groups stand in groups a hundred times, not more`() throws {
        func nested(_ count: Int) -> String { String(repeating: "(", count: count) + "a" + String(repeating: ")*", count: count) }
        #expect(try Pattern(nested(100), dialect: .ecma).isFound(in: "a"))
        try expect(nested(101), .ecma, isMalformed: false, "(", 101, "at most 100 times")
        try expect(String(repeating: "(", count: 9999), .ecma, isMalformed: false, "(", 101, "at most 100 times")
    }

    @Test func `an expression has ten thousand characters, not more`() throws {
        #expect(try Pattern("[" + String(repeating: "a", count: 9998) + "]", dialect: .ecma).isFound(in: "a"))
        try expect("[" + String(repeating: "a", count: 9999) + "]", .ecma, isMalformed: false, "", 10001, "at most 10000 characters")
    }

    @Test func `an error says what, where and why`() throws {
        let error = try #require(throws: PatternError.self) { try Pattern("abcd(?=e)", dialect: .ecma) }
        #expect(error.description == "'(?=' at character 5: look-ahead cannot be matched in linear time")
    }
}
