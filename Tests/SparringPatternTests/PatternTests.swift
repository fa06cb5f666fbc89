@testable import SparringPattern
import Testing

struct PatternTests {
    /// With the table and without: both automata have to say the same.
    private func expect(_ expression: String, in text: String, found: Bool, _ dialect: Pattern.Dialect) throws {
        for limits in [PatternTable.Limits.standard, nil] {
            let pattern = try Pattern(expression, dialect: dialect, tableLimits: limits)
            #expect((pattern.states == nil) == (limits != nil), "the table is as it was asked for")
            #expect(pattern.isFound(in: text) == found, "\(limits == nil ? "states" : "table")")
        }
    }

    @Test(
        arguments: [
            // Where it may stand.
            ("", "", true), ("", "abc", true), ("b", "abc", true), ("d", "abc", false), ("^b", "abc", false), ("^a", "abc", true),
            ("c$", "abc", true), ("b$", "abc", false), ("^$", "", true), ("^$", "a", false), ("c$", "abc\n", false), ("^b", "a\nb", false),
            ("a^b", "ab", false), ("$a", "a", false), ("(^a|b)c", "bc", true), ("(^a|b)c", "xac", false), ("(a$|b)", "xb!", true),
            // What a part is.
            ("a|b|", "", true), ("^(a|b)$", "b", true), ("^(a|b)$", "c", false), ("^ab|cd$", "abx", true), ("^ab|cd$", "xcd", true),
            ("^ab|cd$", "xab", false), ("^(?:ab)+$", "abab", true), ("^(?<year>[0-9]{4})$", "2026", true), ("()", "", true),
            ("^(((a)))$", "a", true),
            // How often.
            ("^a*$", "", true), ("^a*$", "aaa", true), ("^a+$", "", false), ("^a?b$", "b", true), ("^a?b$", "aab", false),
            ("^a{2}$", "a", false), ("^a{2}$", "aa", true), ("^a{2}$", "aaa", false), ("^a{2,}$", "aaaa", true), ("^a{2,}$", "a", false),
            ("^a{1,2}$", "aaa", false), ("^a{0}$", "", true), ("^a{0}$", "a", false), ("^(ab){2,3}$", "ababab", true),
            ("^(a{2}){2}$", "aaaa", true), ("^(a{2}){2}$", "aaa", false), ("^a{0,2}b", "aab", true), ("^a{0,2}b", "aaab", false),
            ("^a+?$", "aaa", true), ("^a{1,2}?$", "aa", true), ("^a??b$", "ab", true), ("^(a*)*$", "aaa", true), ("^(a*)*b$", "aaa", false),
            ("^(a|ab)(c|bcd)$", "abcd", true), ("^(a?){3}a{3}$", "aaa", true), ("^(a?){3}a{3}$", "aa", false), ("^(|a)+b$", "aab", true),
            ("^(a*?b?)*c$", "abac", true), ("(x+x+)+y", "xxxxy", true), ("^(?:){2}a", "a", true),
            ("^a*ab$", "aab", true), ("^a*b?a$", "aaa", true),
        ] as [(String, String, Bool)])
    func `an expression is found where it should be`(_ expression: String, _ text: String, _ found: Bool) throws {
        try expect(expression, in: text, found: found, .ecma)
    }

    @Test(
        arguments: [
            ("^.$", "a", true), ("^.$", "😀", true), ("^.$", "\n", false), ("^.$", "\r", false), ("^.$", "\u{2028}", false),
            ("^.$", "\u{85}", true), ("^.$", "\u{B}", true), ("^..$", "e\u{301}", true), ("^.$", "\r\n", false), ("é", "e\u{301}", false),
            ("^[abc]$", "b", true), ("^[abc]$", "d", false), ("^[a-c]$", "b", true), ("^[^a-c]$", "b", false), ("^[^a-c]$", "d", true),
            ("^[^a]$", "\n", true), ("[]", "a", false), ("^[^]$", "\n", true), ("^[a-]$", "-", true), ("^[-a]$", "-", true),
            ("^[a-c-e]$", "-", true), ("^[a-c-e]$", "d", false), ("^[a\\-c]$", "b", false), ("^[+--]$", ",", true), ("^[.]$", "a", false),
            ("^[[]$", "[", true), ("^[$^.*+?(){}|]$", "$", true), ("^[\\]]$", "]", true), ("^[^\\d]$", "7", false),
            ("^[\\d\\s]$", " ", true),
            ("^[\\b]$", "\u{8}", true), ("^[é-ü]$", "ö", true), ("^[é-ü]$", "ý", false), ("^[a-😀]$", "中", true), ("^[^😀]$", "😁", true),
            ("^\\d$", "7", true), ("^\\d$", "٣", false), ("^\\D$", "٣", true), ("^\\w+$", "aZ_0", true), ("^\\w$", "é", false),
            ("^\\W$", "é", true), ("^\\s+$", " \t\n\r\u{B}\u{C}\u{A0}\u{FEFF}\u{2029}\u{3000}", true), ("^\\s$", "\u{85}", false),
            ("^\\s$", "\u{200B}", false), ("^\\S$", "\u{200B}", true), ("^\\n\\r\\t\\v\\f\\0$", "\n\r\t\u{B}\u{C}\0", true),
            ("^\\cA\\cz$", "\u{1}\u{1A}", true), ("^\\x41\\u0042\\u{43}\\u{1F600}$", "ABC😀", true), ("^\\uD83D\\uDE00$", "😀", true),
            ("^[\\uD83D\\uDE00-\\uD83D\\uDE02]$", "😁", true), ("\\uD83D", "😀", false), ("^[^\\uD83D]$", "😀", true),
            ("^\\uD83D\\u0041", "A", false),
            ("^\\^\\$\\\\\\.\\*\\+\\?\\(\\)\\[\\]\\{\\}\\|\\/$", "^$\\.*+?()[]{}|/", true), ("^/-,:@ $", "/-,:@ ", true),
            ("\\bb", "a b", true), ("\\bb", "ab", false), ("b\\b", "ab", true), ("\\Bb", "ab", true), ("\\Bb", "b", false),
            ("\\b", "", false),
            ("\\B", "", true), ("é\\ba", "éa", true), ("a\\b$", "a", true), ("a\\b-", "a-", true), ("\\b\\B", "a b", false),
            ("^\\p{L}$", "é", true), ("^\\p{L}$", "7", false), ("^\\p{Lu}\\p{Ll}+$", "Élan", true), ("^\\P{Lu}$", "É", false),
            ("^\\p{Nd}$", "٣", true), ("^\\p{Sc}$", "€", true), ("^[\\p{L}\\p{N}]+$", "é٣", true), ("^[^\\p{L}]$", "a", false),
            ("^\\p{gc=Uppercase_Letter}\\p{General_Category=Letter}$", "Éa", true), ("^\\p{Any}\\p{ASCII}$", "éa", true),
            ("^\\p{LC}$", "中", false), ("^\\p{Cn}$", "\u{378}", true), ("^\\p{Assigned}$", "\u{378}", false),
            ("^\\p{Co}\\p{Cn}$", "\u{F0000}\u{50000}", true),
        ] as [(String, String, Bool)])
    func `a character is one code point, and classes are those of ECMA-262`(_ expression: String, _ text: String, _ found: Bool) throws {
        try expect(expression, in: text, found: found, .ecma)
    }

    @Test(
        arguments: [
            ("(?i)order", "My ORDER", true), ("(?i)ORDER", "order", true), ("order", "ORDER", false), ("(?i)é", "É", true),
            ("(?i)ß", "ẞ", true),
            ("(?i)σ", "ς", true), ("(?i)k", "\u{212A}", true), ("(?i)i", "\u{131}", false), ("(?i)i", "\u{130}", false),
            ("(?i)ss", "ß", false),
            ("(?i)^[a-c]$", "B", true), ("(?i)^[^a-c]$", "B", false), ("(?i)^\\u0061$", "A", true), ("(?i)^\\w$", "\u{17F}", true),
            ("(?i)^\\W$", "\u{17F}", false), ("(?i)^\\p{Lu}$", "a", true), ("a(?i:b)c", "aBc", true), ("a(?i:b)c", "aBC", false),
            ("(?i)a(?-i:b)c", "AbC", true), ("(?i)a(?-i:b)c", "ABC", false), ("(?i:a|b)c", "Bc", true), ("((?i:a))b", "AB", false),
            ("a.b", "a\nb", false), ("(?s)a.b", "a\nb", true), ("(?s:.)$", "a\n", true), ("(?m)^b$", "a\nb\nc", true),
            ("^b$", "a\nb\nc", false),
            ("(?m)^$", "a\n\nb", true), ("(?m:^)b", "a\nb", true), ("(?m)a$", "a\r\nb", true), ("(?im)^B$", "a\nb", true),
            ("(?i)(?s)A.", "a\n", true), ("(?i-s)a.", "A\n", false), ("(?is:.)", "\n", true),
        ] as [(String, String, Bool)])
    func `a script's expression may have flags`(_ expression: String, _ text: String, _ found: Bool) throws {
        try expect(expression, in: text, found: found, .script)
    }
}
