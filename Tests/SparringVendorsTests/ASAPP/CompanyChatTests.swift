import HTTPTypes
import SparringEngine
import SparringJSON
import Support
import Testing

/// The status, the socket and the messages (ASAPP reference 2.4 and 2.5).
@Suite struct CompanyChatTests {
    @Test func `unread is what came since the user last entered chat, and the queue counts as live`() async throws {
        try await CompanyScene.run([:], .socket) { scene async throws in
            let ann = try await scene.person("ann")
            #expect(try await ann.status() == "0")
            #expect(try await ann.say("hello").status == 201)
            #expect(try await ann.status() == "0 live", "she waits in the queue")
            for text in ["one", "two"] { try await scene.act("say", ["consumer": "ann", "text": .string(text)]) }
            #expect(try await ann.status() == "2 live")
            #expect(try await ann.texts() == ["hello", "one", "two"])
            #expect(try await ann.status() == "2 live", "reading is not entering")
            let socket = try await ann.enter()
            #expect(try await ann.status() == "0 live")
            let said = try await scene.act("say", ["consumer": "ann", "text": "three"])
            #expect(said["delivery"] == "socket")
            #expect(try await socket.notification("message")["text"] == "three")
            #expect(try await ann.status() == "0 live", "she has seen it")
            socket.close()
            _ = try await socket.end()
            try await until {
                try await scene.act("push", ["consumer": "ann", "text": "four"])["done"]?.text.contains("no registered device") == true
            }
            #expect(try await ann.status().hasPrefix("1"))
            try await scene.act("leave", ["consumer": "ann"])
            #expect(try await ann.status() == "1")
            #expect(try await ann.say("anybody?").status == 201)
            #expect(try await ann.status() == "1 live", "back in the queue")
            #expect(try await ann.call(.post, "/end").status == 204)
            #expect(try await ann.status() == "1")
            #expect(try await ann.call(.post, "/end").status == 204)
        }
    }

    @Test func `an open socket means no push, a closed one means one push for each message`() async throws {
        try await CompanyScene.run([:], .socket) { scene async throws in
            let ann = try await scene.person("ann")
            #expect(try await ann.register("d").status == 204)
            let socket = try await ann.enter()
            try await scene.act("push", ["consumer": "ann", "text": "in chat"])
            #expect(try await socket.notification("message")["from"] == "system")
            #expect(try await scene.notifications("d").isEmpty)
            socket.close()
            _ = try await socket.end()
            try await until { try await scene.server.admin(.get, "consumers")["consumers"]?.array?.first?["sockets"] == 0 }
            for text in ["one", "two"] { try await scene.act("push", ["consumer": "ann", "text": .string(text)]) }
            #expect(try await scene.notifications("d").compactMap { $0["badge"]?.integer } == [1, 2])
        }
    }

    @Test func `events come over the socket, to each of the user's, and nothing that a client sends there closes it`() async throws {
        try await CompanyScene.run([:], .socket, findings: 1) { scene async throws in
            let ann = try await scene.person("ann")
            let (phone, tablet) = (try await ann.enter(), try await ann.enter())
            #expect(try await ann.say("hello").status == 201)
            for socket in [phone, tablet] {
                #expect(try await socket.notification("event") == ["type": "event", "name": "NEW_ISSUE", "data": [:]])
                #expect(try await socket.notification("message")["from"] == "customer")
            }
            try await scene.act("join", ["consumer": "ann"])
            #expect(try await phone.notification("event")["name"] == "AGENT_ASSIGNED")
            try await scene.act("close", ["consumer": "ann"])
            #expect(try await phone.notification("event")["name"] == "CHAT_CLOSED")
            phone.sendText("anything")
            #expect(try await phone.isAlive())
            // Nothing is known of what clients send there, so that it breaks no contract.
            try await until { try await scene.server.journal("?kind=finding").count == 1 }
            let entry = try await scene.server.journal("?kind=finding").first
            #expect(entry?["findings"]?.array?.map { $0["code"] } == ["misunderstood"])
        }
    }

    @Test func `a socket's URL is good once and for five minutes`() async throws {
        try await CompanyScene.run([:], .socket) { scene async throws in
            let ann = try await scene.person("ann")
            let (url, late) = (try await ann.socketURL(), try await ann.socketURL())
            #expect(url.hasPrefix("ws://127.0.0.1:") && url.contains("asapp-api-id=acme"))
            _ = try await scene.socket(url)
            #expect(try await scene.refusal(of: url) == "401-05")
            try await scene.advance("5m")
            #expect(try await scene.refusal(of: late) == "401-05")
            let causes = try await scene.entries("openSocket").compactMap { $0["answer"]?["name"]?.string }
            #expect(causes.suffix(2) == ["socket-token-reused", "socket-token-expired"])
            #expect(try await scene.refusal(of: "/chat/v1/socket?asapp-api-id=acme&token=x") == "401-05")
            #expect(try await scene.refusal(of: "/chat/v1/socket?asapp-api-id=acme") == "401-05")
        }
    }

    @Test func `a message that is sent again is said once`() async throws {
        try await CompanyScene.run { scene async throws in
            let (ann, bob) = (try await scene.person("ann"), try await scene.person("bob"))
            let first = try await ann.say("hello", id: "c-1")
            #expect(try await ann.say("hello", id: "c-1").json == first.json)
            #expect(try await ann.say("something else", id: "c-1").json == first.json)
            #expect(try await bob.say("hello", id: "c-1").json != first.json)
            #expect(try await ann.texts() == ["hello"])
            let id = try #require(first.json?["id"]?.string)
            #expect(try await ann.texts(after: id) == [])
            #expect(try await bob.call(.get, "/messages?after=\(id)").code == "404-02")
        }
    }

    /// Each for a customer who is there.
    static let wrong: [(String, JSON, String)] = [
        ("agent/say", [:], "400 request-malformed /text"),
        ("agent/say", ["text": ""], "400 request-malformed /text"),
        ("agent/say", ["text": "x", "title": "y"], "400 request-malformed /title"),
        ("agent/transfer", ["skill": "x"], "400 request-malformed /skill"),
        ("push", ["text": "x", "titel": "y"], "400 request-malformed /titel"),
        ("push", ["text": 7], "400 request-malformed /text"),
        ("sign-out", ["reason": "bored"], "400 request-malformed /reason"),
        ("sign-out", ["agent": "1"], "400 request-malformed /agent"),
    ]

    @Test func `an act whose members cannot be is refused with their place`() async throws {
        try await CompanyScene.run { scene async throws in
            let ann = try await scene.person("ann")
            #expect(try await ann.say("hello").status == 201)
            for (operation, act, words) in Self.wrong {
                let body = JSON.object(["consumer": "ann"]).merging(act)
                let refused = try await scene.server.problem(.post, "/__admin/sandboxes/default/asapp/\(operation)", body)
                #expect(refused.words == words, "\(operation) \(body.text): \(refused)")
            }
            #expect(try await ann.texts() == ["hello"])
        }
    }

    @Test func `an agent's acts, and those that cannot be`() async throws {
        try await CompanyScene.run(["agents": [["id": "1", "name": "Grace"], ["id": "2", "name": "Ada"]]]) { scene async throws in
            let refused = { (name: String, body: JSON) async throws -> String in
                let answer = try await scene.server.send(
                    .post, "/__admin/sandboxes/default/acts", json: ["operation": .string(name), "vendor": "asapp", "with": body])
                return "\(answer.status) \(answer.json?["refusal"]?.string ?? "")"
            }
            #expect(try await refused("say", ["consumer": "ann", "text": "hello"]) == "422 ", "nobody called ann")
            let ann = try await scene.person("ann")
            #expect(try await refused("say", ["consumer": "ann", "text": "hello"]) == "422 ", "no conversation")
            #expect(try await ann.say("hello").status == 201)
            #expect(try await refused("leave", ["consumer": "ann"]) == "409 no-agent-is-assigned")
            let joined = try await scene.act("join", ["consumer": "ann", "agent": "Ada"])
            #expect(joined["agent"] == ["userId": "2", "nickname": "Ada"])
            #expect(try await refused("say", ["consumer": "ann", "agent": "Grace", "text": "hi"]) == "409 another-agent-is-assigned")
            #expect(try await refused("say", ["consumer": "ann", "agent": "Eve", "text": "hi"]) == "422 ")
            try await scene.act("transfer", ["consumer": "ann"])
            let said = try await scene.act("say", ["consumer": "ann", "agent": "Grace", "text": "hi"])
            #expect(said["sequence"] == 2 && said["done"]?.array?.first?.string?.hasPrefix("Grace is assigned") == true)
            let id = try #require(said["conversation"]?.string)
            let shown = try await scene.server.send(.get, "/__admin/sandboxes/default/asapp/conversations/\(id)")
            #expect(shown.json?["stage"] == "live" && shown.json?["messages"]?.array?.count == 2, "\(shown.text)")
            try await scene.act("close", ["conversation": .string(id)])
            #expect(try await refused("say", ["conversation": .string(id), "text": "hi"]) == "409 conversation-closed")
            #expect(try await ann.say("again").status == 201)
            let listed = try await scene.server.admin(.get, "conversations?consumer=ann&state=OPEN")["conversations"]?.array ?? []
            #expect(listed.count == 1 && listed.first?["stage"] == "queue")
            #expect(try await scene.server.send(.get, "/__admin/sandboxes/default/asapp/conversations/i-0").status == 404)
        }
    }

    @Test func `an agent with a script answers by themselves`() async throws {
        try await CompanyScene.run(["agents": [["id": "1", "name": "Grace", "script": "echo"]]]) { scene async throws in
            let ann = try await scene.person("ann")
            #expect(try await ann.say("hello").status == 201)
            try await scene.advance("1s")
            #expect(try await ann.texts() == ["hello", "hello"])
            #expect(try await ann.status() == "1 live")
        }
    }
}
