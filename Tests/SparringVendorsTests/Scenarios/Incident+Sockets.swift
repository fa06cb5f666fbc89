import HTTPTypes
import SparringJSON
import Support
import Testing

extension Incident {
    static let sockets = [
        Incident("token-expires-mid-conversation", .socket) { stage async throws in
            let socket = try await stage.messaging.socket("ada")
            let dialog = try await stage.messaging.conversation(socket)
            _ = try await stage.messaging.say("hello", in: dialog, on: socket)
            try await stage.pass(120, with: socket)
            #expect(try await socket.end() == .closed(code: 4401, reason: "Identity token is invalid"))
            #expect(try await stage.history(dialog, stage.messaging.socket("ada")) == ["hello"])
        },
        Incident("anonymous-identity-must-be-extended", .socket) { stage async throws in
            let token = try await stage.messaging.anonymousToken()
            let socket = try await stage.messaging.socket(token: token)
            let dialog = try await stage.messaging.conversation(socket)
            _ = try await stage.messaging.say("hello", in: dialog, on: socket)
            try await stage.pass(120, with: socket)
            guard case .closed(code: 4407, _) = try await socket.end() else {
                Issue.record("not closed with 4407")
                return
            }
            let extended = try await stage.server.send(
                .post, "/api/account/acme/anonymous/authorize", json: ["id_token": .string(token)])
            let fresh = try #require(extended.json?["token"]?.string, "\(extended.text)")
            #expect(try await stage.history(dialog, stage.messaging.socket(token: fresh)) == ["hello"])
        },
        Incident("silent-socket-dropped-after-a-minute", .socket) { stage async throws in
            let token = try await stage.messaging.token("ada")
            let (silent, lively) = (try await stage.messaging.socket(token: token), try await stage.messaging.socket(token: token))
            try await stage.pass(60, with: lively)
            try await stage.advance("10s")
            #expect(try await silent.end() == .ended(.closed), "no close frame: 1006 to the client")
            #expect(try await lively.isAlive())
            #expect(try await stage.messaging.socket(token: token).isAlive())
        },
        Incident("socket-dropped-during-a-message", .socket) { stage async throws in
            let token = try await stage.messaging.token("ada")
            let socket = try await stage.messaging.socket(token: token)
            let dialog = try await stage.messaging.conversation(socket)
            await #expect(throws: RawClient.Failed.self) { try await stage.messaging.say("hello", in: dialog, on: socket) }
            let again = try await stage.messaging.socket(token: token)
            #expect(try await stage.history(dialog, again) == [])
            #expect(try await stage.messaging.say("hello", in: dialog, on: again)["code"] == 200)
        },
        Incident("answer-lost-after-a-message", .socket) { stage async throws in
            let token = try await stage.messaging.token("ada")
            let socket = try await stage.messaging.socket(token: token)
            let dialog = try await stage.messaging.conversation(socket)
            await #expect(throws: RawClient.Failed.self) { try await stage.messaging.say("hello", in: dialog, on: socket) }
            #expect(try await stage.history(dialog, stage.messaging.socket(token: token)) == ["hello"])
        },
        Incident("message-refused-as-too-many", .socket) { stage async throws in
            let socket = try await stage.messaging.socket("ada")
            let dialog = try await stage.messaging.conversation(socket)
            for _ in 1...3 { #expect(try await stage.messaging.say("hello", in: dialog, on: socket)["code"] == 429) }
            #expect(try await stage.messaging.say("hello", in: dialog, on: socket)["code"] == 200)
            #expect(try await stage.history(dialog, stage.messaging.socket("ada")) == ["hello"])
        },
        Incident("conversation-list-fails-twice", .socket) { stage async throws in
            let socket = try await stage.messaging.socket("ada")
            for code: JSON in [500, 500, 200] { #expect(try await socket.request("cqm.SubscribeExConversations", [:])["code"] == code) }
        },
        Incident("socket-refused-for-31s", .socket) { stage async throws in
            let token = try await stage.messaging.token("ada")
            for wait in [1, 2, 4, 8, 16] {
                let refused = await #expect(throws: SocketClient.Refused.self) { try await stage.messaging.socket(token: token) }
                #expect(refused?.answer.status == 503)
                try await stage.advance("\(wait)s")
            }
            #expect(try await stage.messaging.socket(token: token).isAlive())
        },
        Incident("logged-out-on-another-device", .socket) { stage async throws in
            let token = try await stage.messaging.token("ada")
            let socket = try await stage.messaging.socket(token: token)
            try await stage.pass(60, with: socket)
            #expect(try await socket.end() == .closed(code: 4401, reason: "Identity token is invalid"))
            let old = try await stage.messaging.socket(token: token)
            #expect(try await old.end() == .closed(code: 4401, reason: "Identity token is invalid"))
            #expect(try await stage.messaging.socket("ada").isAlive())
        },
        Incident("session-revoked-by-the-brand", .socket) { stage async throws in
            let token = try await stage.messaging.token("ada")
            let socket = try await stage.messaging.socket(token: token)
            try await stage.pass(60, with: socket)
            #expect(try await socket.end() == .closed(code: 4401, reason: "Identity token is invalid"))
            #expect(try await stage.messaging.socket(token: token).end() == .closed(code: 4401, reason: "Identity token is invalid"))
            #expect(try await stage.messaging.socket("ada").isAlive())
        },
        Incident("logged-out-from-outside", .socket) { stage async throws in
            let phone = try await Phone(stage.scene)
            try await phone.register()
            let socket = try await stage.messaging.socket("ada")
            try await stage.pass(60, with: socket)
            #expect(try await socket.end() == .closed(code: 4401, reason: "Identity token is invalid"))
            #expect(try await phone.isRegistered() == false)
            #expect(try await phone.unregister().status == 204)
        },
        Incident("push-while-in-chat", .socket) { stage async throws in
            let phone = try await Phone(stage.scene)
            try await phone.register()
            let socket = try await stage.messaging.socket("ada")
            try await stage.pass(60, with: socket)
            #expect(try await phone.texts() == ["Brand: Your parcel waits"])
            try await stage.pass(60, with: socket)
            #expect(try await phone.texts() == ["Brand: Your parcel waits", "Brand: Your parcel still waits"])
            #expect(try await socket.isAlive())
        },
        Incident("upload-url-expires", .socket) { stage async throws in
            let files = try await FileScene(stage.messaging)
            let place = try FileScene.Place(try await files.askUpload())
            #expect(try await stage.held("61s") { try await files.put(FileScene.png(), place.target) }.status == 401)
            _ = try await files.upload()
        },
    ]
}
