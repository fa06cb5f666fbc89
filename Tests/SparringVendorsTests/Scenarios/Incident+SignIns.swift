import HTTPTypes
import SparringJSON
import Support
import Testing

extension Incident {
    static let signIns = [
        Incident("code-redeemed-answer-lost") { stage async throws in
            let code = try await stage.code()
            await #expect(throws: Disturbed.reset) { try await stage.redeem(code) }
            #expect(try await stage.redeem(code) == "500 mock-code-reused")
            #expect(try await stage.redeem(stage.code()) == "200")
        },
        Incident("code-redeemed-answer-lost-at-the-brand") { stage async throws in
            let code = try await stage.code()
            #expect(try await stage.redeem(code) == "500 mock-token-endpoint-unreachable")
            #expect(try await stage.redeem(code) == "500 mock-code-reused")
            #expect(try await stage.redeem(stage.code()) == "200")
        },
        Incident("code-reused-after-back-navigation") { stage async throws in
            #expect(try await stage.redeem(stage.code()) == "500 mock-code-reused")
            #expect(try await stage.scene.entry("identity.token")?["answer"]?["body"]?.string?.contains("invalid_code") == true)
            #expect(try await stage.redeem(stage.code()) == "200")
        },
        Incident("code-expires-before-it-is-redeemed") { stage async throws in
            let code = try await stage.code()
            #expect(try await stage.held("15s") { try await stage.redeem(code) } == "500 mock-code-expired")
            #expect(try await stage.redeem(stage.code()) == "200")
        },
        Incident("reset-before-the-sign-in") { stage async throws in
            let code = try await stage.code()
            await #expect(throws: Disturbed.reset) { try await stage.redeem(code) }
            #expect(try await stage.scene.entry("identity.token") == nil)
            #expect(try await stage.redeem(code) == "200")
        },
        Incident("brand-requires-pkce") { stage async throws in
            let refused = try await stage.scene.authorize().headers[.location]
            #expect(refused?.contains("error=invalid_request") == true, "\(refused ?? "")")
            let challenge: KeyValuePairs<String, String?> = [
                "code_challenge": Attempt.challenges["S256"], "code_challenge_method": "S256",
            ]
            let given = try await stage.scene.authorize(challenge)
            let code = try #require(Redirection(given)?["code"], "\(given.text)")
            #expect(try await stage.scene.signIn(.v2, ["code": .string(code)]).status == 500)
            let again = try #require(Redirection(try await stage.scene.authorize(challenge))?["code"])
            let signedIn = try await stage.scene.signIn(.v2, ["code": .string(again), "code_verifier": .string(Attempt.verifier)])
            #expect(signedIn.status == 200, "\(signedIn.text)")
        },
        Incident("code-verifier-refused") { stage async throws in
            let code = try await stage.code()
            #expect(try await stage.redeem(code) == "500 mock-code-verifier-mismatch")
            #expect(try await stage.redeem(stage.code()) == "200")
        },
        Incident("brand-sign-in-fails-twice") { stage async throws in
            for _ in 1...2 { #expect(try await stage.scene.authorize().status == 503) }
            #expect(try await stage.redeem(stage.code()) == "200")
        },
        Incident("redirect-uri-with-trailing-slash") { stage async throws in
            for _ in 1...2 { #expect(try await stage.redeem(stage.code()) == "500 mock-redirect-uri-mismatch") }
            let named = try await stage.scene.signIn(
                .v2, ["code": .string(stage.code()), "redirect_uri": .string(Scene.redirectURI)])
            #expect(named.status == 200, "\(named.text)")
        },
        Incident("brand-token-endpoint-down-for-a-minute") { stage async throws in
            #expect(try await stage.redeem(stage.code()) == "500 mock-token-endpoint-unreachable")
            try await stage.advance("59s")
            #expect(try await stage.redeem(stage.code()) == "500 mock-token-endpoint-unreachable")
            try await stage.advance("1s")
            #expect(try await stage.redeem(stage.code()) == "200")
        },
        Incident("token-expired-at-sign-in") { stage async throws in
            let token = try await stage.scene.mint(["form": "jwt"])
            #expect(try await stage.held("40s") { try await stage.signIn(token) } == "500 mock-token-expired")
            #expect(try await stage.signIn(token) == "500 mock-token-expired")
            #expect(try await stage.signIn() == "200")
        },
        Incident("brand-clock-fast-by-five-minutes") { stage async throws in
            for _ in 1...3 { #expect(try await stage.signIn() == "500 mock-token-not-yet-valid") }
            try await stage.advance("5m")
            #expect(try await stage.signIn() == "200")
        },
        Incident("claim-missing") { stage async throws in
            for _ in 1...6 { #expect(try await stage.signIn() == "500 mock-claim-missing") }
        },
        Incident("wrong-issuer") { stage async throws in
            for _ in 1...6 { #expect(try await stage.signIn() == "500 mock-issuer-mismatch") }
        },
        Incident("key-rotated-at-midnight") { stage async throws in
            let old = try await stage.scene.mint(["form": "jwt"])
            #expect(try await stage.signIn(old) == "200")
            try await stage.advance("30s")
            #expect(try await stage.server.admin(.get, "clock")["now"] == "2027-01-15T00:00:00.000Z")
            for _ in 1...2 { #expect(try await stage.signIn() == "500 9007") }
            #expect(try await stage.signIn(old) == "200")
        },
        Incident("idp-slow-then-503-then-well") { stage async throws in
            for wait in ["8s", "8s", nil] {
                let token = try await stage.scene.mint(["form": "jwt"])
                let call: @Sendable () async throws -> TestAnswer = { try await stage.scene.signIn(.v2, token: token) }
                let answer: TestAnswer
                if let wait { answer = try await stage.held(wait, call) } else { answer = try await call() }
                #expect(answer.status == 503)
            }
            #expect(try await stage.signIn() == "200")
        },
        Incident("answers-late-by-20s") { stage async throws in
            for _ in 1...3 {
                let code = try await stage.code()
                let start = try await stage.server.admin(.get, "clock")["now"]
                #expect(try await stage.held("20s") { try await stage.redeem(code) } == "200")
                let entry = try #require(try await stage.scene.entry("liveperson.authenticateV2"))
                #expect(entry["sandboxTime"] == start, "it is decided long before it is answered")
                #expect(entry["answer"]?["delivery"] == "delayed by 20 s after the decision")
            }
            #expect(try await stage.redeem(stage.code()) == "200")
        },
        Incident("rate-limited-with-retry-after") { stage async throws in
            let token = try await stage.scene.mint(["form": "jwt"])
            for _ in 1...3 {
                let answer = try await stage.scene.signIn(.v2, token: token)
                #expect(answer.status == 429 && answer.headers[.retryAfter] == "30")
                try await stage.advance("30s")
            }
            #expect(try await stage.signIn(token) == "200")
        },
    ]
}
