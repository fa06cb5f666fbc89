import HTTPTypes
import SparringJSON
import Support
import Testing

/// The violations of the contract that fail a run, by the gate that is asked for.
@Suite struct ContractGateTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var testDescription: String
        /// The gates under which it fails.
        var fails: Set<String>
        var call: @Sendable (MessagingScene) async throws -> Void

        init(_ name: String, _ fails: Set<String>, _ call: @escaping @Sendable (MessagingScene) async throws -> Void) {
            (testDescription, self.fails, self.call) = (name, fails, call)
        }

        static func http(
            _ name: String, _ fails: Set<String>, _ method: HTTPRequest.Method, _ target: String, _ json: JSON? = nil
        ) -> Case {
            Case(name, fails) { scene in
                _ =
                    if let json { try await scene.server.send(method, target, json: json) } else {
                        try await scene.server.send(method, target)
                    }
            }
        }

        /// The vendor closes the socket.
        static func frame(_ name: String, _ fails: Set<String>, _ text: String) -> Case {
            Case(name, fails) { scene in
                let socket = try await scene.socket("ada")
                socket.sendText(text)
                _ = try await socket.end()
            }
        }

        static func message(_ name: String, _ fails: Set<String>, _ type: String) -> Case {
            Case(name, fails) { scene in _ = try await scene.socket("ada").request(type, ["brandId": "acme", "skillId": "12"]) }
        }
    }

    private static let lookUp = "/api/account/acme/service/idp/baseURI.json"
    private static let (verified, inferred, assumed): (Set<String>, Set<String>, Set<String>) = (
        ["verified", "inferred", "assumed", "all"], ["inferred", "assumed", "all"], ["assumed", "all"]
    )

    static let cases = [
        Case.http("what the contract has", [], .get, lookUp + "?version=1.0"),
        .http(
            "a mistyped member of an inferred operation", inferred, .post, "/api/account/acme/app/default/authenticate?v=2.0",
            ["id_token": 5]),
        .http("a missing member of an assumed operation", assumed, .put, "/mock/pusher/account/acme/registrations/com.example.app", [:]),
        .http("an undeclared parameter of a verified operation", ["all"], .get, lookUp + "?version=1.0&verison=1"),
        .http("an unknown path", ["all"], .get, "/api/account/acme/nothing/at/all"),
        .http("a path with a slip in it", verified, .get, lookUp.replacing("service", with: "sevrice") + "?version=1.0"),
        .http("a path of another version", ["all"], .get, lookUp.replacing("account", with: "account2") + "?version=1.0"),
        .message("a message with a slip in its name", verified, "cm.ConsumerRequestConversatoin"),
        .message("an unknown message", ["all"], "cm.ExchangeThePleasantries"),
        .frame("a frame that is not JSON", verified, #"{"kind":"req","id":"1","type":"GetClock""#),
        .frame("an empty frame", ["all"], " "),
    ]

    @Test(arguments: cases) func `fails a run where its gate says so`(_ trial: Case) async throws {
        try await MessagingScene.run { scene in
            try await trial.call(scene)
            for gate in ["verified", "inferred", "assumed", "all", "warn", "off"] {
                let report = try await scene.server.admin(
                    .post, "verdicts", ["contract": .string(gate), "rules": ["backs-off-1-2-4-8-16s"]])
                #expect((report["result"] == "fail") == trial.fails.contains(gate), "\(gate): \(report["contract"]?.text ?? "")")
                #expect(report["contract"]?["gate"]?.string == gate)
            }
        }
    }

    @Test func `a slip in a message's name is reported with the name that was meant, and its line`() async throws {
        try await ChatScene.run(findings: 1) { scene in
            let chatter = try await scene.chatter(.multi, "ada")
            // The gateway's answer names no event.
            chatter.socket.send(chatter.event("FetchThreadLsit", nil, id: "e1"))
            _ = try await chatter.send("FetchThreadList")
            let report = try await scene.server.admin(.post, "verdicts", ["contract": "verified", "behaviours": ["cxone"]])
            let row = try #require(report["contract"]?["findings"]?.array?.first { $0["code"] == "misspelt" }, "\(report.text)")
            let words = row["words"]?.string ?? ""
            #expect(words.contains("\"FetchThreadLsit\"") && words.hasSuffix("; did you mean cxone.fetchThreadList?"), "\(words)")
            #expect(row["contract"]?["document"] == "cxone.asyncapi.yaml" && row["contract"]?["line"]?.integer ?? 0 > 1, "\(row)")
        }
    }

    /// CXone reference 5.1 has texts only; nothing is known of other content that a client might send.
    @Test(
        arguments: [
            ("TEXT", ["text": "hi"], []), ("TEXT", ["text": ""], []), ("TEXT", ["text": "Today", "postback": "{\"id\":\"1\"}"], []),
            ("TEXT", ["txt": "hi"], ["missing", "undeclared"]), ("TEXT", [:], ["missing"]), ("TEXT", ["text": 7], ["type"]),
            ("PLUGIN", ["txt": "hi"], []),
        ] as [(String, JSON, Set<String>)])
    func `what a chat message says is checked by its type`(_ type: String, _ payload: JSON, _ codes: Set<String>) async throws {
        try await ChatScene.run { scene in
            let chatter = try await scene.chatter(.single, "ada")
            _ = try await chatter.say("", 1, ["messageContent": ["type": .string(type), "payload": payload]])
            let report = try await scene.server.admin(.post, "verdicts", ["contract": "verified", "behaviours": ["cxone"]])
            let rows = (report["contract"]?["findings"]?.array ?? []).filter { $0["operation"] == "cxone.sendMessage" }
            #expect(Set(rows.compactMap { $0["code"]?.string }) == codes, "\(report["contract"]?.text ?? "")")
            #expect(rows.contains { $0["weight"] == "fail" } == !codes.isEmpty, "\(rows)")
            guard codes.contains("undeclared") else { return }
            #expect(
                rows.contains { $0["words"]?.string?.contains("required member 'text' is missing ('txt' was sent)") == true }, "\(rows)")
        }
    }
}
