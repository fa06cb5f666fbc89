import HTTPTypes
import SparringContract
import SparringJSON
@testable import SparringSandbox
import SparringTokens
import Support
import Testing

/// Faults of the brand's identity provider that show only where its credential is brought: `identity.token mint defect=…`.
@Suite struct MintFaultTests {
    @Test(arguments: [
        ("expired", "token-expired"), ("not-yet-valid", "token-not-yet-valid"), ("wrong-key", "bad-signature"),
        // An account with a certificate looks at no kid, and without an audience of its own at no aud.
        ("unknown-kid", "signed-in"), ("wrong-audience", "signed-in"),
        ("wrong-issuer", "issuer-mismatch"), ("claim-missing", "claim-missing"),
        ("alg-none", "algorithm-refused"), ("tampered", "bad-signature"),
    ])
    func `the token that a code is redeemed for has the defect, and the next one has not`(_ defect: String, _ refusal: String) async throws
    {
        try await TestServer.run(.pipeline) { server in
            let scene = try await Scene(server)
            try await scene.arm("identity.token mint defect=\(defect) times=1")
            func signIn() async throws -> TestAnswer {
                let code = try await server.admin(.post, "credentials", ["form": "code", "subject": "ada"])["credential"] ?? .null
                return try await scene.signIn(.v2, ["code": code])
            }
            _ = try await signIn()
            let entry = try #require(try await scene.entry("liveperson.authenticateV2"))
            #expect(entry["answer"]?["name"]?.string == refusal, "\(entry["cause"]?.string ?? "")")
            let token = try #require(try await scene.entry("identity.token"))
            #expect(token["answer"]?["name"] == "token-issued" && token["faults"] == [1])
            #expect(try await signIn().status == 200)
        }
    }

    @Test func `the contract offers every defect that can be minted`() throws {
        let contracts = try Contract.load(directory: Repository.folder("contracts"))
        let operations = contracts.flatMap(\.operations).filter {
            $0.effects.contains { $0.word == "mint" && $0.parameters.contains { $0.name == "defect" } }
        }
        #expect(operations.map(\.id).sorted() == ["authorize", "getJWT", "signIn", "token"])
        for operation in operations {
            let known = operation.id == "getJWT" ? AppTokenDefect.allCases.map(\.rawValue) : TokenDefect.allCases.map(\.rawValue)
            #expect(operation.effects[0].parameters.first?.values == known, "\(operation.id)")
        }
    }

    @Test func `no refusal of a contract has the name of an effect`() throws {
        let words = Set(FaultEffect.all.map(\.word))
        for operation in try Contract.load(directory: Repository.folder("contracts")).flatMap(\.operations) {
            for answer in operation.answers { #expect(!words.contains(answer.name), "\(operation.qualifiedName) \(answer.name)") }
        }
    }
}
