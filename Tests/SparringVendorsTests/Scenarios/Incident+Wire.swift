import HTTPTypes
import SparringEngine
import SparringJSON
import SparringSandbox
import Support
import Testing

/// Incidents of the wire itself: networks, gateways, sockets that misbehave.
extension Incident {
    static let wire = [
        Incident("brand-tokens-without-a-signature") { stage async throws in
            #expect(try await stage.redeem(stage.code()) == "500 mock-algorithm-refused")
        },
        Incident("html-error-page-from-a-gateway") { stage async throws in
            let token = try await stage.scene.mint(["form": "jwt"])
            for _ in 1...3 {
                let page = try await stage.scene.signIn(.v2, token: token)
                #expect(page.status == 503 && page.headers[.contentType] == "text/html")
                #expect(page.text.contains("<h1>503 Service Unavailable</h1>"))
            }
            #expect(try await stage.signIn(token) == "200")
        },
        Incident("wifi-login-page") { stage async throws in
            let token = try await stage.scene.mint(["form": "jwt"])
            for _ in 1...3 {
                let page = try await stage.scene.signIn(.v2, token: token)
                #expect(page.status == 200 && page.json == nil && page.headers[.contentType] == "text/html")
                try await stage.advance("19s")
            }
            try await stage.advance("3s")
            #expect(try await stage.signIn(token) == "200")
        },
        Incident("truncated-json", .socket) { stage async throws in
            let code = try await stage.code()
            await #expect(throws: (any Error).self) { try await stage.redeem(code) }
            #expect(try await stage.redeem(code) == "500 mock-code-reused", "it was decided")
        },
        Incident("first-byte-never-comes", .socket) { stage async throws in
            let code = try await stage.code()
            let client = try RawClient(port: stage.server.addresses.port)
            let body = (["code": .string(code)] as JSON).text
            client.send(
                "POST /api/account/acme/app/default/authenticate?v=2.0 HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                    + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)")
            try await until { try await stage.server.journal("?operation=liveperson.authenticateV2&kind=exchange").count == 1 }
            client.close()  // it gives up
            try await until { try await !stage.server.journal("?kind=hang-up").isEmpty }
            let other = try RawClient(port: stage.server.addresses.port)
            other.send("GET / HTTP/1.0\r\n\r\n")  // others are served
            #expect(await other.read().end == .closed)
        },
        Incident("slow-network", .socket) { stage async throws in
            async let answer = stage.lookUp()
            try await until { try await stage.server.admin(.get, "clock")["pending"]?.array?.count == 1 }
            try await stage.advance("1m")
            #expect(try await answer.status == 200)
        },
        Incident("half-open-socket", .socket) { stage async throws in
            let socket = try await stage.messaging.socket("ada")
            try await stage.advance("9s")
            #expect(try await socket.isAlive())
            try await stage.advance("1s")
            socket.ping()
            socket.send(["kind": "req", "id": "1", "type": "GetClock", "body": [:]])
            try await until { try await stage.server.journal("?kind=socket").contains { $0["details"]?["frozen"] == true } }
            let (bytes, end) = await socket.raw.read(within: .milliseconds(200))
            #expect(bytes.isEmpty && end == .timedOut, "no pong, no answer, and TCP stays up")
            #expect(try await stage.messaging.socket("ada").isAlive(), "another socket is alive")
        },
        Incident("socket-closed-1001-during-a-message", .socket) { try await closed($0, 1001) },
        Incident("socket-closed-1011-during-a-message", .socket) { try await closed($0, 1011) },
        Incident("message-never-distributed", .socket) { stage async throws in
            let socket = try await stage.messaging.socket("ada")
            let dialog = try await stage.messaging.conversation(socket)
            for text in ["one", "two"] { _ = try await stage.messaging.act("say", ["text": .string(text)]) }
            let change = try await socket.notification(MessagingScene.events)["body"]?["changes"]?.array?.first
            #expect(change?["event"]?["message"] == "two" && change?["sequence"]?.integer ?? 0 > 0, "the gap tells")
            #expect(try await stage.history(dialog, stage.messaging.socket("ada")).suffix(2) == ["one", "two"])
        },
        Incident("messages-out-of-order", .socket) { stage async throws in
            let (phone, tablet) = (try await stage.messaging.socket("ada"), try await stage.messaging.socket("ada"))
            let dialog = try await stage.messaging.conversation(phone)
            _ = try await stage.history(dialog, tablet)
            var sequences: [Int64] = []
            for number in 0..<12 { #expect(try await stage.messaging.say("\(number)", in: dialog, on: phone)["code"] == 200) }
            for event in try await tablet.unread() {
                guard case .message(let message) = event, message["type"]?.string == MessagingScene.events else { continue }
                sequences += message["body"]?["changes"]?.array?.compactMap { $0["sequence"]?.integer } ?? []
            }
            #expect(sequences != sequences.sorted() && Set(sequences).count < sequences.count, "\(sequences)")
            let told = try await stage.messaging.transcript(dialog)
            #expect(told.count == 12 && told.last?.contains("11") == true, "what was said is in order all the same: \(told)")
        },
        Incident("stale-badge") { stage async throws in
            let phone = try await Phone(stage.scene)
            try await phone.register()
            try await phone.message("one", 1)
            try await phone.message("two", 2)
            #expect(try await phone.badges() == [0, 2])
        },
        Incident("malformed-push") { stage async throws in
            let phone = try await Phone(stage.scene)
            try await phone.register()
            for (index, text) in ["one", "two"].enumerated() { try await phone.message(text, index + 1) }
            #expect(try await phone.notifications().map { $0["payload"]?["conversationId"] } == [[], "c-1"])
        },
        Incident("the-pusher-is-down-by-the-clock") { stage async throws in
            let phone = try await Phone(stage.scene)
            #expect(try await phone.register().status == 201)
            try await stage.advance("60s")
            for wait in [1, 2, 4, 8, 16] {
                #expect(try await phone.register().status == 503)
                try await stage.advance("\(wait)s")
            }
            #expect(try await phone.register().status < 300)
        },
    ]

    private static func closed(_ stage: Stage, _ code: Int) async throws {
        let token = try await stage.messaging.token("ada")
        let socket = try await stage.messaging.socket(token: token)
        let dialog = try await stage.messaging.conversation(socket)
        socket.send([
            "kind": "req", "id": "x", "type": "ms.PublishEvent",
            "body": ["dialogId": .string(dialog), "event": ["type": "ContentEvent", "contentType": "text/plain", "message": "hello"]],
        ])
        #expect(try await socket.end() == .closed(code: code, reason: ""))
        let again = try await stage.messaging.socket(token: token)
        #expect(try await stage.history(dialog, again) == [])
        #expect(try await stage.messaging.say("hello", in: dialog, on: again)["code"] == 200)
    }
}
