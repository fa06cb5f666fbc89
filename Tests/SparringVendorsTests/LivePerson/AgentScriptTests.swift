import HTTPTypes
import SparringJSON
import Support
import Testing

/// Agents that answer by themselves, on the sandbox's clock.
@Suite struct AgentScriptTests {
    private static func tenants(_ agents: JSON) -> JSON.Object {
        ["liveperson": ["accountId": "acme", "agents": agents], "identity": ["tenantId": "brand"]]
    }

    private static func scripted(_ script: JSON, skills: JSON = []) -> JSON {
        ["userId": "55", "nickname": "Alex", "skills": skills, "script": script]
    }

    private static let slow: JSON = [
        ["on": "opened", "after": "1s", "do": ["act": "join"]],
        ["on": "text", "matching": "(?i)parcel|order [0-9]+", "after": "1s", "do": ["act": "typing"]],
        ["after": "2s", "do": ["act": "say", "text": "You said: {{text}}"]],
        ["on": "content", "after": "1m", "do": ["act": "read"]],
    ]

    private func step(_ scene: MessagingScene) async throws -> [String] {
        try await scene.server.journal("?kind=due").filter { $0["operation"] == "liveperson.agentStep" }.map { $0["cause"]?.string ?? "" }
    }

    @Test func `echo joins at once, accepts and reads everything, and says each text again`() async throws {
        try await MessagingScene.run(tenants: Self.tenants([Self.scripted("echo")])) { scene in
            let ada = try await scene.socket("ada")
            let id = try await scene.conversation(ada)
            try await scene.advance("0s")
            #expect(try await scene.detail(id)["agents"]?.array?.map { $0["role"] } == ["ASSIGNED_AGENT"])
            for text in ["hello", "äöü {{text}} 🙂"] {
                #expect(try await scene.say(text, in: id, on: ada)["code"] == 200)
                try await scene.advance("0s")
            }
            _ = try await ada.request(
                "ms.PublishEvent",
                [
                    "dialogId": .string(id),
                    "event": [
                        "type": "ContentEvent", "contentType": "hosted/file",
                        "message": ["caption": "", "relativePath": "/v1/a", "fileType": "PNG"],
                    ],
                ])
            try await scene.advance("0s")
            #expect(
                try await scene.transcript(id) == [
                    "ada: hello", "Alex: ACCEPT [0]", "Alex: READ [0]", "Alex: hello",
                    "ada: äöü {{text}} 🙂", "Alex: ACCEPT [4]", "Alex: READ [4]", "Alex: äöü {{text}} 🙂",
                    "ada: /v1/a", "Alex: ACCEPT [8]", "Alex: READ [8]",
                ])
            for number in 0..<11 { #expect(try await scene.heard(ada)["sequence"]?.integer == Int64(number)) }
            #expect(try await scene.server.journal("?kind=finding") == [])
            let entry = try #require(
                try await scene.server.journal("?kind=due").last { $0["cause"]?.string?.hasPrefix("step 4") == true })
            #expect(entry["lane"] == .string(id) && entry["causedBy"]?["operation"] == "liveperson.publishText")
            #expect(entry["causedBy"]?["lane"] == "ada" && entry["details"]?["delivery"] == "socket")
            let notified = try #require(try await scene.server.journal("?kind=notification").last)
            #expect(notified["causedBy"]?["operation"] == "liveperson.agentStep" && notified["lane"] == "ada")
        }
    }

    /// An engine that backtracks would never be done with the first two, and every other sandbox would wait.
    @Test func `no text keeps a script's expression busy, and long texts are cut`() async throws {
        let script: JSON = [
            ["on": "text", "matching": "(a+)+$", "do": ["act": "say", "text": "first"]],
            ["on": "text", "matching": ".*order.*number.*[0-9]+.*$", "do": ["act": "say", "text": "second"]],
            ["on": "text", "matching": "(?i)END$", "do": ["act": "say", "text": "third"]],
        ]
        try await MessagingScene.run(tenants: Self.tenants([Self.scripted(script)])) { scene in
            let ada = try await scene.socket("ada")
            let id = try await scene.conversation(ada)
            func answers(to text: String) async throws -> [String] {
                let before = try await scene.transcript(id).count
                #expect(try await scene.say(text, in: id, on: ada)["code"] == 200)
                try await scene.advance("0s")
                return Array(try await scene.transcript(id).dropFirst(before + 1))
            }
            #expect(try await answers(to: String(repeating: "a", count: 10_000) + "!") == [])
            #expect(try await answers(to: String(repeating: "order number ", count: 800)) == [])
            #expect(try await answers(to: "order number 7, aaa") == ["Alex: first", "Alex: second"])
            #expect(try await answers(to: String(repeating: "é", count: 16_381) + "end") == ["Alex: third"])
            #expect(try await answers(to: String(repeating: "é", count: 16_382) + "end") == [])
        }
    }

    @Test func `a consumer who has left is pushed the answer`() async throws {
        let script: JSON = [["on": "text", "after": "10s", "do": ["act": "say", "text": "Sorry for the wait"]]]
        try await MessagingScene.run(tenants: Self.tenants([Self.scripted(script)])) { scene in
            let phone = try await Phone(try await Scene(scene.server))
            try await phone.register()
            let ada = try await scene.socket("ada")
            let id = try await scene.conversation(ada)
            for _ in 0..<2 { _ = try await scene.say("hello", in: id, on: ada) }
            ada.close()
            _ = try await ada.end()
            try await scene.server.admin(.get, "journal/wait?kind=socket&timeout=60s")
            try await scene.advance("9s")
            #expect(try await phone.badges() == [])
            try await scene.advance("1s")
            #expect(try await phone.badges() == [1, 2])
            #expect(try await phone.texts() == ["Alex: Sorry for the wait", "Alex: Sorry for the wait"])
            let back = try await scene.socket("ada")
            _ = try await back.request("ms.SubscribeMessagingEvents", ["dialogId": .string(id), "fromSeq": 2])
            #expect(try await phone.unread()?["total"] == 0)
        }
    }

    @Test func `each step waits for the one before it, and only what matches is answered`() async throws {
        try await MessagingScene.run(tenants: Self.tenants([Self.scripted(Self.slow)])) { scene in
            let ada = try await scene.socket("ada")
            let id = try await scene.conversation(ada)
            #expect(try await scene.detail(id)["agents"] == [])
            try await scene.advance("1s")
            #expect(try await scene.detail(id)["agents"]?.array?.count == 1)

            _ = try await scene.say("Where is my PARCEL?", in: id, on: ada)
            _ = try await scene.heard(ada)
            try await scene.advance("999ms")
            #expect(try await scene.transcript(id).count == 1)
            try await scene.advance("1ms")
            #expect(try await scene.heard(ada)["event"]?["chatState"] == "COMPOSING")
            try await scene.advance("1999ms")
            #expect(try await scene.transcript(id).count == 1)
            try await scene.advance("1ms")
            #expect(try await scene.heard(ada)["event"]?["message"] == "You said: Where is my PARCEL?")
            // A minute after the answer, not after the question.
            try await scene.advance("59s")
            #expect(try await scene.transcript(id).count == 2)
            try await scene.advance("1s")
            #expect(try await scene.transcript(id).last == "Alex: READ [0]")

            _ = try await scene.say("order x", in: id, on: ada)
            try await scene.advance("1h")
            #expect(try await Array(scene.transcript(id).suffix(2)) == ["ada: order x", "Alex: READ [3]"], "nothing else matches")
        }
    }

    @Test func `scripts answer for their skills, also what is handed over to one`() async throws {
        let first = Self.scripted(
            [["on": "opened", "do": ["act": "join"]], ["on": "text", "do": ["act": "transfer", "skill": "18"]]], skills: ["17"])
        let second: JSON = ["userId": "56", "nickname": "Bo", "skills": ["18"], "script": "echo"]
        try await MessagingScene.run(tenants: Self.tenants([["userId": "54", "nickname": "Mute"], first, second])) { scene in
            func open(_ skill: String, _ subject: String) async throws -> (SocketClient, String) {
                let socket = try await scene.socket(subject)
                let opened = try await socket.request("cm.ConsumerRequestConversation", ["skillId": .string(skill)])
                try await scene.advance("0s")
                return (socket, try #require(opened["body"]?["conversationId"]?.string))
            }
            func agents(_ id: String) async throws -> [JSON?] { try await scene.detail(id)["agents"]?.array?.map { $0["nickname"] } ?? [] }
            #expect(try await agents(open("19", "grace").1) == [], "nobody has this skill")
            #expect(try await agents(open("18", "alan").1) == ["Bo"])
            #expect(try await agents(open("-1", "joan").1) == ["Alex"], "the first who has a script")
            let (ada, id) = try await open("17", "ada")
            #expect(try await agents(id) == ["Alex"])
            _ = try await scene.say("a human, please", in: id, on: ada)
            try await scene.advance("0s")
            #expect(try await agents(id) == ["Bo"])
            _ = try await scene.say("hello Bo", in: id, on: ada)
            try await scene.advance("0s")
            #expect(try await scene.transcript(id).last == "Bo: hello Bo")
        }
    }

    @Test func `scripts that hand a conversation to and fro come to an end`() async throws {
        func agent(_ number: String, _ skill: String, to other: String) -> JSON {
            [
                "userId": .string(number), "skills": [.string(skill)],
                "script": [["on": "opened", "do": ["act": "transfer", "skill": .string(other)]]],
            ]
        }
        try await MessagingScene.run(tenants: Self.tenants([agent("55", "17", to: "18"), agent("56", "18", to: "17")])) { scene in
            let ada = try await scene.socket("ada")
            let opened = try await ada.request("cm.ConsumerRequestConversation", ["skillId": "17"])
            #expect(opened["code"] == 200)
            try await scene.advance("0s")
            let steps = try await step(scene)
            #expect(steps.count == 17 && steps.last?.contains("set each other off") == true, "\(steps)")
        }
    }

    @Test func `where the test plays the assigned agent, scripts are silent`() async throws {
        let mute: JSON = ["userId": "56", "loginName": "bo", "nickname": "Bo"]
        let script: JSON = [["on": "text", "after": "1s", "do": ["act": "say", "text": "late"]]]
        try await MessagingScene.run(tenants: Self.tenants([Self.scripted(script), mute])) { scene in
            let ada = try await scene.socket("ada")
            let id = try await scene.conversation(ada)
            _ = try await scene.say("one", in: id, on: ada)
            try await scene.act("join", ["agent": "bo"])
            _ = try await scene.say("two", in: id, on: ada)
            try await scene.advance("1h")
            #expect(try await scene.transcript(id) == ["ada: one", "ada: two"])
            #expect(try await step(scene) == ["step 1 of Alex's script not played: conversation \(id) is not Alex's any more"])
        }
    }

    @Test func `what a script cannot do any more is journalled, and nobody joins for it`() async throws {
        let script: JSON = [
            ["on": "text", "after": "1s", "do": ["act": "say", "text": "late"]],
            ["on": "closed", "after": "1s", "do": ["act": "close", "survey": false]],
        ]
        try await MessagingScene.run(tenants: Self.tenants([Self.scripted(script)])) { scene in
            let ada = try await scene.socket("ada")
            let id = try await scene.conversation(ada)
            _ = try await scene.say("bye", in: id, on: ada)
            _ = try await ada.request(
                "cm.UpdateConversationField",
                ["conversationId": .string(id), "conversationField": ["field": "ConversationStateField", "conversationState": "CLOSE"]])
            try await scene.advance("1h")
            #expect(try await scene.transcript(id) == ["ada: bye"])
            #expect(try await scene.detail(id)["agents"] == [])
            #expect(
                try await step(scene) == [
                    "step 1 of Alex's script not played: the conversation is closed already",
                    "step 2 of Alex's script not played: the conversation is closed already",
                ])
            #expect(try await scene.server.journal("?kind=finding") == [])
        }
    }

    @Test func `a script goes on where it was after a restart, once`() async throws {
        try await TemporaryFolder.database { database in
            let tenants = Self.tenants([Self.scripted(Self.slow)])
            var id = ""
            try await MessagingScene.run(tenants: tenants, database: database) { scene in
                let ada = try await scene.socket("ada")
                id = try await scene.conversation(ada)
                _ = try await scene.say("order 7", in: id, on: ada)
                try await scene.advance("1s")
                #expect(try await step(scene).count == 2)
            }
            try await MessagingScene.run(tenants: tenants, database: database) { scene in
                let pending = try await scene.server.admin(.get, "clock")["pending"]?.array ?? []
                #expect(pending.compactMap { $0["what"]?.string }.filter { $0.contains("Alex's script") }.count == 2, "\(pending)")
                #expect(try await scene.transcript(id) == ["ada: order 7"])
                try await scene.advance("1h")
                #expect(try await scene.transcript(id) == ["ada: order 7", "Alex: You said: order 7", "Alex: READ [0]"])
                #expect(try await step(scene).count == 4)
            }
        }
    }

    @Test func `two sandboxes do not answer for each other`() async throws {
        try await MessagingScene.run(tenants: Self.tenants([Self.scripted("echo")])) { scene in
            let made = try await scene.server.send(
                .post, "/__admin/sandboxes",
                json: ["name": "other", "clock": ["mode": "frozen"], "tenants": ["liveperson": ["accountId": "other"]]])
            #expect(made.status == 201, "\(made.text)")
            let ada = try await scene.socket("ada")
            let id = try await scene.conversation(ada)
            _ = try await scene.say("hello", in: id, on: ada)
            try await scene.advance("1h", sandbox: "other")
            try await scene.advance("0s")
            #expect(try await scene.transcript(id).last == "Alex: hello")
            #expect(try await scene.server.journal("?kind=due", sandbox: "other") == [])
        }
    }

    @Test func `a script is switched on and off while it runs, and the agent stays the same`() async throws {
        try await MessagingScene.run { scene in
            let before = try await scene.server.admin(.get, "tenants/liveperson")["agents"]?.array?.first?["userPid"]
            let ada = try await scene.socket("ada")
            let id = try await scene.conversation(ada)
            _ = try await scene.say("one", in: id, on: ada)
            try await scene.advance("20s")
            #expect(try await scene.transcript(id) == ["ada: one"], "no script: silence")
            try await scene.server.admin(.patch, "tenants/liveperson", ["agents": [["userId": "55", "script": "echo"]]])
            _ = try await scene.say("two", in: id, on: ada)
            try await scene.advance("0s")
            #expect(try await scene.transcript(id).last == "agent-55: two")
            let agent = try await scene.detail(id)["agents"]?.array?.first
            #expect(agent?["id"] == before && before != nil)
            try await scene.server.admin(.patch, "tenants/liveperson", ["agents": [["userId": "55", "script": .null]]])
            _ = try await scene.say("three", in: id, on: ada)
            try await scene.advance("20s")
            #expect(try await scene.transcript(id).last == "ada: three")
        }
    }

    @Test(
        arguments: [
            (#""ecko""#, "", "expected 'echo', found 'ecko'"),
            (#"1"#, "", "1 is not a string or a list"),
            (#"[1]"#, "/0", "an object"),
            (#"[{"do":{"act":"join"}}]"#, "/0/on", "required member 'on' is missing"),
            (#"[{"on":"opned","do":{"act":"join"}}]"#, "/0/on", "'opened'"),
            (#"[{"on":"opened"}]"#, "/0/do", "missing"),
            (#"[{"on":"opened","do":{"act":"join"}},{"do":{}}]"#, "/1/do/act", "missing"),
            (#"[{"on":"opened","do":"join"}]"#, "/0/do", "an object"),
            (#"[{"on":"opened","do":{"act":"jion"}}]"#, "/0/do/act", "'jion' is not one of 'accept'"),
            (#"[{"on":"opened","do":{"act":"say"}}]"#, "/0/do/text", "required member 'text' is missing"),
            (#"[{"on":"opened","do":{"act":"join","consumer":"ada"}}]"#, "/0/do/consumer", "unknown member"),
            (#"[{"on":"opened","do":{"act":"say","text":"{{text}}"}}]"#, "/0/do/text", "on: text"),
            (#"[{"on":"opened","matching":"x","do":{"act":"join"}}]"#, "/0/matching", "only what the consumer said as a text can match"),
            (#"[{"on":"text","matching":"(","do":{"act":"join"}}]"#, "/0/matching", "not a supported regular expression"),
            (#"[{"on":"text","matching":"ab(?=c)","do":{"act":"join"}}]"#, "/0/matching", "character 3: look-ahead"),
            (#"[{"on":"text","matching":"a{1000}b","do":{"act":"join"}}]"#, "/0/matching", "more than 1000 states"),
            (#"[{"on":"text","after":"soon","do":{"act":"join"}}]"#, "/0/after", "duration"),
            (#"[{"on":"text","atfer":"1s","do":{"act":"join"}}]"#, "/0/atfer", "did you mean 'after'"),
        ] as [(String, String, String)])
    func `a script that cannot be played is refused with its place, and nothing is changed`(
        _ script: String, _ pointer: String, _ words: String
    ) async throws {
        try await TestServer.run(.pipeline, tenants: Self.tenants([Self.scripted("echo")])) { server in
            let before = try await server.admin(.get, "tenants/liveperson")
            let answer = try await server.send(
                .patch, "/__admin/sandboxes/default/tenants/liveperson",
                json: ["agents": [["userId": "54"], Self.scripted(try JSON(parsing: script))]])
            let violation = answer.json?["violations"]?.array?.first
            #expect(answer.status == 422 && violation?["pointer"] == .string("/agents/1/script\(pointer)"), "\(answer.text)")
            #expect(violation?["message"]?.string?.contains(words) == true, "\(answer.text)")
            #expect(try await server.admin(.get, "tenants/liveperson") == before)
        }
    }
}
