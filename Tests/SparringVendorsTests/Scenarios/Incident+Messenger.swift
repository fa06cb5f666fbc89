import HTTPTypes
import SparringEngine
import SparringJSON
import SparringSandbox
import Support
import Testing

/// Incidents of Khoros's clients.
extension Incident {
    static let messenger = messengerLogins + messengerSockets + messengerUsers

    private static let messengerLogins = [
        Incident("jwt-expires-mid-conversation") { stage async throws in
            let ann = try await stage.messenger.member("ann")
            let conversation = try await ann.begin("hello")
            try await stage.advance("91s")
            #expect(try await ann.say("still there?", in: conversation).refusalWords == "401 invalid_auth")
            var fresh = ann
            fresh.jwt = try await stage.messenger.jwt("ann")
            #expect(try await fresh.say("still there?", in: conversation).status == 201)
        },
        Incident("jwt-with-a-wrong-key") { stage async throws in
            let token = try await stage.messenger.credential("access-token", "ann")
            for expected in ["401 invalid_auth", "200 "] {
                let answer = try await stage.server.send(
                    .post, "/identity/brand/jwt", headers: [.authorization: "Bearer \(token)"], json: ["userId": "ann"])
                let jwt = try #require(answer.json?["jwt"]?.string)
                #expect(try await stage.messenger.logIn("ann", jwt).refusalWords == expected)
            }
        },
        Incident("reauthentication-refused-five-times") { stage async throws in
            for _ in 1...6 {
                #expect(try await stage.messenger.logIn("ann", stage.messenger.jwt("ann")).refusalWords == "401 invalid_auth")
            }
        },
        Incident("login-slow", .socket) { stage async throws in
            let messenger = stage.messenger
            let jwt = try await messenger.jwt("ann")
            #expect(try await stage.held("8s") { try await messenger.logIn("ann", jwt) }.status == 200)
        },
        Incident("login-overloaded") { stage async throws in
            let config = try await stage.messenger.config(MessengerScene.integrations["ios"] ?? "")
            #expect(config.json?["config"]?["restRetryPolicy"]?["intervals"] == ["regular": 3, "aggressive": 3])
            for status in [503, 503, 200] {
                #expect(try await stage.messenger.logIn("ann", stage.messenger.jwt("ann")).status == status)
            }
        },
    ]

    private static let messengerSockets = [
        Incident("realtime-dropped", .socket) { stage async throws in
            let ann = try await stage.messenger.member("ann")
            let conversation = try await ann.begin("hello")
            let faye = try await ann.listen()
            try await stage.advance("21s")
            #expect(try await faye.socket.end() == .ended(.closed))
            try await stage.messenger.act("say", ["consumer": "ann", "text": "while you were away"])
            _ = try await ann.listen()
            #expect(try await ann.texts(of: conversation) == ["hello", "while you were away"])
        },
        Incident("realtime-session-forgotten", .socket) { stage async throws in
            let faye = try await stage.messenger.member("ann").listen()
            faye.socket.send(["channel": "/meta/connect", "clientId": .string(faye.clientId), "connectionType": "websocket"])
            try await until { try await stage.server.journal("?operation=khoros.connect").count == 2 }
            try await stage.advance("45s")
            #expect(try await faye.answer("/meta/connect")["successful"] == true)
            #expect(try await faye.connect()["advice"]?["reconnect"] == "handshake")
            #expect(try await faye.shakeHands()["successful"] == true)
        },
        Incident("subscription-refused", .socket) { stage async throws in
            let ann = try await stage.messenger.member("ann")
            let faye = try await stage.messenger.faye()
            #expect(try await faye.subscribe(to: ann.id, ["jwt": .string(ann.jwt)])["error"] == "401::invalid_auth")
            #expect(try await faye.subscribe(to: ann.id, ["jwt": .string(ann.jwt)])["successful"] == true)
        },
        Incident("second-device-joins", .socket) { stage async throws in
            let phone = try await stage.messenger.member("ann")
            let conversation = try await phone.begin("hello")
            let heard = try await phone.listen()
            let tablet = try await stage.messenger.member("ann", MessengerScene.client("android"))
            #expect(tablet.id == phone.id)
            #expect(try await tablet.say("from the tablet", in: conversation).status == 201)
            #expect(try await heard.event("message")["message"]?["text"] == "from the tablet")
        },
    ]

    private static let messengerUsers = [
        Incident("another-user-logs-in") { stage async throws in
            let device = MessengerScene.client("ios", token: "d-1")
            let ann = try await stage.messenger.member("ann", device)
            _ = try await ann.begin("hello")
            #expect(try await ann.call(.post, "/appusers/\(ann.id)/logout", ["client": device]).status == 200)
            _ = try await stage.messenger.member("bea", device)
            let said = try await stage.messenger.act("say", ["consumer": "ann", "text": "Your parcel is here"])
            #expect(said["delivery"] == "none")
        },
        Incident("push-from-another-sender") { stage async throws in
            _ = try await stage.messenger.member("ada", MessengerScene.client("ios", token: "d-1"))
            try await stage.advance("91s")
            let shown = try await stage.server.admin(.get, "devices/d-1/notifications")["notifications"]?.array ?? []
            #expect(shown.map { $0["payload"]?["SmoochNotification"] != nil } == [false, true])
        },
        Incident("push-token-refused-once") { stage async throws in
            let ann = try await stage.messenger.member("ann")
            for status in [500, 200] {
                let answer = try await ann.call(.put, "/appusers/\(ann.id)/clients/ios-1", ["pushNotificationToken": "d-2"])
                #expect(answer.status == status)
            }
        },
        Incident("user-made-by-the-first-message") { stage async throws in
            let jwt = try await stage.messenger.jwt("ann")
            let answer = try await stage.messenger.logIn("ann", jwt)
            #expect(answer.status == 204 && answer.body.isEmpty)
            let body: JSON = [
                "userId": "ann", "client": MessengerScene.client("ios"), "intent": "message:appUser",
                "conversation": ["type": "personal", "messages": [["text": "hello", "role": "appUser", "type": "text"]]],
            ]
            let made = try await stage.messenger.call(.post, "/appusers", body, by: "Bearer \(jwt)")
            #expect(made.status == 201 && made.json?["appUser"]?["conversationStarted"] == true)
            #expect(try await stage.messenger.logIn("ann", jwt).status == 200)
        },
        Incident("anonymous-user-logs-in") { stage async throws in
            let body: JSON = [
                "client": MessengerScene.client("ios"), "intent": "conversation:start",
                "conversation": ["type": "personal", "messages": [["text": "hello", "role": "appUser", "type": "text"]]],
            ]
            let anonymous = try #require(try await stage.messenger.call(.post, "/appusers", body).json)
            let (id, token) = (anonymous["appUser"]?["_id"] ?? .null, anonymous["sessionToken"] ?? .null)
            let jwt = try await stage.messenger.jwt("ann")
            let answer = try await stage.messenger.logIn("ann", jwt, more: ["appUserId": id, "sessionToken": token])
            #expect(answer.json?["conversations"]?.array?.count == 1, "\(answer.text)")
        },
    ]
}

extension Stage {
    var messenger: MessengerScene { MessengerScene(server: server) }
}
