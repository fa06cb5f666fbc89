import HTTPTypes
import SparringContract
import SparringJSON
import Support
import Testing

/// Refusals on demand: every unhappy answer of every vendor operation, and the token endpoint's as LivePerson passes them on.
@Suite struct FaultTests {
    @Test(arguments: OperationRow.all, TestServer.Speed.usual)
    func `every unhappy answer can be armed by its name and is what the client gets`(_ row: OperationRow, _ speed: TestServer.Speed)
        async throws
    {
        let operation = row.operation
        try await TestServer.run(speed, tenants: ContractExamples.tenants) { server in
            let scene = try await Scene(server)
            let request = try #require(ContractExamples.requests(of: operation, scene).first)
            let unhappy = operation.answers.filter(\.isUnhappy)
            #expect(unhappy.count >= 3)
            for (index, declared) in unhappy.enumerated() {
                let comment = Comment(rawValue: declared.name)
                try await scene.arm("\(operation.qualifiedName) \(declared.name) times=1")
                var answer = try await server.send(request.method, request.target, headers: request.headers, body: request.body)
                #expect(answer.status == declared.status, comment)
                // A script is a call of a function, with the answer for its argument.
                if declared.mediaType == "application/javascript", let open = answer.text.firstIndex(of: "(") {
                    answer.body = Array(answer.text[answer.text.index(after: open)...].dropLast(2).utf8)
                }
                if operation.vendor == "identity" {
                    // The description is the cause, which names the fault.
                    #expect(answer.json?["error"] == declared.example?["error"], comment)
                } else if operation.tag == "Monitoring" {
                    // The time is the sandbox's, and messages name the account and the visitor.
                    #expect(answer.json?["internalCode"] == declared.example?["internalCode"], comment)
                    #expect(answer.json?["time"] == .integer(Scene.now * 1000), comment)
                } else if operation.qualifiedName == "cxone.uploadAttachment", answer.json?["allowedFileTypes"] != nil {
                    // The channel's own restrictions.
                    #expect(answer.json?["allowedFileTypes"]?.array?.isEmpty == false, comment)
                } else {
                    #expect(answer.json == declared.example, comment)
                }
                #expect(
                    operation.checkAnswer(name: declared.name, status: answer.status, headers: answer.headers, body: answer.json).isEmpty,
                    comment)
                let entry = try #require(try await scene.entry(operation.qualifiedName), comment)
                #expect(entry.answerName == declared.name && entry["faults"] == [.integer(Int64(index + 1))], comment)
                #expect(entry.cause == "fault \(index + 1) forced it", comment)
            }
            // All are used up.
            let answer = try await server.send(request.method, request.target, headers: request.headers, body: request.body)
            #expect(try await scene.entry(operation.qualifiedName)?["faults"] == nil, "\(answer.status)")
            #expect(try await scene.findings().isEmpty)
        }
    }

    @Test func `a fault by a name that no answer has is refused with the nearest`() async throws {
        try await TestServer.run { server in
            let answer = try await server.send(
                .post, "/__admin/sandboxes/default/faults", json: ["fault": "liveperson.authenticateV1 code-reused"])
            #expect(answer.status == 422)
            let near = try await server.send(.post, "/__admin/sandboxes/default/faults", json: ["fault": "identity.token code-resued"])
            #expect(near.status == 422 && near.json?["nearest"]?.array?.first == "code-reused")
        }
    }

    @Test func `a fault at a whole tag strikes each operation that has the answer`() async throws {
        try await TestServer.run { server in
            let scene = try await Scene(server)
            try await scene.arm("liveperson.Login.* token-expired times=3")
            let token = try await scene.mint(["form": "jwt"])
            for version in Scene.Version.allCases {
                #expect(try await scene.signIn(version, token: token).text == #"{"internalErrorCode":"mock-token-expired"}"#)
            }
            for version in Scene.Version.allCases { #expect(try await scene.signIn(version, token: token).status == 200) }
        }
    }

    // MARK: The token endpoint, seen through LivePerson

    @Test(arguments: [
        ("invalid-request", "mock-token-endpoint-refused"), ("code-unknown", "mock-code-unknown"), ("code-reused", "mock-code-reused"),
        ("code-expired", "mock-code-expired"), ("code-of-another-client", "mock-token-endpoint-refused"),
        ("redirect-uri-mismatch", "mock-redirect-uri-mismatch"), ("code-verifier-mismatch", "mock-code-verifier-mismatch"),
        ("code-verifier-missing", "mock-code-verifier-missing"), ("unauthorized-client", "mock-token-endpoint-refused"),
        ("unsupported-grant-type", "mock-token-endpoint-refused"), ("invalid-scope", "mock-token-endpoint-refused"),
        ("refresh-token-unknown", "mock-token-endpoint-refused"), ("invalid-client", "mock-client-refused"),
        ("client-refused", "mock-client-refused"),
        ("tenant-unknown", "mock-token-endpoint-refused"), ("rate-limited", "mock-token-endpoint-refused"),
        ("server-error", "mock-token-endpoint-unreachable"), ("temporarily-unavailable", "mock-token-endpoint-unreachable"),
        ("CONNECTION_RESET_BY_PEER", "mock-token-endpoint-unreachable"), ("EMPTY_RESPONSE", "mock-token-endpoint-unreachable"),
        ("status code=503", "mock-token-endpoint-unreachable"), ("status code=429", "mock-token-endpoint-refused"),
        ("status code=418", "mock-token-endpoint-nonsense"), ("status code=204", "mock-token-endpoint-nonsense"),
    ])
    func `what befalls the token endpoint reaches the client as LivePerson tells it`(_ effect: String, _ code: String) async throws {
        try await TestServer.run { server in
            let scene = try await Scene(server)
            try await scene.arm("identity.token \(effect) times=1")
            let body: JSON = ["code": .string(try await scene.code())]
            let answer = try await scene.signIn(.v2, body)
            #expect(answer.status == 500 && answer.text == #"{"internalErrorCode":"\#(code)"}"#)
            #expect(try await scene.entry("identity.token")?["faults"] == [1])
            // Nothing was decided: the code is still good.
            #expect(try await scene.signIn(.v2, body).status == 200)
            #expect(try await scene.findings().isEmpty)
        }
    }

    @Test func `LivePerson waits for the token endpoint by the wall's clock, not the sandbox's`() async throws {
        try await TestServer.run(tenants: ["liveperson": ["tokenEndpointTimeout": "200ms"]]) { server in
            var scene = try await Scene(server)
            try await scene.arm("identity.token delay by=2s times=1")
            let body: JSON = ["code": .string(try await scene.code())]
            // The sandbox's clock stands still.
            #expect(try await scene.signIn(.v2, body).text == #"{"internalErrorCode":"mock-token-endpoint-timeout"}"#)
            #expect(try await scene.entry("liveperson.authenticateV2")?.cause.hasSuffix("within 200 ms") == true)
            let pending = try await server.admin(.get, "clock")["pending"]?.array
            #expect(pending?.count == 1)
            scene = try await scene.configure("liveperson", ["tokenEndpointTimeout": "20s"])
            // The endpoint goes on and spends the code, though nobody listens any more.
            try await scene.advance("2s")
            #expect(try await scene.entry("identity.token")?.answerName == "token-issued")
            #expect(try await scene.signIn(.v2, body).text == #"{"internalErrorCode":"mock-code-reused"}"#)
        }
    }

    @Test(arguments: [("status code=500", true), ("bad-signature", false)])
    func `a gateway's 500 is no bad signature, and nobody need fetch another token`(_ effect: String, _ isGateway: Bool) async throws {
        try await TestServer.run { server in
            let scene = try await Scene(server)
            let token = try await scene.mint(["form": "jwt"])
            try await scene.arm("liveperson.authenticateV1 \(effect) times=1")
            let failed = try await scene.signIn(.v1, token: token)
            #expect(failed.status == 500 && failed.text.contains("9007") == !isGateway, "\(failed.text)")
            try await scene.advance("1s")
            #expect(try await scene.signIn(.v1, token: token).status == 200)
            try await scene.advance("60s")
            let judged = Judged(try await server.admin(.post, "verdicts", ["timeBasis": "sandbox"]))
            #expect(judged.broken.contains("fetches-a-fresh-token") == !isGateway, "\(judged.words(judged.broken))")
        }
    }

    @Test(arguments: ["server-error", "CONNECTION_RESET_BY_PEER", "status code=404"])
    func `what befalls the key set reaches the client as LivePerson tells it`(_ effect: String) async throws {
        try await TestServer.run { server in
            var scene = try await Scene(server)
            var issuer = try #require(scene.liveperson["issuers"]?.array?.first)
            issuer["certificate"] = "jwks"
            scene = try await scene.configure("liveperson", ["issuers": [issuer]])
            try await scene.arm("identity.readKeys \(effect) times=1")
            let token = try await scene.mint(["form": "jwt"])
            #expect(try await scene.signIn(.v1, token: token).text == #"{"internalErrorCode":"mock-key-unavailable"}"#)
            #expect(try await scene.signIn(.v1, token: token).status == 200)
        }
    }
}
