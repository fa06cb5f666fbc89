import HTTPTypes
import SparringEngine
import SparringJSON
import SparringSandbox
import Support
import Testing

/// Signing in on a consumer's socket, and being put out (LivePerson reference 5.1 to 5.5).
@Suite struct SocketSignInTests {
    @Test func `a token in the header, in the path or in InitConnection makes the socket its owner's`() async throws {
        try await MessagingScene.run { scene in
            let token = try await scene.token("ada")
            let byHeader = try await scene.socket(token: token)
            let byPath = try await SocketClient(
                port: scene.server.addresses.port, target: "/ws_api/account/acme/messaging/consumer/\(token)?v=2")
            let byMessage = try await scene.socket(token: nil)
            // Clients do not wait for the answer before they go on.
            byMessage.send([
                "kind": "req", "id": 0, "type": "InitConnection",
                "headers": [
                    ["type": ".ams.headers.ClientProperties", "deviceFamily": "MOBILE", "os": "ANDROID", "features": ["RICH_CONTENT"]],
                    ["type": ".ams.headers.ConsumerAuthentication", "jwt": .string(token)],
                ],
            ])
            for socket in [byHeader, byPath, byMessage] {
                let answer = try await socket.request("cqm.SubscribeExConversations", ["convState": "OPEN"])
                #expect(answer["code"] == 200 && answer["body"]?["subscriptionId"]?.string?.isEmpty == false, "\(answer.text)")
                let first = try await socket.notification(MessagingScene.conversations)
                #expect(first["body"]?["subscriptionId"] == answer["body"]?["subscriptionId"] && first["body"]?["changes"] == [])
            }
            guard case .message(let initialized) = try await byMessage.next() else { Issue.record("no answer"); return }
            #expect(initialized["reqId"] == "0" && initialized["code"] == 200, "a number comes back as text")
            let lanes = Set(try await scene.server.journal("?operation=liveperson.subscribeConversations").map { $0["lane"] ?? .null })
            #expect(lanes == ["ada"])
        }
    }

    @Test(
        arguments: [
            (".ams.cm.ConsumerRequestConversation", "requestConversation"), (".ams.cm.UpdateConversationField", "updateConversation"),
            (".ams.aam.SubscribeExConversations", "subscribeConversations"), (".ams.userprofile.GetUserProfile", "getUserProfile"),
        ])
    func `the names of version 2 are refused on a consumer's socket, and the finding says which are spoken`(
        _ type: String, _ nearest: String
    ) async throws {
        try await MessagingScene.run { scene in
            let token = try await scene.token("ada")
            let byPath = try await SocketClient(
                port: scene.server.addresses.port, target: "/ws_api/account/acme/messaging/consumer/\(token)?v=2")
            for socket in [byPath, try await scene.socket(token: token)] {
                let refused = try await socket.request(type, [:])
                #expect(refused["code"] == 400 && refused["body"] == "mock-request-malformed", "\(refused.text)")
                #expect(try await socket.request("cm.ConsumerRequestConversation", [:])["code"] == 200, "the socket goes on")
            }
            let findings = try await scene.server.journal("?kind=finding")
            #expect(findings.count == 2, "\(findings)")
            for finding in findings {
                let words = finding["findings"]?.array?.first?["words"]?.string ?? ""
                #expect(words.contains(type) && words.contains("; nearest: liveperson.\(nearest)"), "\(words)")
                #expect(
                    words.hasSuffix("only the names of v=3, whatever its path and its v are: without .ams., and cqm where there is aam"))
            }
        }
    }

    @Test func `a finding on an agent's socket, or of another unknown name, does not say so`() async throws {
        try await MessagingScene.run { scene in
            let agent = try await scene.agentSocket(bearer: try await scene.bearer())
            let consumer = try await scene.socket("ada")
            for (socket, type) in [(agent, ".ams.cm.Nonsense"), (consumer, "cm.Nonsense"), (consumer, "x.ams.cm.Nonsense")] {
                #expect(try await socket.request(type, [:])["code"] == 400)
            }
            let findings = try await scene.server.journal("?kind=finding")
            #expect(findings.count == 3 && findings.allSatisfy { $0["findings"]?.text.contains("v=3") == false }, "\(findings)")
        }
    }

    @Test func `before somebody has signed in only the connection's own requests are answered`() async throws {
        try await MessagingScene.run { scene in
            let socket = try await scene.socket(token: nil)
            #expect(try await socket.request("GetClock")["body"] == ["currentTime": 1_767_225_600_000])
            #expect(try await socket.request("KeepAlive")["code"] == 200)
            let refused = try await socket.request("cm.ConsumerRequestConversation", [:])
            #expect(refused["code"] == 401 && refused["body"] == "mock-unauthenticated", "\(refused.text)")
        }
    }

    @Test(arguments: [
        ("nonsense", 4401, "malformed"), ("another account's", 4407, "not for acc:acme"), ("expired", 4401, "expired"),
        ("anonymous, expired", 4407, "expired"), ("tampered", 4401, "not signed by LivePerson"),
    ])
    func `a token that does not hold closes the socket with the code that says what to do`(_ row: (token: String, code: Int, cause: String))
        async throws
    {
        try await MessagingScene.run { scene in
            var token = "nonsense"
            switch row.token {
            case "another account's":
                _ = try await scene.server.send(
                    .post, "/__admin/sandboxes", json: ["name": "other", "tenants": ["liveperson": ["accountId": "zeta"]]])
                let answer = try await scene.server.send(.post, "/api/account/zeta/anonymous/authorize", json: [:])
                token = try #require(answer.json?["token"]?.string)
            case "expired":
                token = try await scene.token("ada")
                try await scene.server.admin(.post, "clock/advance", ["by": "2h"])
            case "anonymous, expired":
                token = try await scene.anonymousToken()
                try await scene.server.admin(.post, "clock/advance", ["by": "11m"])
            case "tampered":
                token = try await scene.token("ada")
                token = String(token.dropLast(8)) + "AAAAAAAA"
            default: break
            }
            let socket = try await scene.socket(token: token)
            #expect(try await socket.end() == .closed(code: row.code, reason: "Identity token is invalid"))
            let causes = try await scene.server.journal("?kind=socket").map { $0["cause"]?.string ?? "" }
            #expect(causes.contains { $0.contains(row.cause) }, "\(causes)")
        }
    }

    @Test func `an account may refuse such a token at the upgrade instead`() async throws {
        var tenants = MessagingScene.tenants
        tenants["liveperson"] = ["accountId": "acme", "messaging": ["tokenRefusal": "httpStatus"]]
        try await MessagingScene.run(tenants: tenants) { scene in
            let error = await #expect(throws: SocketClient.Refused.self) { try await scene.socket(token: "nonsense") }
            #expect(error?.answer.status == 401)
        }
    }

    @Test func `on the sandbox's clock: no InitConnection in time, the token's end, and a minute without a word`() async throws {
        try await MessagingScene.run { scene in
            let silent = try await scene.socket(token: nil)
            try await scene.server.admin(.post, "clock/advance", ["by": "6s"])
            #expect(try await silent.end() == .closed(code: 4401, reason: "Connection timed out"))

            let (ada, anonymous) = (try await scene.socket("ada"), try await scene.socket(token: try await scene.anonymousToken()))
            let idle = try await scene.socket("eve")
            for _ in 0..<12 {
                try await scene.server.admin(.post, "clock/advance", ["by": "55s"])
                for socket in [ada, anonymous] where try await socket.isAlive() { continue }
            }
            #expect(try await idle.end() == .ended(.closed), "no close frame: 1006 to the client")
            #expect(try await anonymous.end() == .closed(code: 4407, reason: "Identity token is invalid"))
            for _ in 0..<60 {
                try await scene.server.admin(.post, "clock/advance", ["by": "55s"])
                if try await !ada.isAlive() { break }
            }
            #expect(try await ada.end() == .closed(code: 4401, reason: "Identity token is invalid"))
        }
    }

    @Test func `a message that is not a request closes the socket, an agent's GetClock too, and the journal has a finding`() async throws {
        try await MessagingScene.run { scene in
            let agents = #"{"kind":"req","id":"1","type":".GetClock"}"#
            for text in [#"{"kind":"req","type":".GetClock"}"#, "{", "[]", #"{"kind":"req","id":"1"}"#, agents] {
                let socket = try await scene.socket("ada")
                socket.sendText(text)
                guard case .closed(code: 1003, _) = try await socket.end() else { Issue.record("not closed for \(text)"); continue }
            }
            let findings = try await scene.server.journal("?kind=finding")
            #expect(findings.count == 5, "\(findings)")
            for finding in [findings.first, findings.last] {
                #expect(finding?["findings"]?.text.contains("liveperson.getClock") == true && finding?["answer"] == nil, "\(findings)")
            }
            // The dot is what ends it, not the time that is asked for, nor a type that is unknown.
            let socket = try await scene.socket("ada")
            for (type, code) in [("GetClock", 200), (".GetClocks", 400), (".KeepAlive", 400)] as [(String, JSON)] {
                #expect(try await socket.request(type)["code"] == code)
            }
        }
    }
}
