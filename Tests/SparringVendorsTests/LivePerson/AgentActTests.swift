import HTTPTypes
import SparringJSON
import Support
import Testing

/// A test plays the agent by the admin API (LivePerson reference 5.11 to 5.13 are what the consumer hears of it).
@Suite struct AgentActTests {
    /// Two agents; the second one has a skill.
    private static let tenants: JSON.Object = [
        "liveperson": [
            "accountId": "acme",
            "agents": [
                ["userId": "55", "loginName": "alex", "nickname": "Alex"],
                ["userId": "56", "loginName": "bo", "nickname": "Bo", "skills": ["17"]],
            ],
        ], "identity": ["tenantId": "brand"],
    ]

    @Test func `the consumer's socket hears everything that an agent does, in order`() async throws {
        try await MessagingScene.run { scene in
            let ada = try await scene.socket("ada")
            _ = try await ada.request("cqm.SubscribeExConversations", ["convState": ["OPEN"]])
            _ = try await ada.notification(MessagingScene.conversations)
            let id = try await scene.conversation(ada)
            _ = try await ada.notification(MessagingScene.conversations)
            for text in ["hello", "anybody?"] {
                _ = try await scene.say(text, in: id, on: ada)
                _ = try await scene.heard(ada)
            }

            let joined = try await scene.act("join")
            #expect(joined["delivery"] == "socket" && joined["sequence"] == nil && joined["agent"]?["nickname"] == "Alex")
            let change = try await ada.notification(MessagingScene.conversations)["body"]?["changes"]?[0]?["result"]
            let participants = change?["conversationDetails"]?["participants"]?.array ?? []
            #expect(participants.map { $0["role"] } == ["CONSUMER", "ASSIGNED_AGENT"])

            let accepted = try await scene.act("accept")
            #expect(accepted["sequence"] == 2 && accepted["delivery"] == "socket")
            var heard = try await scene.heard(ada)
            #expect(heard["event"] == ["type": "AcceptStatusEvent", "status": "ACCEPT", "sequenceList": [0, 1]])
            #expect(heard["originatorMetadata"]?["role"] == "ASSIGNED_AGENT" && heard["originatorId"] == participants.last?["id"])
            try await scene.act("read", ["sequenceList": 1])
            #expect(try await scene.heard(ada)["event"] == ["type": "AcceptStatusEvent", "status": "READ", "sequenceList": [1]])
            try await scene.act("read")
            #expect(try await scene.heard(ada)["event"]?["sequenceList"] == [0], "the other one has been read")

            for (act, state) in [
                ("typing", "COMPOSING"), ("pause", "PAUSE"), ("active", "ACTIVE"), ("inactive", "INACTIVE"), ("gone", "GONE"),
            ] {
                #expect(try await scene.act(act)["sequence"] == nil)
                heard = try await scene.heard(ada)
                #expect(heard["event"] == ["type": "ChatStateEvent", "chatState": .string(state)] && heard["sequence"] == nil)
            }

            let said = try await scene.act(
                "say", ["text": "May I call?", "quickReplies": ["Yes", "No"], "metadata": [["type": "Question"]]])
            #expect(said["sequence"] == 5 && said["done"]?.array?.count == 1)
            heard = try await scene.heard(ada)
            #expect(heard["event"]?["message"] == "May I call?" && heard["event"]?["contentType"] == "text/plain")
            #expect(heard["metadata"] == [["type": "Question"]] && heard["messageAudience"] == "ALL")
            let replies = heard["event"]?["quickReplies"]
            #expect(replies?["type"] == "quickReplies" && replies?["replies"]?.array?.map { $0["title"] } == ["Yes", "No"])
            #expect(replies?["replies"]?[1]?["click"]?["actions"] == [["type": "publishText", "text": "No"]])

            let card: JSON = ["type": "vertical", "elements": [["type": "text", "text": "Parcel"]]]
            try await scene.act("card", ["content": card])
            #expect(try await scene.heard(ada)["event"] == ["type": "RichContentEvent", "content": card])
            try await scene.act(
                "file", ["relativePath": "/v1/a.png", "fileType": "PNG", "caption": "A", "preview": "data:image/png;base64,AA"])
            heard = try await scene.heard(ada)
            #expect(heard["event"]?["contentType"] == "hosted/file" && heard["event"]?["message"]?["caption"] == "A")

            #expect(try await scene.act("leave")["done"] == [.string("Alex left as ASSIGNED_AGENT in conversation \(id)")])
            _ = try await ada.notification(MessagingScene.conversations)
            let closed = try await scene.act("close")
            #expect(closed["delivery"] == "socket")
            let gone = try await ada.notification(MessagingScene.conversations)["body"]?["changes"]?[0]
            #expect(gone?["type"] == "DELETE" && gone?["result"]?["conversationDetails"]?["closeReason"] == "AGENT")
            #expect(gone?["result"]?["conversationDetails"]?["dialogs"]?[0]?["closedCause"] == "Closed by agent")
            #expect(
                try await scene.transcript(id) == [
                    "ada: hello", "ada: anybody?", "Alex: ACCEPT [0,1]", "Alex: READ [1]", "Alex: READ [0]", "Alex: May I call?",
                    "Alex: vertical", "Alex: /v1/a.png",
                ])
            #expect(try await scene.server.journal("?kind=finding") == [], "Sparring's own messages are all as the contract says")
        }
    }

    @Test func `who says something without having joined joins first, and besides somebody assigned as a manager`() async throws {
        try await MessagingScene.run(tenants: Self.tenants) { scene in
            let ada = try await scene.socket("ada")
            let id = try await scene.conversation(ada)
            let said = try await scene.act("say", ["text": "Hello"])
            let words = said["done"]?.array?.compactMap(\.string) ?? []
            #expect(words.first == "Alex joined as ASSIGNED_AGENT in conversation \(id)" && words.count == 2)
            #expect(said["sequence"] == 0 && said["conversation"] == .string(id) && said["delivery"] == "socket")
            #expect(try await scene.act("say", ["text": "again"])["done"]?.array?.count == 1)
            try await scene.act("typing", ["agent": "bo"])
            let agents = try await scene.detail(id)["agents"]?.array ?? []
            #expect(agents.map { $0["nickname"] } == ["Alex", "Bo"] && agents.map { $0["role"] } == ["ASSIGNED_AGENT", "MANAGER"])
            // The one assigned is meant where nobody is named.
            try await scene.act("leave", ["agent": "acme.55"])
            try await scene.act("join", ["agent": "56", "role": "ASSIGNED_AGENT"])
            #expect(try await scene.act("say", ["text": "my turn"])["agent"] == ["userId": "56", "nickname": "Bo"])
        }
    }

    @Test func `a transfer leaves the conversation to the agents with the skill`() async throws {
        try await MessagingScene.run(tenants: Self.tenants) { scene in
            let ada = try await scene.socket("ada")
            let id = try await scene.conversation(ada)
            try await scene.act("join")
            let done = try await scene.act("transfer", ["skill": 17])
            #expect(done["done"] == [.string("handed over to skill 17 in conversation \(id)")])
            let detail = try await scene.detail(id)
            #expect(detail["skill"] == "17" && detail["agents"] == [])
        }
    }

    @Test func `each message to a consumer who is away is pushed with a running badge, none to one who is there`() async throws {
        try await MessagingScene.run { scene in
            let phone = try await Phone(try await Scene(scene.server))
            try await phone.register()
            let ada = try await scene.socket("ada")
            let id = try await scene.conversation(ada)
            #expect(try await scene.act("say", ["text": "zero"])["delivery"] == "socket")
            ada.close()
            _ = try await ada.end()
            try await scene.server.admin(.get, "journal/wait?kind=socket&timeout=60s")

            let said = try await scene.act("say", ["text": "one"])
            #expect(said["delivery"] == "push" && said["done"]?[0]?.string?.hasSuffix("(push with badge 1 to device phone-1)") == true)
            try await scene.act("card", ["content": ["type": "vertical", "elements": []]])
            try await scene.act("file", ["relativePath": "/v1/a", "fileType": "PDF", "caption": "Invoice"])
            // Neither a state nor a receipt nor what is private is pushed.
            try await scene.act("typing")
            #expect(try await scene.act("say", ["text": "psst", "messageAudience": "AGENTS_AND_MANAGERS"])["delivery"] == "none")
            #expect(try await phone.badges() == [1, 2, 3])
            #expect(try await phone.texts() == ["Alex: one", "Alex: Sent a card", "Alex: Invoice"])
            #expect(try await scene.detail(id)["unread"] == 3)

            // A socket that does not follow the dialog keeps pushes away, yet has received nothing.
            let back = try await scene.socket("ada")
            #expect(try await scene.act("say", ["text": "four"])["delivery"] == "none")
            #expect(try await phone.unread()?["total"] == 4)
            _ = try await back.request("ms.SubscribeMessagingEvents", ["dialogId": .string(id), "fromSeq": 1])
            let missed = try await back.notification(MessagingScene.events)["body"]?["changes"]?.array ?? []
            #expect(missed.compactMap { $0["sequence"]?.integer } == [1, 2, 3, 5], "what is private is none of the consumer's")
            #expect(try await phone.unread() == ["total": 0, "conversations": [:]])
            #expect(try await scene.act("say", ["text": "five"])["delivery"] == "socket")
            #expect(try await phone.badges() == [1, 2, 3])
            #expect(try await phone.unread()?["total"] == 0)
        }
    }

    @Test func `all of it is journalled, and what the consumer hears is caused by it`() async throws {
        try await MessagingScene.run { scene in
            let ada = try await scene.socket("ada")
            let id = try await scene.conversation(ada)
            try await scene.act("say", ["text": "Hello"])
            let entries = try await scene.server.journal("?lane=ada")
            let act = try #require(entries.last { $0["kind"] == "configuration" })
            #expect(
                act["cause"]?.string
                    == "Alex to ada: Alex joined as ASSIGNED_AGENT in conversation \(id); ContentEvent 0 in dialog \(id): Hello")
            #expect(act["details"]?["text"] == "Hello")
            let told = try #require(entries.last { $0["kind"] == "notification" })
            #expect(told["causedBy"]?["operation"] == "liveperson.say" && told["causedBy"]?["lane"] == "ada")
            #expect(told["causedBy"]?["ordinal"] == act["ordinal"])
        }
    }

    /// Requests with the words, separated by semicolons, that the problem must say.
    private static let impossible: [(act: String, body: String, status: Int, words: String)] = [
        ("say", #"{"consumer":1}"#, 400, "/consumer"),
        ("say", #"{"text":"x"}"#, 422, "/consumer"),
        ("card", #"{"consumer":"ada","content":{"type":"map","la":1}}"#, 422, "/content/lo"),
        ("card", #"{"consumer":"ada","content":{"type":"carousel","elements":[{"text":"x"}]}}"#, 422, "/content/elements;at least 2"),
        (
            "card", #"{"consumer":"ada","content":{"text":"x"},"quickReplies":{"type":"quickReplies","replies":[{"title":"x"}]}}"#, 422,
            "/quickReplies/itemsPerRow"
        ),
        (
            "say", #"{"consumer":"ada","text":"x","quickReplies":["Yes",""# + String(repeating: "x", count: 129) + #""]}"#, 422,
            "/quickReplies/1"
        ),
        ("join", #"{"consumer":"ad"}"#, 422, "/consumer;did you mean 'ada'"),
        ("join", #"{"consumer":"alan"}"#, 422, "/consumer;no open conversation"),
        ("say", #"{"consumer":"ada"}"#, 400, "/text"),
        ("say", #"{"consumer":"ada","text":""}"#, 400, "/text"),
        ("say", #"{"consumer":"ada","text":1}"#, 400, "/text"),
        ("say", #"{"consumer":"ada","txt":"x"}"#, 400, "/text;'txt' was sent;/txt;did you mean 'text'"),
        ("join", #"{"consumer":"ada","text":"x"}"#, 400, "/text"),
        ("join", #"{"consumer":"ada","role":"CONSUMER"}"#, 400, "/role"),
        ("join", #"{"consumer":"ada","agent":"box"}"#, 422, "/agent;did you mean 'bo'"),
        ("join", #"{"consumer":"ada","conversation":"c-1"}"#, 422, "/conversation"),
        ("join", #"{"consumer":"ada","conversation":"OTHER"}"#, 422, "/conversation;grace's"),
        ("say", #"{"consumer":"ada","text":"x","quickReplies":["Yes",""]}"#, 400, "/quickReplies/1"),
        ("say", #"{"consumer":"ada","text":"x","quickReplies":{"type":"x"}}"#, 400, "/quickReplies"),
        ("say", #"{"consumer":"ada","text":"x","messageAudience":"NOBODY"}"#, 400, "/messageAudience"),
        ("say", #"{"consumer":"ada","text":"x","metadata":["x"]}"#, 400, "/metadata/0"),
        ("card", #"{"consumer":"ada"}"#, 400, "/content"),
        ("card", #"{"consumer":"ada","content":"x"}"#, 400, "/content"),
        ("card", #"{"consumer":"ada","content":{"type":"vertical","elements":[{}]}}"#, 422, "/content/elements/0/type"),
        ("file", #"{"consumer":"ada","relativePath":"/x"}"#, 400, "/fileType"),
        ("form", #"{"consumer":"ada"}"#, 400, "/title"), ("form", #"{"consumer":"ada","title":""}"#, 400, "/title"),
        ("form", #"{"consumer":"ada","title":"x","formId":{}}"#, 400, "/formId"),
        ("form", #"{"consumer":"ada","title":"x","formId":""}"#, 400, "/formId"),
        ("form", #"{"consumer":"ada","title":"x","invitationId":""}"#, 400, "/invitationId"),
        ("form", #"{"consumer":"ada","title":"x","form":7}"#, 400, "/form"),
        ("read", #"{"consumer":"ada","sequenceList":[-1]}"#, 400, "/sequenceList/0"),
        ("read", #"{"consumer":"ada","sequenceList":[0,9223372036854775807]}"#, 400, "/sequenceList/1"),
        ("transfer", #"{"consumer":"ada"}"#, 400, "/skill"),
        ("close", #"{"consumer":"ada","survey":"no"}"#, 400, "/survey"),
        ("leave", #"{"consumer":"ada","text":"x"}"#, 400, "/text;unknown member"),
        ("typing", #"{"consumr":"ada"}"#, 400, "/consumr;did you mean 'consumer'"),
        ("say", #"{"consumer":"ada","text":"x","quickReply":["Yes"]}"#, 400, "/quickReply;did you mean 'quickReplies'"),
        (
            "card", #"{"consumer":"ada","content":{"type":"keyValuePairList","elements":[{"value":"7"}]}}"#, 422, "/content/elements/0/key"
        ),
        ("read", #"{"consumer":"ada","sequenceList":[0,7]}"#, 409, "sequence-unknown;sequence 7"),
        ("leave", #"{"consumer":"ada"}"#, 409, "participant-unknown;Alex"),
    ]

    @Test func `what cannot be done is refused with its place, and nothing is changed`() async throws {
        try await MessagingScene.run(tenants: Self.tenants) { scene in
            let grace = try await scene.socket("grace")
            let other = try await scene.conversation(grace)
            let ada = try await scene.socket("ada")
            _ = try await scene.token("alan")
            let id = try await scene.conversation(ada)
            _ = try await scene.say("hello", in: id, on: ada)
            let before = [try await scene.detail(id), try await scene.detail(other), .array(try await scene.server.journal())]
            for row in Self.impossible {
                let answer = try await scene.refusedAct(row.act, try JSON(parsing: row.body.replacing("OTHER", with: other)))
                let isSaid = row.words.split(separator: ";").allSatisfy { answer.text.contains($0) }
                #expect(answer.status == row.status && isSaid, "\(row.act) \(row.body): \(answer.text)")
            }
            let after = [try await scene.detail(id), try await scene.detail(other), .array(try await scene.server.journal())]
            #expect(after == before)
        }
    }

    @Test func `in a closed conversation nothing can be done any more, and nobody joins for it`() async throws {
        try await MessagingScene.run { scene in
            let ada = try await scene.socket("ada")
            let id = try await scene.conversation(ada)
            try await scene.act("close", ["survey": false])
            let before = try await scene.detail(id)
            #expect(before["state"] == "CLOSE" && before["stage"] == "CLOSE" && before["closeReason"] == "AGENT")
            for act in ["join", "typing", "close"] {
                let answer = try await scene.refusedAct(act, ["conversation": .string(id)])
                #expect(answer.status == 409 && answer.json?["refusal"]?.string?.hasSuffix("-closed") == true, "\(answer.text)")
            }
            let named = try await scene.refusedAct("typing", ["consumer": "ada"])
            #expect(named.status == 422 && named.text.contains("was closed at"), "\(named.text)")
            #expect(try await scene.detail(id) == before)
        }
    }

    @Test func `receipts for everything are given once`() async throws {
        try await MessagingScene.run { scene in
            let ada = try await scene.socket("ada")
            let id = try await scene.conversation(ada)
            _ = try await scene.say("hello", in: id, on: ada)
            #expect(try await scene.act("read")["sequence"] == 1)
            for act in ["accept", "read"] {
                let again = try await scene.act(act)
                #expect(again["sequence"] == nil && again["delivery"] == "none", "what is read has been accepted: \(again.text)")
            }
            #expect(try await scene.transcript(id) == ["ada: hello", "Alex: READ [0]"])
        }
    }

    @Test func `conversations are listed by consumer and state`() async throws {
        try await MessagingScene.run { scene in
            let ada = try await scene.socket("ada")
            let first = try await scene.conversation(ada)
            try await scene.act("close")
            try await scene.advance("1s")
            let second = try await scene.conversation(ada)
            let third = try await scene.conversation(try await scene.socket("grace"))
            func ids(_ query: String) async throws -> [String] {
                try await scene.server.admin(.get, "conversations\(query)")["conversations"]?.array?.compactMap { $0["id"]?.string } ?? []
            }
            #expect(try await Set(ids("")) == [first, second, third])
            #expect(try await ids("?consumer=ada") == [first, second])
            #expect(try await ids("?consumer=ada&state=OPEN") == [second])
            #expect(try await ids("?state=CLOSE") == [first])
            let unknown = try await scene.server.send(.get, "/__admin/sandboxes/default/conversations?consumer=adda")
            #expect(unknown.status == 404 && unknown.json?["nearest"] == ["ada"])
            let missing = try await scene.server.send(.get, "/__admin/sandboxes/default/liveperson/conversations/\(first.dropLast())x")
            #expect(missing.status == 404 && missing.json?["nearest"]?[0] == .string(first))
            #expect(try await scene.server.send(.get, "/__admin/sandboxes/default/conversations?state=open").status == 400)
        }
    }

    @Test func `two sandboxes do not see each other`() async throws {
        try await MessagingScene.run { scene in
            let id = try await scene.conversation(try await scene.socket("ada"))
            let made = try await scene.server.send(.post, "/__admin/sandboxes", json: ["name": "other", "clock": ["mode": "frozen"]])
            #expect(made.status == 201)
            #expect(try await scene.server.admin(.get, "conversations", sandbox: "other")["conversations"] == [])
            let detail = try await scene.server.send(.get, "/__admin/sandboxes/other/liveperson/conversations/\(id)")
            #expect(detail.status == 404 && detail.json?["nearest"] == nil)
            let named = try await scene.refusedAct("join", ["consumer": "ada"], sandbox: "other")
            #expect(named.status == 422 && !named.text.contains("did you mean"), "\(named.text)")
            let byId = try await scene.refusedAct("join", ["conversation": .string(id)], sandbox: "other")
            #expect(byId.status == 422 && !byId.text.contains("did you mean"), "\(byId.text)")
            #expect(try await scene.detail(id)["agents"] == [])
        }
    }
}

private extension JSON {
    subscript(index: Int) -> JSON? { array.flatMap { $0.indices.contains(index) ? $0[index] : nil } }
}
