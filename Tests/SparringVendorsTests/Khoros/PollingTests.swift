import HTTPTypes
import SparringEngine
import SparringJSON
import Support
import Testing

/// Bayeux over HTTP: long-polling and callback-polling.
@Suite struct PollingTests {
    private func channels(_ messages: [JSON]) -> [String] { messages.map { $0["channel"]?.string ?? $0.text } }

    @Test func `a client that polls shakes hands, subscribes and receives what happens`() async throws {
        try await MessengerScene.run { scene async throws in
            let ann = try await scene.member("ann")
            _ = try await ann.begin("hello")
            var client = PollingClient(scene)
            let done = try await client.shakeHands()
            #expect(done["id"] == "1" && done["advice"]?["timeout"] == 45000)
            #expect(
                done["supportedConnectionTypes"] == ["long-polling", "cross-origin-long-polling", "callback-polling", "websocket"])
            // The first connect is answered at once, with what came with it.
            let both = try await client.send(PollingClient.connect, PollingClient.subscription(ann))
            #expect(channels(both) == ["/meta/connect", "/meta/subscribe"], "\(both)")
            let (asking, holder) = (client, scene)
            async let held = asking.poll()
            try await holder.server.admin(.get, "journal/wait?operation=khoros.connect&count=2&timeout=60s")
            let said = try await holder.act("say", ["consumer": "ann", "text": "Hi Ann"])
            #expect(said["delivery"] == "socket")
            let told = try await held
            #expect(channels(told) == ["/sdk/apps/\(scene.app)/appusers/\(ann.id)", "/meta/connect"], "\(told)")
            #expect(told.first?.texts == ["Hi Ann"] && told.last?["id"] == "c")
            // What happens while nobody polls waits for the next one.
            try await scene.act("say", ["consumer": "ann", "text": "One"])
            try await scene.act("say", ["consumer": "ann", "text": "Two"])
            let late = try await client.poll()
            #expect(late.flatMap(\.texts) == ["One", "Two"] && late.last?["channel"] == "/meta/connect", "\(late)")
            // Its messages have entries of their own, in the lane of the user.
            let entries = try await scene.server.journal("?operation=khoros.subscribe")
            #expect(entries.first?["request"]?["method"] == "MESSAGE" && entries.first?["lane"] == "ann", "\(entries)")
            #expect(try await scene.entry("pollRealtime")["lane"] == "ann")
            let number = entries.first?["number"]?.text ?? ""
            for form in ["curl", "python", "swift"] {
                let refused = try await scene.server.problem(.get, "/__admin/sandboxes/default/journal/\(number)/export?as=\(form)")
                #expect(refused.words == "409 no-such-form" && refused.detail.contains("is a message on a socket"), "\(refused)")
            }
        }
    }

    @Test func `a connect is held for the time of the advice, and a silent client is forgotten`() async throws {
        try await MessengerScene.run { scene async throws in
            let client = try await PollingClient.listening(as: try await scene.member("ann"))
            async let held = client.poll()
            try await scene.server.admin(.get, "journal/wait?operation=khoros.connect&count=2&timeout=60s")
            try await scene.advance("45s")
            #expect(channels(try await held) == ["/meta/connect"])
            try await scene.advance("91s")
            let refused = try await client.poll()
            #expect(refused.first?["error"]?.string == "401:\(client.clientId):Unknown client", "\(refused)")
            #expect(refused.first?["advice"]?["reconnect"] == "handshake")
            #expect(try await scene.act("say", ["consumer": "ann", "text": "Hello?"])["delivery"] == "none")
        }
    }

    @Test func `the session goes along to a socket, and back`() async throws {
        try await MessengerScene.run { scene async throws in
            let ann = try await scene.member("ann")
            var client = PollingClient(scene)
            try await client.shakeHands()
            _ = try await client.send(PollingClient.subscription(ann))
            let socket = try await SocketClient(port: scene.server.addresses.port, target: "/faye/\(scene.app)")
            let session = JSON.string(client.clientId)
            socket.send(["channel": "/meta/connect", "clientId": session, "connectionType": "websocket"])
            _ = try await socket.message("the answer of connect") { $0.array?.first?["channel"] == "/meta/connect" }
            try await scene.act("say", ["consumer": "ann", "text": "On the socket"])
            let event = try await socket.message("the event") { $0.array?.first?.texts.isEmpty == false }
            #expect(event.array?.first?.texts == ["On the socket"])
            // A client whose socket does not get through goes on polling.
            #expect(channels(try await client.send(PollingClient.subscription(ann))) == ["/meta/subscribe"])
            try await scene.act("say", ["consumer": "ann", "text": "Polled"])
            #expect(try await client.poll().flatMap(\.texts) == ["Polled"])
            socket.send(["channel": "/meta/unsubscribe", "clientId": session, "subscription": "/x"])
            let again = try await socket.message("the answer of unsubscribe") { $0.array?.first?["channel"] == "/meta/unsubscribe" }
            #expect(again.array?.first?["successful"] == true, "a session may come back: \(again.text)")
        }
    }

    @Test func `a script calls the function with the messages`() async throws {
        try await MessengerScene.run { scene async throws in
            let message = JSON.array([.object(PollingClient.handshake)]).text
            let target = "/faye/\(scene.app)?message=\(Form.encoded(message))&jsonp=__jsonp1__"
            let answer = try await scene.server.send(.get, target)
            #expect(answer.status == 200 && answer.headers[.contentType] == "application/javascript", "\(answer.text)")
            #expect(answer.text.hasPrefix("__jsonp1__([{") && answer.text.hasSuffix("}]);"), "\(answer.text)")
            let form = try await scene.server.send(
                .post, "/faye/\(scene.app)", headers: [.contentType: "application/x-www-form-urlencoded"],
                body: Array("message=\(Form.encoded(message))".utf8))
            #expect(form.json?.array?.first?["successful"] == true, "\(form.text)")
        }
    }

    @Test(arguments: [
        ("[]", "no message"), ("[1]", "number"), ("{", "JSON"), ("\"x\"", "string"), ("[[]]", "no message"),
    ])
    func `what is no message of Bayeux is refused`(_ body: String, _ words: String) async throws {
        try await MessengerScene.run { scene async throws in
            let answer = try await scene.server.send(
                .post, "/faye/\(scene.app)", headers: [.contentType: "application/json"], body: Array(body.utf8))
            #expect(answer.status == 400, "\(answer.text)")
            let form = try await scene.server.send(.get, "/faye/\(scene.app)?message=\(Form.encoded(body))")
            #expect(form.status == 400, "\(form.text)")
        }
    }

    @Test func `faults strike a message, what is sent, and the request`() async throws {
        try await MessengerScene.run(findings: 2) { scene async throws in
            let ann = try await scene.member("ann")
            let client = try await PollingClient.listening(as: ann)
            try await scene.arm("khoros.subscribe token-expired times=1")
            let refused = try await client.send(PollingClient.subscription(ann))
            #expect(refused.first?["error"] == "401::invalid_auth", "\(refused)")
            try await scene.arm("khoros.pollRealtime unavailable times=1")
            #expect(try await client.post(PollingClient.connect).status == 503)
            try await scene.arm("khoros.message drop times=1")
            try await scene.act("say", ["consumer": "ann", "text": "lost"])
            try await scene.act("say", ["consumer": "ann", "text": "kept"])
            #expect(try await client.poll().flatMap(\.texts) == ["kept"])
            // What no operation is for is struck where the request that brings it is.
            let unknown: JSON.Object = ["channel": "/meta/none", "id": "n"]
            try await scene.arm("khoros.pollRealtime drop message:/channel=/meta/none times=1")
            #expect(try await client.send(unknown, PollingClient.subscription(ann)).map { $0["channel"] } == ["/meta/subscribe"])
            #expect(try await client.send(unknown).count == 1)
            // A session outlives a request that is cut.
            try await scene.arm("khoros.pollRealtime EMPTY_RESPONSE times=1")
            await #expect(throws: (any Error).self) { try await client.poll() }
            try await scene.act("say", ["consumer": "ann", "text": "after the cut"])
            #expect(try await client.poll().flatMap(\.texts) == ["after the cut"])
        }
    }

    @Test func `a session that is ended by a fault is unknown`() async throws {
        try await MessengerScene.run { scene async throws in
            let ann = try await scene.member("ann")
            let client = try await PollingClient.listening(as: ann)
            try await scene.arm("khoros.connect abort times=1")
            await #expect(throws: (any Error).self) { try await client.poll() }
            #expect(try await client.poll().first?["error"]?.string == "401:\(client.clientId):Unknown client")
            #expect(try await client.send(["channel": "/meta/disconnect"]).first?["successful"] == false)
        }
    }

    @Test(arguments: [(polls: 0, wait: "61s", broken: "polls-again"), (1, "61s", ""), (20, "1s", "does-not-poll-in-a-storm")])
    func `a client polls again after a poll failed, and not in a storm`(_ polls: Int, _ wait: String, _ broken: String) async throws {
        try await MessengerScene.run { scene async throws in
            _ = try await scene.config(MessengerScene.integrations["ios"] ?? "")
            let client = try await PollingClient.listening(as: try await scene.member("ann"))
            try await scene.arm("khoros.pollRealtime unavailable times=\(max(1, polls))")
            #expect(try await client.post(PollingClient.connect).status == 503)
            try await scene.advance("1s")
            for _ in 0..<polls { _ = try await client.post(["channel": "/meta/unsubscribe", "subscription": "/x"]) }
            try await scene.advance(wait)
            let judged = Judged(try await scene.server.admin(.post, "verdicts", ["timeBasis": "sandbox"]))
            #expect(judged.broken == (broken.isEmpty ? [] : [broken]), "\(judged.words(judged.broken))")
        }
    }

    @Test func `what a client did not wait for is brought by its next poll`() async throws {
        try await MessengerScene.run { scene async throws in
            let ann = try await scene.member("ann")
            let client = try await PollingClient.listening(as: ann)
            let raw = try RawClient(port: scene.server.addresses.port)
            let body = JSON.array([.object(PollingClient.connect.merging(["clientId": .string(client.clientId)]) { $1 })]).text
            raw.send(
                "POST /faye/\(scene.app) HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n\r\n"
                    + body)
            try await scene.server.admin(.get, "journal/wait?operation=khoros.connect&count=2&timeout=60s")
            raw.close()
            try await scene.act("say", ["consumer": "ann", "text": "Still there?"])
            var texts: [String] = []
            for _ in 0..<3 where texts.isEmpty {
                texts = try await client.poll().flatMap(\.texts)
            }
            #expect(texts == ["Still there?"])
        }
    }
}
