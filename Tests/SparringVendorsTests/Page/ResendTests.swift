import HTTPTypes
import SparringAdmin
import SparringEngine
import SparringJSON
import SparringSandbox
import Support
import Testing

/// A request of the journal, sent once more: `POST …/journal/{number}/resend`.
@Suite struct ResendTests {
    /// A code is redeemed; the journal has it as its last exchange.
    private func redeemed(_ server: TestServer) async throws -> (scene: Scene, number: Int64) {
        let scene = try await Scene(server)
        let code = try await scene.code()
        let answer = try await server.send(
            "\(scene.provider)/token",
            form: [
                "grant_type": "authorization_code", "code": code, "redirect_uri": Scene.redirectURI, "client_id": scene.clientId,
                "client_secret": scene.clientSecret,
            ])
        #expect(answer.status == 200)
        let entry = try #require(try await server.journal("?operation=identity.token").last)
        return (scene, try #require(entry["number"]?.integer))
    }

    @Test func `a code that is brought again is refused, as if the client had brought it`() async throws {
        try await TestServer.run(.pipeline) { server in
            let (_, number) = try await redeemed(server)
            let sent = try await server.admin(.post, "journal/\(number)/resend", [:])
            #expect(sent["status"] == 400 && sent["delivery"] == "answered")
            let entry = try await server.admin(.get, "journal/\(try #require(sent["number"]?.integer))")
            #expect(entry["answer"]?["name"] == "code-reused" && entry["operation"] == "identity.token")
            #expect(entry["lane"] == "page", "the client's own lanes keep their numbers")
            #expect(entry["causedBy"]?["operation"] == "identity.token")
        }
    }

    @Test func `what is sent again is never judged`() async throws {
        try await TestServer.run(.pipeline) { server in
            let (_, number) = try await redeemed(server)
            func results() async throws -> [JSON?] {
                let report = try await server.admin(.post, "verdicts", [:])
                return (report["verdicts"]?.array ?? []).map { $0["result"] } + [report["counts"], report["contract"]?["findings"]]
            }
            let before = try await results()
            for changes: JSON in [[:], ["lane": "ada"], ["body": "{}", "headers": ["Content-Type": "application/json"]]] {
                _ = try await server.admin(.post, "journal/\(number)/resend", changes)
            }
            #expect(try await results() == before)
            #expect(before.count > 5, "rules were exercised")
        }
    }

    @Test func `the caller may change the lane, the method, the target, headers and the body`() async throws {
        try await TestServer.run(.pipeline) { server in
            let (scene, number) = try await redeemed(server)
            func resend(_ changes: JSON) async throws -> JSON {
                let sent = try await server.admin(.post, "journal/\(number)/resend", changes)
                return try await server.admin(.get, "journal/\(try #require(sent["number"]?.integer, "\(sent.text)"))")
            }
            let other = try await resend(["lane": "bob", "body": "grant_type=authorization_code&code=other"])
            #expect(other["lane"] == "bob" && other["request"]?["body"] == "grant_type=authorization_code&code=other")
            #expect(other["request"]?["headers"]?["Content-Length"] == "40", "\(other["request"]?["headers"]?.text ?? "")")
            let header = try await resend(["headers": ["authorization": "Basic eDp5"], "body": "grant_type=authorization_code&code=x"])
            #expect(header["answer"]?["name"] == "invalid-client")
            let read = try await resend(["method": "GET", "target": .string("\(scene.provider)/jwks.json"), "body": ""])
            #expect(read["operation"] == "identity.readKeys" && read["answer"]?["status"] == 200)
        }
    }

    @Test func `a fault strikes it, and the answer says what went wrong on the wire`() async throws {
        try await TestServer.run(.pipeline) { server in
            let (_, number) = try await redeemed(server)
            try await server.admin(.post, "faults", ["fault": "identity.token CONNECTION_RESET_BY_PEER times=1"])
            let sent = try await server.admin(.post, "journal/\(number)/resend", [:])
            #expect(sent["delivery"] == "reset" && sent["status"] == nil && sent["number"] != nil)
        }
    }

    @Test(
        arguments: [
            ("99", [:], "404 entry-unknown"), ("1", [:], "422 not-a-request"), ("0", [:], "400 request-malformed number"),
            ("x", [:], "400 request-malformed number"), ("N", ["method": "A B"], "422 configuration-invalid /method"),
            ("N", ["headers": ["a b": "c"]], "422 configuration-invalid /headers/a b"),
            ("N", ["target": "nowhere"], "400 request-malformed /target"),
            ("N", ["cookie": "x"], "400 request-malformed /cookie"), ("N", ["headers": ["Upgrade": "websocket"]], "422 not-a-request"),
        ] as [(String, JSON, String)])
    func `what cannot be sent again is refused, and nothing is sent`(_ number: String, _ changes: JSON, _ words: String) async throws {
        try await TestServer.run(.pipeline) { server in
            try await server.admin(.put, "clock", ["mode": "frozen"])
            let (_, last) = try await redeemed(server)
            let before = try await server.journal().count
            let target = "/__admin/sandboxes/default/journal/\(number == "N" ? String(last) : number)/resend"
            let answer = try await server.send(.post, target, json: changes)
            #expect(Problem(answer).words == words, "\(answer.text)")
            #expect(try await server.journal().count == before)
        }
    }

    @Test func `what matches nothing is said to`() async throws {
        try await TestServer.run(.pipeline) { server in
            let (_, number) = try await redeemed(server)
            let sent = try await server.admin(.post, "journal/\(number)/resend", ["target": "/nowhere/at/all"])
            #expect(sent["number"] == nil && sent["status"] == 404)
        }
    }
}
