import HTTPTypes
import SparringJSON
import Support
import Testing

/// The interfaces that access tokens open: interactions (Talkdesk reference 3.5, assumed) and the public API (Talkdesk reference 3.4).
@Suite struct TalkdeskInteractionTests {
    @Test(arguments: TestServer.Speed.usual)
    func `an interaction from its start to its end, with an agent`(_ speed: TestServer.Speed) async throws {
        try await TalkdeskScene.run([:], speed) { scene async throws in
            let ada = try await scene.person("ada")
            let id = try await ada.start()
            #expect(try await ada.read(id).json?["state"] == "started")
            #expect(try await ada.send("Where is my order?", in: id).status == 201)
            let said = try await scene.act("say", ["consumer": "ada", "text": "On its way."])
            #expect(said["sequence"] == 2 && said["done"]?.array?.count == 2)
            let read = try await ada.read(id).json
            #expect(read?["state"] == "connected")
            #expect(
                read?["messages"]?.array?.map { "\($0["author"]?.string ?? ""): \($0["text"]?.string ?? "")" } == [
                    "person: Where is my order?", "agent: On its way.",
                ])
            try await scene.act("close", ["conversation": .string(id), "reason": "solved"])
            #expect(try await ada.read(id).json?["reason"] == "solved")
            #expect(try await ada.send("Thanks", in: id).talkdeskWords == "409 0040901")
            let again = try await ada.start()
            #expect(try await ada.end(again).status == 204)
            #expect(try await ada.end(again).status == 409)
            let list = try await scene.server.admin(.get, "conversations")["conversations"]?.array ?? []
            #expect(list.map { $0["state"] } == ["CLOSE", "CLOSE"])
        }
    }

    @Test func `a token that expires in the middle is refused, and the interaction goes on with another one`() async throws {
        try await TalkdeskScene.run(["tokenLifetime": "60s"]) { scene async throws in
            var ada = try await scene.person("ada")
            let id = try await ada.start()
            try await scene.advance("60s")
            #expect(try await ada.send("still there?", in: id).talkdeskWords == "401 0040101")
            #expect(try await scene.answer(to: "sendToInteraction") == "token-expired")
            #expect(try await scene.entry("sendToInteraction")["lane"] == "ada")
            ada.token = try await scene.person("ada").token
            #expect(try await ada.send("still there?", in: id).status == 201)
            try await scene.act("signOut", ["consumer": "ada"])
            #expect(try await ada.send("and now?", in: id).status == 401)
            #expect(try await scene.answer(to: "sendToInteraction") == "token-revoked")
        }
    }

    @Test func `each cause of a refusal has its name`() async throws {
        try await TalkdeskScene.run { scene async throws in
            let ada = try await scene.person("ada")
            let bea = try await scene.person("bea")
            let id = try await ada.start()
            let narrow = try await scene.token(["grant_type": "client_credentials", "scope": "callback:write"])
            let table: [(String?, String, String)] = [
                (nil, "401 0040101", "token-missing"), ("Basic eDp5", "401 0040101", "token-missing"),
                ("Bearer nonsense", "401 0040101", "token-unknown"), ("Bearer \(bea.token)", "404 0040401", "interaction-of-another"),
                ("Bearer \(narrow.json?["access_token"]?.string ?? "")", "403 0040301", "scope-missing"),
                // Some of Talkdesk's calls take a token without the word (Talkdesk reference 3.4).
                (ada.token, "200 ", "interaction-read"),
            ]
            for (authorization, words, name) in table {
                var headers: HTTPFields = [:]
                headers[.authorization] = authorization
                let answer = try await scene.server.send(.get, "/gateway/acme/visual-sessions/interactions/\(id)", headers: headers)
                #expect(answer.talkdeskWords == words)
                #expect(try await scene.answer(to: "readInteraction") == name)
            }
            #expect(try await ada.read("nowhere").talkdeskWords == "404 0040401")
        }
    }

    @Test func `an agent's script joins, and echoes what is said`() async throws {
        try await TalkdeskScene.run(["agents": [["id": "7", "name": "Echo", "script": "echo"]]]) { scene async throws in
            let ada = try await scene.person("ada")
            let id = try await ada.start()
            try await scene.advance("1s")
            _ = try await ada.send("hello", in: id)
            try await scene.advance("1s")
            let read = try await ada.read(id).json
            #expect(read?["state"] == "connected" && read?["messages"]?.array?.map { $0["text"] } == ["hello", "hello"])
        }
    }

    @Test func `conversations and messages of the public API`() async throws {
        try await TalkdeskScene.run { scene async throws in
            let token = try await scene.token(["grant_type": "client_credentials"]).json?["access_token"]?.string ?? ""
            let client = TalkdeskPerson(scene: scene, name: scene.client, token: token)
            let body: JSON = ["touchpoint_id": "19db026c7f9244e19789e3ea4bb84359", "subject": "My order"]
            let made = try await client.call(.post, "/digital-connect/conversations", body, key: "k-1")
            #expect(try await client.call(.post, "/digital-connect/conversations", body, key: "k-1").text == made.text)
            #expect(try await client.call(.post, "/digital-connect/conversations", ["touchpoint_id": "x"], key: "k-1").status == 409)
            #expect(try await client.call(.post, "/digital-connect/conversations", ["touchpoint_id": "x"]).status == 404)
            let messages = "/digital-connect/conversations/\(made.json?["id"]?.string ?? "")/messages"
            #expect(try await client.call(.post, messages, ["content": "hi"]).status == 201)
            let partly = try await client.call(.post, messages, ["content": "look", "attachments": [["id": "a"]]])
            #expect(partly.status == 206 && partly.json?["partial_fail_reason"] != nil)
            #expect(try await client.call(.post, "/digital-connect/conversations/x/messages", ["content": "hi"]).status == 404)
            // The code that jroar/td-dce-slack-connect takes for the end of a conversation.
            try await scene.server.admin(.post, "faults", ["fault": "talkdesk.addMessage conversation-ended times=1"])
            let ended = try await client.call(.post, messages, ["content": "hi"])
            #expect(ended.status == 409 && ended.json?["code"] == "3016011", "\(ended.text)")
        }
    }

    /// Numbers of a callback, and what is said of them: the answer's name, the field at fault and the journal's cause.
    @Test(
        arguments: [
            ("+12025550123", "+12025550188", "callback-requested", nil, "+12025550123 is to call +12025550188"),
            (
                "+1", "+12025550188", "talkdesk-number-unknown", "talkdesk_phone_number",
                "talkdesk_phone_number is '+1'; the account has +12025550123, by its setting 'phoneNumbers'"
            ),
            (
                "+12025550123", "0202", "phone-number-refused", "contact_phone_number",
                "contact_phone_number is '0202', not + and 7 to 15 digits (E.164)"
            ),
            (
                "+1", "0202", "talkdesk-number-unknown", "talkdesk_phone_number",
                "talkdesk_phone_number is '+1'; the account has +12025550123, by its setting 'phoneNumbers'"
            ),
        ] as [(String, String, String, String?, String)])
    func `a callback that cannot be names the number at fault`(
        _ own: String, _ contact: String, _ name: String, _ field: String?, _ cause: String
    ) async throws {
        try await TalkdeskScene.run { scene async throws in
            let token = try await scene.token(["grant_type": "client_credentials"]).json?["access_token"]?.string ?? ""
            let client = TalkdeskPerson(scene: scene, name: scene.client, token: token)
            let answer = try await client.call(
                .post, "/calls/callback", ["talkdesk_phone_number": .string(own), "contact_phone_number": .string(contact)])
            #expect(answer.status == (field == nil ? 201 : 422), "\(answer.text)")
            #expect(answer.json?["fields"]?.array?.compactMap { $0["name"]?.string } == field.map { [$0] })
            #expect(try await scene.answer(to: "requestCallback") == name)
            #expect(try await scene.entry("requestCallback")["cause"]?.string == cause)
        }
    }

    /// They stand in `sparring sandbox show` and in its variables.
    @Test(
        arguments: [([:], nil, nil), (["touchpoints": ["t-1", "t-2"], "phoneNumbers": ["+4930123456"]], "t-1", "+4930123456")]
            as [(JSON.Object, String?, String?)])
    func `a touchpoint and a number that are published are good ones`(
        _ members: JSON.Object, _ touchpoint: String?, _ number: String?
    ) async throws {
        try await TalkdeskScene.run(members) { scene async throws in
            let sandbox = try await scene.server.admin(.get, "")
            let published = try #require(sandbox["tenants"]?["talkdesk"])
            let own = try #require(published["touchpointId"]?.string)
            let phone = try #require(published["phoneNumber"]?.string)
            if let touchpoint { #expect(own == touchpoint) }
            if let number { #expect(phone == number) }
            let token = try await scene.token(["grant_type": "client_credentials"]).json?["access_token"]?.string ?? ""
            let client = TalkdeskPerson(scene: scene, name: scene.client, token: token)
            #expect(try await client.call(.post, "/digital-connect/conversations", ["touchpoint_id": .string(own)]).status == 201)
            let callback: JSON = ["talkdesk_phone_number": .string(phone), "contact_phone_number": "+12025550188"]
            #expect(try await client.call(.post, "/calls/callback", callback).status == 201)
        }
    }

    @Test func `an account without touchpoints and numbers publishes none, and says so`() async throws {
        try await TalkdeskScene.run(["touchpoints": [], "phoneNumbers": []]) { scene async throws in
            let published = try await scene.server.admin(.get, "")["tenants"]?["talkdesk"]
            #expect(published?["touchpointId"] == nil && published?["phoneNumber"] == nil)
            let token = try await scene.token(["grant_type": "client_credentials"]).json?["access_token"]?.string ?? ""
            let client = TalkdeskPerson(scene: scene, name: scene.client, token: token)
            #expect(try await client.call(.post, "/digital-connect/conversations", ["touchpoint_id": "x"]).status == 404)
            #expect(
                try await scene.entry("createConversation")["cause"]?.string
                    == "touchpoint_id is 'x'; the account has none, by its setting 'touchpoints'")
        }
    }

    /// A body, and the violation's place.
    @Test(
        arguments: [
            ([:], "consumer"), (["consumer": "nobody"], "consumer"), (["consumer": "ada", "agent": "Nobody"], "agent"),
            (["conversation": "x"], "conversation"), (["consumer": "ada", "text": ""], "text"),
            (["consumer": "ada", "texts": "x"], "texts"),
        ] as [(JSON, String)])
    func `an act that cannot be is refused with its place`(_ body: JSON, _ place: String) async throws {
        try await TalkdeskScene.run { scene async throws in
            let ada = try await scene.person("ada")
            let id = try await ada.start()
            // Without a name the newest interaction is meant, if there is one.
            if body == [:] { _ = try await ada.end(id) }
            let with = (["text": "x"] as JSON).merging(body)
            let answer = try await scene.server.send(.post, "/__admin/sandboxes/default/talkdesk/agent/say", json: with)
            #expect(answer.json?["violations"]?.array?.first?["pointer"]?.string == "/\(place)", "\(answer.text)")
        }
    }
}
