import HTTPTypes
import JWTKit
import SparringJSON
import SparringTokens
import Support
import Testing

/// The table of *flow × defect*, through a real socket: who refuses what, how it looks, and what the journal says.
@Suite struct FlowTests {
    @Test func `the table has at least thirty cells and none twice`() {
        #expect(Trial.all.count >= 30)
        #expect(Set(Trial.all.map(\.testDescription)).count == Trial.all.count)
    }

    @Test(arguments: Trial.all)
    func `each way to sign in meets each defect`(_ trial: Trial) async throws {
        try await TestServer.run(.socket) { server in
            var attempt = try await Attempt(trial, server)
            let answer = try await attempt.play()
            switch trial.outcome {
            case .accepted(let cause):
                try #require(answer.status == 200, "\(answer.text)")
                let entry = try #require(try await attempt.scene.entry(operation(trial)))
                #expect(entry.cause.contains(cause), "\(entry.cause)")
                if trial.flow == .client {
                    try await expectTokens(answer, attempt.scene)
                } else {
                    try await expectAdmission(answer, trial, attempt.scene)
                }
            case .refused(let party, let status, let body, let cause):
                #expect(answer.status == status)
                #expect(answer.text == body)
                #expect(answer.headers[.contentType] == "application/json")
                try await expectRefusal(by: party, cause, trial, attempt.scene)
            }
            #expect(try await attempt.scene.findings().isEmpty)
        }
    }

    private func operation(_ trial: Trial) -> String { trial.flow == .client ? "identity.token" : trial.flow.version.operation }

    private func expectRefusal(by party: Trial.Party, _ cause: String, _ trial: Trial, _ scene: Scene) async throws {
        if case .accountUnknown = trial.defect {
            let unplaced = try await scene.server.send(.get, "/__admin/unplaced").json?["entries"]?.array?.last
            #expect(unplaced?["reason"]?.string == cause)
            return
        }
        let entry = try #require(try await scene.entry(operation(trial)))
        #expect(entry.cause.contains(cause) && !entry.cause.isEmpty, "\(entry.cause)")
        let redemption = try await scene.entry("identity.token")
        let isRefusedThere = redemption.map { ($0["answer"]?["status"]?.integer ?? 0) >= 400 } ?? false
        #expect(isRefusedThere == (party == .identity))
        if party == .identity { #expect(redemption?.cause.contains(cause) == true, "\(redemption?.cause ?? "")") }
        if trial.flow != .client, let redemption {
            #expect(redemption["causedBy"]?["operation"]?.string == trial.flow.version.operation)
        }
        if case .endpoint = trial.defect {
            let outbound = try #require(try await scene.server.journal("?kind=outbound").first)
            #expect(outbound["causedBy"]?["operation"] == "liveperson.authenticateV2")
            #expect(outbound["lane"] == entry["lane"])
        }
    }

    /// LivePerson's token (LivePerson reference 4.2), verified with the key that the sandbox publishes.
    private func expectAdmission(_ answer: TestAnswer, _ trial: Trial, _ scene: Scene) async throws {
        let body = try #require(answer.json?.object)
        #expect(Array(body.keys) == [trial.flow.version.member])
        let token = try #require(body[trial.flow.version.member]?.string)
        let claims = try await Brand.claims(of: token, verifiedWith: scene.liveperson["publicKey"]?.string ?? "")
        #expect(try #require(claims["sub"]?.string).wholeMatch(of: /[0-9a-f]{64}/) != nil)
        #expect(claims["aud"] == .string("acc:\(scene.account)"))
        #expect(claims["iss"] == "https://idp.liveperson.net")
        #expect(claims["lp.ext"]?["sub"] == "ada")
        #expect(claims["lp.ext"]?["iss"] == .string(trial.flow.isImplicit ? Brand.issuer : scene.issuer))
        #expect((claims["exp"]?.integer ?? 0) > Scene.now)
        let header = try JWS(parsing: token).header
        #expect(header == ["alg": "RS256", "typ": "JWT", "kid": "00001"])
    }

    private func expectTokens(_ answer: TestAnswer, _ scene: Scene) async throws {
        let published = try await scene.server.send(.get, "\(scene.provider)/jwks.json")
        let keys = JWTKeyCollection()
        try await keys.add(jwksJSON: published.text)
        let claims = try await Brand.claims(of: try #require(answer.json?["id_token"]?.string), verifiedWith: keys)
        #expect(claims["sub"] == "ada" && claims["iss"] == .string(scene.issuer) && claims["aud"] == .string(scene.clientId))
        #expect(claims["iat"] == .integer(Scene.now) && claims["exp"] == .integer(Scene.now + 3600))
    }
}
