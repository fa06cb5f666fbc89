import SparringVerdict
import Testing

/// The three parameters of which one protects a client's authorization request from forgery (RFC 9700 §2.1).
@Suite struct RequestForgeryRuleTests {
    @Test(
        arguments: [
            ("302 redirected query=response_type=code&state=s", .pass),
            ("302 redirected query=response_type=code&code_challenge=c&code_challenge_method=S256", .pass),
            ("302 redirected query=response_type=code&code_challenge=c", .pass),  // a plain challenge is for another rule
            ("302 redirected query=response_type=id_token&nonce=n", .pass),
            ("200 sign-in-page query=response_type=code&nonce=n&code_challenge=c", .pass),
            ("302 redirected query=response_type=code", .fail),
            ("302 redirected query=response_type=code&code_challenge_method=S256", .fail),
            ("200 sign-in-page query=response_type=code&scope=openid", .fail),
            ("400 invalid-redirect-uri query=response_type=code", .pass),  // nobody is sent anywhere
        ] as [(String, Verdict.Result)])
    func `one of state, challenge and nonce is enough, none of them is a failure`(_ answer: String, _ result: Verdict.Result) throws {
        let verdict = try Trial.judgeShipped("sends-a-state", "0 call identity.authorize ada \(answer)", until: 200)
        #expect(verdict.result == result, "\(verdict.summary)")
    }

    @Test func `a protected request does not speak for another`() throws {
        let story = """
            0 call identity.authorize ada 302 redirected query=response_type=code&state=s
            5 call identity.authorize ada 302 redirected query=response_type=code
            """
        #expect(try Trial.judgeShipped("sends-a-state", story, until: 200).result == .fail)
    }
}
