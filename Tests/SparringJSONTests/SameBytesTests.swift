import SparringJSON
import Testing

/// Texts compared as octets, where Swift's `==` compares what they look like.
@Suite struct SameBytesTests {
    @Test(arguments: [
        ("SECRETK", "SECRET\u{212A}"), ("é", "e\u{301}"), ("Å", "\u{212B}"), (";", "\u{37E}"), ("`", "\u{1FEF}"), ("Ω", "\u{2126}"),
    ])
    func `canonically equivalent texts are two`(_ one: String, _ other: String) {
        #expect(one == other, "to Swift they are one")
        #expect(!one.isSame(as: other) && !other.isSame(as: one))
        #expect(one.isSame(as: one) && other.isSame(as: other))
        #expect([one].containsSame(as: one) && ![one].containsSame(as: other))
    }

    @Test(arguments: [("a", "ab"), ("ab", "a"), ("", "a"), ("abc", "abd"), ("abc", "bbc"), ("a\0", "a")])
    func `texts that differ anywhere are two`(_ one: String, _ other: String) {
        #expect(!one.isSame(as: other))
        #expect("x\(one)".dropFirst().isSame(as: one))
    }
}
