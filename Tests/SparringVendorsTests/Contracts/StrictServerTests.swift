import HTTPTypes
import SparringAdmin
import SparringEngine
import SparringJSON
import SparringJournal
import Support
import Testing

/// A server that refuses whatever the contract does not allow.
@Suite struct StrictServerTests {
    @Sendable private static func strict(_ options: inout Server.Options) { options.engine.isStrict = true }

    /// The target of the call, its status without and with strictness, and the refusal's name.
    @Test(
        arguments: [
            ("/api/account/acme/service/idp/baseURI.json?version=1.0", 200, 200, nil),
            ("/api/account/acme/service/idp/baseURI.json?version=1.0&verison=1.0", 200, 400, "request-malformed"),
            ("/v1/AUTH_async-images/acme/x.png?nope=1", 401, 400, nil), ("/api/account/acme/nothing", 404, 404, nil),
        ] as [(String, Int, Int, String?)])
    func `A call that the vendor lets through is refused: by the vendor's answer to malformed requests, else by Sparring's own`(
        _ target: String, _ usual: Int, _ strict: Int, _ name: String?
    ) async throws {
        #expect(try await TestServer.run(.pipeline, tenants: acme) { try await $0.send(.get, target).status } == usual)
        try await TestServer.run(.pipeline, tenants: acme, configure: Self.strict) { server in
            let answer = try await server.send(.get, target)
            #expect(answer.status == strict)
            if strict == 400 {
                let entry = try #require(try await server.journal("?kind=exchange").last)
                #expect(entry["causeCode"] == .string(Cause.malformed) && entry["answer"]?["name"]?.string == name, "\(entry)")
                #expect(entry["cause"]?.string?.contains("not in the contract") == true)
                if name == nil { #expect(answer.json?["detail"]?.string?.contains("query parameter nope: not in the contract") == true) }
            }
        }
    }

    @Test func `A refusal that the contract has is the vendor's own`() async throws {
        try await TestServer.run(.pipeline, tenants: acme, configure: Self.strict) { server in
            let answer = try await server.send(
                .post, "/api/account/acme/app/default/authenticate?v=2.0", headers: [.contentType: "application/json"],
                body: Array(#"{"id_token":"x","extra":1}"#.utf8))
            let entry = try #require(try await server.journal("?operation=liveperson.authenticateV2").last)
            #expect(entry["answer"]?["name"] == "request-malformed", "\(answer.status) \(entry)")
        }
    }

    @Test(arguments: [(false, 200), (true, 400)])
    func `A message with an undeclared member is answered by the vendor, or refused`(_ isStrict: Bool, _ code: JSON) async throws {
        try await MessagingScene.run(configure: { $0.engine.isStrict = isStrict }) { scene in
            let socket = try await scene.socket("ada")
            socket.send(["kind": "req", "id": "1", "type": "GetClock", "body": [:], "extra": 1])
            guard case .message(let answer) = try await socket.next() else { Issue.record("no answer"); return }
            #expect(answer["code"] == code, "\(answer.text)")
            let entries = try await scene.server.journal("?operation=liveperson.getClock")
            #expect(entries.first?["findings"]?.array?.map { $0["code"] } == ["undeclared"], "\(entries)")
        }
    }
}
