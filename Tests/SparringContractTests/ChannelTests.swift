import HTTPTypes
import SparringContract
import SparringJSON
import Testing

struct ChannelTests {
    @Test func `A received message is an operation, a sent one is none`() throws {
        let contract = try SampleMessages.contract()
        #expect(contract.operations.map(\.qualifiedName) == ["sample.openTalk", "sample.prepare", "sample.say", "sample.shout"])
        #expect(contract.operations.map(\.isMessage) == [false, false, true, true])
        let operation = try #require(contract.operation("say"))
        #expect(operation.channel == "talk" && operation.tag == "Chat" && operation.summary == "Say something")
        #expect(operation.fidelity == .verified && operation.source == "the vendor's schema")
        #expect(operation.file == SampleMessages.file && operation.line == 26)
        #expect(operation.method == .get && operation.pathTemplate == "/talk/{accountId}" && operation.parameters.isEmpty)
        #expect(operation.tenant == [ValueSource(location: .path("accountId"))])
        #expect(operation.lane.isEmpty, "whose it is, the socket knows")
    }

    @Test func `A received message's payload is its body`() throws {
        let body = try #require(try SampleMessages.contract().operation("say")?.requestBody)
        #expect(body.required && body.mediaTypes.map(\.type) == ["application/json"])
        #expect(body.mediaTypes[0].examples.map(\.name) == ["hello", "2"])
        #expect(body.mediaTypes[0].examples[1].value["body"]?["event"]?["text"] == "bye")
    }

    @Test func `The messages of a reply are answers, and the code in them is their status`() throws {
        let operation = try #require(try SampleMessages.contract().operation("say"))
        #expect(operation.answers.map(\.name) == ["said", "room-unknown"])
        #expect(operation.answers.map(\.status) == [201, 404])
        #expect(operation.answers.map(\.isUnhappy) == [false, true])
        #expect(operation.answer("said")?.example == ["code": 201, "type": "chat.Said"])
        #expect(operation.checkAnswer(name: "said", status: 201, headers: [:], body: ["code": 201, "type": "chat.Said"]) == [])
        #expect(
            operation.checkAnswer(name: "said", status: 200, headers: [:], body: ["code": 200, "type": "chat.Said"]).map(\.description)
                == ["status: answer 'said' has status 201, not 200", "body.code: expected 201, found 200"])
    }

    private static let answers: [(old: String, new: String, status: Int?, outcome: AnswerOutcome)] = [
        ("name: room-unknown\n", "name: room-unknown\n      x-outcome: authentication\n", 404, .authentication),
        ("    x-status: /code\n", "", nil, .unavailable), ("x-status: /code", "x-status: /error/number", nil, .unavailable),
    ]

    @Test(arguments: answers)
    func `an answer's status stands where the channel says, and its outcome in the contract where that says nothing`(
        old: String, new: String, status: Int?, outcome: AnswerOutcome
    ) throws {
        var text = SampleMessages.replacing(old, with: new)
        if status == nil {
            text = text.replacing("name: room-unknown\n", with: "name: room-unknown\n      x-outcome: unavailable\n")
                .replacing("x-answer: said\n", with: "x-answer: said\n      x-outcome: ok\n")
        }
        let answer = try #require(try SampleMessages.contract(text).operation("say")?.answer("room-unknown"))
        #expect(answer.status == status && answer.outcome == outcome)
    }

    @Test func `A sent message is in its channel`() throws {
        let contract = try SampleMessages.contract()
        let channel = try #require(contract.channels.first)
        #expect(channel.name == "talk" && channel.opener.id == "openTalk" && channel.received.map(\.id) == ["say", "shout"])
        let message = try #require(channel.sent.first)
        #expect(
            message.qualifiedName == "sample.heard" && message.tag == "Chat" && message.channel == "talk" && message.name == "chat.Heard")
        #expect(message.summary == "Someone said something" && message.fidelity == .inferred && message.source == "a recording")
        #expect(message.example == ["type": "chat.Heard", "text": "hello"] && message.examples.map(\.name) == ["greeting"])
        #expect(message.line == 50)
        #expect(message.check(["type": "chat.Heard", "text": ""]).map(\.description) == ["body.text: '' is shorter than 1 character"])
        #expect(message.check(message.example) == [])
    }

    @Test func `A message is checked as a whole`() throws {
        let operation = try #require(try SampleMessages.contract().operation("say"))
        let message: JSON = ["type": "chat.Say", "body": ["event": ["type": "Text"]]]
        let checked = operation.check(message: message)
        #expect(checked.body == message && !checked.isUsable)
        #expect(checked.violations.map(\.description) == ["body.body.event.text: required member 'text' is missing"])
        #expect(operation.check(message: ["type": "chat.Say", "body": ["event": ["type": "Text", "text": "x"]]]).violations == [])
    }

    @Test func `A channel is found by the call that opens it`() throws {
        let contract = try SampleMessages.contract()
        #expect(contract.channel(openedBy: try #require(contract.operation("openTalk")))?.name == "talk")
        #expect(contract.channel(openedBy: try #require(contract.operation("prepare"))) == nil)
    }

    @Test func `Several calls may open one channel`() throws {
        let calls =
            SampleMessages.calls + """

                  /talk/{accountId}/{token}:
                    get:
                      operationId: openTalkByToken
                      tags: [Talk]
                      x-fidelity: assumed
                      x-source: nothing
                      parameters:
                        - { name: accountId, in: path, required: true, schema: { type: string }, example: '4711' }
                        - { name: token, in: path, required: true, schema: { type: string }, example: a.b.c }
                      responses:
                        '101': { description: Talk., x-name: socket-opened }
                """
        let text = SampleMessages.replacing("x-opened-by: openTalk", with: "x-opened-by: [openTalk, openTalkByToken]")
        let channel = try #require(try SampleMessages.contract(text, calls: calls).channels.first)
        #expect(channel.openers.map(\.id) == ["openTalk", "openTalkByToken"] && channel.opener.id == "openTalk")
    }

    @Test func `Routes lead to calls only`() throws {
        let routes = try Routes([SampleMessages.contract()])
        guard case .found(let operation, _) = routes.match(method: .get, target: "/talk/1", host: nil) else {
            Issue.record("not found")
            return
        }
        #expect(operation.id == "openTalk")
    }

    @Test func `A message that the code lacks is an error at its line`() throws {
        let contract = try SampleMessages.contract()
        let error = #expect(throws: ContractError.self) { try contract.requireExactly(["openTalk", "prepare", "say", "shuot"]) }
        #expect(error?.description == "\(SampleMessages.file):39: operation 'shout' is not implemented (did you mean 'shuot'?)")
        try contract.requireExactly(["openTalk", "prepare", "say", "shout"])
    }
}
