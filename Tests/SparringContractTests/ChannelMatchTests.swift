import SparringContract
import SparringJSON
import Testing

struct ChannelMatchTests {
    struct Row: Sendable, CustomTestStringConvertible {
        var message: String
        /// The operation found, or `? ` and the nearest.
        var expected: String
        var testDescription: String { message }

        init(_ message: String, _ expected: String) {
            self.message = message
            self.expected = expected
        }
    }

    private func match(_ message: String, in channel: ContractChannel) throws -> String {
        switch channel.match(try JSON(parsing: message)) {
        case .found(let operation): operation.id
        case .unknown(let nearest): "? " + nearest.map(\.id).joined(separator: " ")
        }
    }

    /// `a`: an event of any type. `b`: one of type Text. `c`: a Text of one form. `d`: without a body.
    static let messages: [(schema: String, example: String)] = [
        ("{ required: [type], properties: { kind: { const: req }, type: { const: say.Event } } }", "{ type: say.Event }"),
        (
            "{ required: [type, body], properties: { kind: { const: req }, type: { const: say.Event }, body: { required: [event], "
                + "properties: { event: { required: [type], properties: { type: { const: Text } } } } } } }",
            "{ type: say.Event, body: { event: { type: Text } } }"
        ),
        (
            "{ required: [type, body], properties: { kind: { const: req }, type: { const: say.Event }, body: { required: [event], "
                + "properties: { event: { required: [type, form], properties: { type: { const: Text }, form: { const: 1 } } } } } } }",
            "{ type: say.Event, body: { event: { type: Text, form: 1 } } }"
        ),
        ("{ required: [type], properties: { kind: { const: req }, type: { const: KeepAlive } } }", "{ kind: req, type: KeepAlive }"),
    ]

    @Test(arguments: [
        Row(#"{"type":"KeepAlive"}"#, "d"), Row(#"{"kind":"req","type":"KeepAlive","body":{"event":{"type":"Text"}}}"#, "d"),
        Row(#"{"type":"say.Event"}"#, "a"), Row(#"{"type":"say.Event","body":{"event":{"type":"Image"}}}"#, "a"),
        Row(#"{"type":"say.Event","body":7}"#, "a"), Row(#"{"type":"say.Event","body":{"event":{"type":"Text"}}}"#, "b"),
        Row(#"{"type":"say.Event","body":{"event":{"type":"Text","form":2}}}"#, "b"),
        Row(#"{"type":"say.Event","body":{"event":{"type":"Text","form":1.0}}}"#, "c"),
    ])
    func `The message with the most constants wins`(row: Row) throws {
        #expect(try match(row.message, in: SampleMessages.channel(Self.messages)) == row.expected)
    }

    @Test(arguments: [
        Row(#"{"type":"KeepAlvie"}"#, "? d"), Row(#"{"type":"keepalive"}"#, "? d"), Row(#"{"type":".KeepAlive"}"#, "? d"),
        Row(#"{"kind":"resp","type":"KeepAlive"}"#, "? d"), Row(#"{"type":"say.Evnt","body":{"event":{"type":"Text"}}}"#, "? b c a"),
        Row(#"{"type":"Nonsense"}"#, "? "), Row(#"{"hello":1}"#, "? "), Row("7", "? "), Row("[]", "? "), Row("null", "? "),
    ])
    func `An unknown message comes with those that may have been meant`(row: Row) throws {
        #expect(try match(row.message, in: SampleMessages.channel(Self.messages)) == row.expected)
    }

    @Test func `A message of a known type whose body fits none is nearest to those of its type`() throws {
        let channel = try SampleMessages.channel(Array(Self.messages.dropFirst()))
        #expect(try match(#"{"type":"say.Event","body":{}}"#, in: channel) == "? a b")
        let kin = try #require(channel.kin(of: ["type": "say.Event", "body": [:]]))
        #expect(kin.id == "a")
        #expect(
            kin.check(message: ["type": "say.Event", "body": [:]]).violations.map(\.description)
                == ["body.body.event: required member 'event' is missing"])
        #expect(channel.kin(of: ["type": "KeepAlvie"]) == nil)
    }

    private func judge(_ frame: String, isBinary: Bool = false, in channel: ContractChannel) -> String {
        do throws(ChannelMismatch) { return try channel.operation(for: Array(frame.utf8), isBinary: isBinary).operation.id } catch {
            let kind = "\(error.kind)".prefix { $0 != "(" }
            return "\(kind): \(error.reason)\(error.hint)"
        }
    }

    @Test(arguments: [
        (#"{"type":"KeepAlive"}"#, "d"),
        (#"{"type":"KeepAlvie"}"#, #"misspelt: no message of channel talk is "KeepAlvie"; did you mean sample.d?"#),
        (#"{"type":"KeepAlivexyz"}"#, #"unknown: no message of channel talk is "KeepAlivexyz"; nearest: sample.d"#),
        (#"{"type":"Nonsense"}"#, #"unknown: no message of channel talk is "Nonsense""#),
        ("[]", "unknown: no message of channel talk is array"),
        (#"{"type":"#, "syntax: the message is not JSON: the text ends where a value is expected at line 1, column 9"),
        // A client may keep its connection alive by it.
        ("", "unknown: the message is not JSON: empty text at line 1, column 1"),
    ])
    func `A frame that is no message of the channel says why`(frame: String, expected: String) throws {
        #expect(judge(frame, in: try SampleMessages.channel(Self.messages)) == expected)
    }

    @Test func `Only where all messages are JSON is a text that is not JSON malformed`() throws {
        let words = SampleMessages.replacing(
            "      contentType: application/json\n      payload:\n        type: object\n        required: [type]\n        "
                + "properties: { type: { const: chat.Shout } }\n      examples:\n        - payload: { type: chat.Shout }",
            with: "      contentType: text/plain\n      payload: { type: string, const: ping }\n      examples:\n        - payload: ping")
        let mixed = try SampleMessages.contract(words).channels[0]
        #expect(judge("ping", in: mixed) == "shout" && judge("pnig", in: mixed).hasPrefix("unknown: "))
        let channel = try SampleMessages.contract().channels[0]
        #expect(judge("ping", in: channel).hasPrefix("syntax: ") && judge(" \r\n", in: channel).hasPrefix("unknown: "))
        #expect(judge("{", isBinary: true, in: channel) == "unknown: a binary message of 1 bytes: the channel has text only")
    }

    @Test func `Constants are found through references, allOf and schemas that contain themselves`() throws {
        let text = SampleMessages.replacing(
            "      payload:\n        type: object\n        required: [type]\n        properties: { type: { const: chat.Shout } }",
            with: "      payload: { allOf: [{ $ref: '#/components/schemas/Envelope' }, { properties: { type: { const: chat.Shout } } }] }"
        )
        .replacing(
            "    Text: {",
            with: "    Envelope: { required: [type], properties: { inner: { $ref: '#/components/schemas/Envelope' } } }\n    Text: {"
        )
        let channel = try SampleMessages.contract(text).channels[0]
        #expect(try match(#"{"type":"chat.Shout","inner":{}}"#, in: channel) == "shout")
        #expect(try match(#"{"type":"chat.Shuot"}"#, in: channel) == "? shout")
    }

    static let ambiguous = [
        ["{ properties: { type: { const: x } } }", "{ properties: { type: { const: x } } }"],
        ["{}", "{ properties: { kind: { const: x } } }"],
        ["{ required: [a], properties: { a: { const: 1 } } }", "{ required: [b], properties: { b: { const: 1 } } }"],
        ["{ properties: { kind: { const: x } } }", "{ properties: { kind: { const: y } } }"],
        [
            "{ properties: { body: { required: [type], properties: { type: { const: x } } } } }",
            "{ properties: { body: { required: [type], properties: { type: { const: y } } } } }",
        ],
        ["{ properties: { body: { const: { type: x } } } }", "{ properties: { body: { properties: { type: { const: x } } } } }"],
    ]

    @Test(arguments: ambiguous)
    func `Two messages that some value fits equally are refused`(schemas: [String]) {
        let error = #expect(throws: ContractError.self) { try SampleMessages.channel(schemas.map { ($0, "{ a: 1, b: 1 }") }) }
        #expect(
            error?.description == "\(SampleMessages.file):21: operations 'b' and 'a' (line 13) fit the same messages of channel 'talk': "
                + "a const in the payload of one of them must distinguish them")
    }

    static let distinct: [[(schema: String, example: String)]] = [
        [("{}", "{}"), ("{ required: [type], properties: { type: { const: x } } }", "{ type: x }")],
        [
            ("{ properties: { type: { const: x } } }", "{ type: x }"),
            ("{ required: [type], properties: { type: { const: y } } }", "{ type: y }"),
        ],
        [
            ("{ properties: { body: { required: [type], properties: { type: { const: x } } } } }", "{ body: { type: x } }"),
            (
                "{ required: [body], properties: { body: { required: [type], properties: { type: { const: y } } } } }",
                "{ body: { type: y } }"
            ),
        ],
        [
            ("{ required: [body], properties: { body: { const: { type: x } } } }", "{ body: { type: x } }"),
            ("{ required: [body], properties: { body: { const: 1 } } }", "{ body: 1 }"),
        ],
    ]

    @Test(arguments: distinct)
    func `Messages that no value fits equally are distinguished`(messages: [(schema: String, example: String)]) throws {
        let channel = try SampleMessages.channel(messages)
        for (operation, message) in zip(channel.received, messages) {
            let example = try #require(operation.requestBody?.mediaTypes[0].examples.first?.value)
            #expect(try match(example.text, in: channel) == operation.id, "\(message.example)")
        }
    }
}
