import SparringTokens
import Testing

@Suite struct VerifiedTokensTests {
    @Test func `a token is known for the audience that it was verified for, and no other`() {
        let tokens = VerifiedTokens<String>()
        #expect(tokens.content(of: "t", for: "a") == nil)
        tokens.keep("ada", of: "t", for: "a")
        #expect(tokens.content(of: "t", for: "a") == "ada")
        #expect(tokens.content(of: "t", for: "b") == nil && tokens.content(of: "t2", for: "a") == nil)
    }

    @Test func `there are never many of them`() {
        let tokens = VerifiedTokens<Int>()
        for number in 0..<10_000 { tokens.keep(number, of: "t\(number)", for: "a") }
        #expect((0..<10_000).count { tokens.content(of: "t\($0)", for: "a") != nil } <= 4096)
        #expect(tokens.content(of: "t9999", for: "a") == 9999)
    }
}
