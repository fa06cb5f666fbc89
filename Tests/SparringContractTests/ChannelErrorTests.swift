import SparringContract
import Testing

struct ChannelErrorTests {
    struct Change: Sendable, CustomTestStringConvertible {
        var old: String
        var new: String
        var error: String
        var testDescription: String { error }

        init(_ old: String, _ new: String, _ error: String) {
            self.old = old
            self.new = new
            self.error = error
        }
    }

    @Test(arguments: document + channels + operations + messages)
    func `What is wrong in a contract of messages is refused where it stands`(change: Change) {
        let text = SampleMessages.replacing(change.old, with: change.new)
        let error = #expect(throws: ContractError.self) { try SampleMessages.contract(text) }
        #expect(error?.description == "\(SampleMessages.file):\(change.error)")
    }

    static let document = [
        Change("asyncapi: 3.0.0", "asyncapi: 2.6.0", "1:11: only AsyncAPI 3.0 is supported"),
        Change("info:", "inof:", "2:1: unknown key 'inof' in the document (did you mean 'info'?)"),
        Change("  title: Sample messages\n", "", "3:3: info needs 'title'"),
        Change("- name: Chat", "- name: chat", "6:13: tag 'chat' does not match [A-Z][A-Za-z0-9]*"),
        Change("ContentType: application/json", "ContentType: text/xml", "7:21: messages are application/json or text/plain here"),
        Change("protocol: wss", "protocol: amqp", "9:46: protocol is ws or wss here"),
        Change("host: '127", "hots: '127", "9:12: unknown key 'hots' in a server (did you mean 'host'?)"),
        Change("  schemas:\n", "  schema:\n", "118:3: unknown key 'schema' in components (did you mean 'schemas'?)"),
        Change("    Said:\n", "    Sa id:\n", "92:5: component 'Sa id' does not match [A-Za-z0-9._-]+"),
    ]

    static let channels = [
        Change("  talk:\n", "  Talk:\n", "11:3: channel 'Talk' does not match [a-z][A-Za-z0-9]*"),
        Change("address: /talk/", "adress: /talk/", "12:5: unknown key 'adress' in a channel (did you mean 'address'?)"),
        Change("address: /talk/", "address: /tlak/", "12:14: address '/tlak/{accountId}' is not the path of 'openTalk': /talk/{accountId}"),
        misunderstood(
            "{ close: 1003, unless: { /code: [4] } }",
            "14:22: x-misunderstood has either 'close' or 'answer', or both with 'having' or 'unless'"),
        misunderstood(
            "{ answer: { $ref: '#/channels/talk/messages/said' }, unless: { /code: [4] } }",
            "14:22: x-misunderstood has either 'close' or 'answer', or both with 'having' or 'unless'"),
        misunderstood(
            "{ answer: { $ref: '#/channels/talk/messages/said' }, close: 4000 }",
            "14:22: x-misunderstood has either 'close' or 'answer', or both with 'having' or 'unless'"),
        misunderstood(
            "{ answer: { $ref: '#/channels/talk/messages/said' }, unless: { code: [4] }, close: 4000 }",
            "14:83: is not a mapping of JSON Pointers to lists of values"),
        misunderstood(
            "{ answer: { $ref: '#/channels/talk/messages/said' }, unless: { /code: [] }, close: 4000 }",
            "14:83: is not a mapping of JSON Pointers to lists of values"),
        misunderstood(
            "{ answer: { $ref: '#/channels/talk/messages/said' }, unless: {}, close: 4000 }",
            "14:83: is not a mapping of JSON Pointers to lists of values"),
        Change("    x-opened-by: openTalk\n", "", "12:5: a channel needs 'x-opened-by'"),
        Change("x-opened-by: openTalk", "x-opened-by: []", "14:18: must not be empty"),
        Change(
            "x-opened-by: openTalk", "x-opened-by: openTlak",
            "14:18: x-opened-by names 'openTlak', which is not an operation of contracts/sample.openapi.yaml (did you mean 'openTalk'?)"),
        Change(
            "x-opened-by: openTalk", "x-opened-by: prepare",
            "14:18: x-opened-by names 'prepare', which is not a GET with an answer of status 101"),
        Change("x-opened-by: openTalk", "x-opened-by: [openTalk, openTalk]", "14:29: 'openTalk' already opens channel 'talk'"),
        Change(
            "$request.path.accountId", "$request.path.acountId",
            "15:15: '$request.path.acountId' is not a declared path parameter (did you mean 'accountId'?)"),
        Change(
            "x-tenant: $request.path.accountId", "x-tenant: $request.body#/jwt",
            "15:15: '$request.body#/jwt' but the operation has no requestBody"),
        Change(
            "accountId: { description", "acountId: { description",
            "18:7: parameter 'acountId' is not in the address (did you mean 'accountId'?)"),
        Change(
            "    parameters:\n      accountId: { description: The brand's account. }\n", "",
            "12:14: parameter 'accountId' of the address is not among the channel's parameters"),
        Change("{ description: The brand's account. }", "{ schema: true }", "18:20: unknown key 'schema' in a parameter"),
        Change(
            "      say: { $ref: '#/components", "      'say it': { $ref: '#/components",
            "20:7: message 'say it' does not match [A-Za-z0-9._-]+"),
        Change(
            "'#/components/messages/Say'", "'#/components/messages/Sya'",
            "20:20: $ref '#/components/messages/Sya' leads nowhere (did you mean 'Say'?)"),
    ]

    private static func misunderstood(_ value: String, _ error: String) -> Change {
        Change("    x-status: /code\n", "    x-status: /code\n    x-misunderstood: \(value)\n", error)
    }

    static let operations = [
        Change("  say:\n    action", "  Say:\n    action", "26:3: operation 'Say' does not match [a-z][A-Za-z0-9]*"),
        Change("  say:\n    action", "  prepare:\n    action", "26:3: operation 'prepare' is already in contracts/sample.openapi.yaml:18"),
        Change("action: receive", "action: recieve", "27:13: action is receive (from a client) or send"),
        Change("    summary: Say", "    sumary: Say", "29:5: unknown key 'sumary' in an operation (did you mean 'summary'?)"),
        Change(
            "$ref: '#/channels/talk' }\n    summary: Say", "$ref: '#/channels/tlak' }\n    summary: Say",
            "28:22: $ref '#/channels/tlak' leads nowhere (did you mean 'talk'?)"),
        Change(
            "$ref: '#/channels/talk' }\n    summary: Say", "$ref: talk }\n    summary: Say", "28:22: $ref 'talk' must be #/channels/NAME"),
        Change("    tags: [{ name: Chat }]\n    messages", "    tags: []\n    messages", "30:11: an operation has exactly one tag"),
        Change(
            "    tags: [{ name: Chat }]\n    messages", "    tags: [{ name: Caht }]\n    messages",
            "30:20: tag 'Caht' is not declared under info (did you mean 'Chat'?)"),
        Change(
            "      - { $ref: '#/channels/talk/messages/say' }\n", "      []\n", "32:7: an operation needs at least one message"),
        Change(
            "'#/channels/talk/messages/say'", "'#/components/messages/Say'",
            "32:17: $ref '#/components/messages/Say' must begin with #/channels/talk/messages/"),
        Change(
            "'#/channels/talk/messages/say'", "'#/channels/talk/messages/sya'",
            "32:17: $ref '#/channels/talk/messages/sya' leads nowhere (did you mean 'say'?)"),
        Change(
            "        - { $ref: '#/channels/talk/messages/roomUnknown' }", "        - { $ref: '#/channels/talk/messages/said' }",
            "36:11: the operation already has an answer 'said'"),
        Change(
            "        - { $ref: '#/channels/talk/messages/roomUnknown' }", "        - { $ref: '#/channels/talk/messages/shout' }",
            "36:11: a message of a reply needs 'x-answer' or 'name'"),
        Change(
            "        - { $ref: '#/channels/talk/messages/roomUnknown' }", "        - { $ref: '#/channels/talk/messages/heard' }",
            "110:13: answer 'chat.Heard' does not match [a-z][a-z0-9-]*: give the message an x-answer"),
        Change("    x-fidelity: verified\n", "", "27:5: an operation needs 'x-fidelity'"),
        Change("x-fidelity: verified", "x-fidelity: sure", "37:17: x-fidelity 'sure' is not one of verified, inferred, assumed"),
        Change("x-source: a recording", "x-source: ''", "58:15: x-source must name the source of the operation"),
        Change(
            "    x-fidelity: inferred", "    reply: {}\n    x-fidelity: inferred", "57:12: nobody replies to a message that is sent here"),
    ]

    static let messages = [
        Change("x-answer: said", "x-answer: Said", "94:17: answer 'Said' does not match [a-z][a-z0-9-]*"),
        Change(
            "contentType: application/json\n      payload", "contentType: text/xml\n      payload",
            "85:20: messages are application/json or text/plain here"),
        Change("      x-answer: said\n", "      x-anwser: said\n", "94:7: unknown key 'x-anwser' in a message (did you mean 'x-answer'?)"),
        Change("code: 404 }", "code: four }", "108:28: example '1' of message 'roomUnknown' at code: expected integer, found string"),
        Change(
            "code: 404 }", "code: 400 }",
            "102:13: message 'room-unknown' answers: it needs an x-outcome, because the meaning of 400 varies"),
        Change("x-status: /code", "summary: none", "94:17: message 'chat.Said' answers: it needs an x-outcome"),
        Change("x-status: /code", "x-status: code", "13:15: 'code' is not a JSON Pointer (RFC 6901), such as /code"),
        Change("code: 404 }", "code: 4040 }", "108:28: 4040 is not a status"),
        Change("        - payload: { code: 404 }", "        []", "108:9: a message needs an example"),
        Change(
            "- payload: { code: 404 }", "- paylaod: { code: 404 }", "108:11: unknown key 'paylaod' in an example (did you mean 'payload'?)"),
        Change(
            "- payload: { type: chat.Say,", "- name: hello\n          payload: { type: chat.Say,",
            "83:11: message 'say' already has an example 'hello'"),
        Change("text: bye", "text: ''", "83:73: example '2' of message 'say' at body.event.text: '' is shorter than 1 character"),
        Change("minLength: 1", "minlength: 1", "119:27: unknown key 'minlength' in a schema (did you mean 'minLength'?)"),
        Change(
            "type: { const: chat.Shout }", "type: { const: chat.Say }, body: true",
            "91:28: example '1' of message 'shout' at type: expected 'chat.Say', found 'chat.Shout'"),
        Change(
            "        properties: { type: { const: chat.Shout } }\n      examples:\n        - payload: { type: chat.Shout }",
            "        properties: { type: { const: chat.Say } }\n      examples:\n"
                + "        - payload: { type: chat.Say, body: { event: { type: Text } } }",
            "91:20: example '1' of 'shout' is a message for 'say'"),
    ]

    @Test func `Two messages that nothing distinguishes are refused at the second`() {
        let text = SampleMessages.replacing("const: chat.Shout", with: "type: string")
        #expect(throws: Never.self) { try SampleMessages.contract(text) }
        let same = SampleMessages.replacing("type: { const: chat.Say }", with: "type: { type: string }", in: text)
            .replacing("type: { const: Text }", with: "type: true").replacing("kind: { const: req }", with: "kind: true")
        let error = #expect(throws: ContractError.self) { try SampleMessages.contract(same) }
        #expect(
            error?.description
                == "\(SampleMessages.file):39: operations 'shout' and 'say' (line 26) fit the same messages of channel 'talk': "
                + "a const in the payload of one of them must distinguish them")
    }

    @Test func `A call that answers 101 needs a channel`() {
        let alone = #expect(throws: ContractError.self) { try SampleMessages.contract(nil) }
        #expect(
            alone?.description
                == "\(SampleMessages.callsFile):7: operation 'openTalk' answers 101, but there is no sample.asyncapi.yaml with its channel")
        let calls = SampleMessages.replacing(
            "'204': { description: Ready., x-name: ready }", with: "'101': { description: T., x-name: o }", in: SampleMessages.calls)
        let other = #expect(throws: ContractError.self) { try SampleMessages.contract(calls: calls) }
        #expect(
            other?.description
                == "\(SampleMessages.callsFile):18: operation 'prepare' answers 101, but no channel of \(SampleMessages.file) has it as x-opened-by"
        )
    }
}
