import HTTPTypes
import SparringContract
import SparringJSON
import Testing

/// Answers, messages and close codes that are not as Sparring's code makes them (`x-rewrite`).
@Suite struct RewriteTests {
    private static func text(_ lines: String) -> String {
        Sample.replacing("      operationId: logIn\n", with: "      operationId: logIn\n      x-rewrite:\n        \(lines)\n")
    }

    private static func answer(_ lines: String, _ name: String) throws -> DeclaredAnswer {
        try #require(try Sample.contract(text(lines)).operation("logIn")?.answer(name))
    }

    private static let body: JSON = ["a": ["b": 1, "c": "x"], "list": [["n": 1], ["n": 2]], "gone": true]

    @Test(
        arguments: [
            ("{ target: $.a.b, value: 9 }", #"{"a":{"b":9,"c":"x"},"list":[{"n":1},{"n":2}],"gone":true}"#),
            ("{ target: $.a.new, value: { k: null } }", #"{"a":{"b":1,"c":"x","new":{"k":null}},"list":[{"n":1},{"n":2}],"gone":true}"#),
            ("{ target: $.none.new, value: 1 }", #"{"a":{"b":1,"c":"x"},"list":[{"n":1},{"n":2}],"gone":true}"#),
            ("{ target: $.gone, remove: true }", #"{"a":{"b":1,"c":"x"},"list":[{"n":1},{"n":2}]}"#),
            ("{ target: '$.list[*].n', type: string }", #"{"a":{"b":1,"c":"x"},"list":[{"n":"1"},{"n":"2"}],"gone":true}"#),
            ("{ target: '$.list[*]', remove: true }", #"{"a":{"b":1,"c":"x"},"list":[],"gone":true}"#),
            ("{ target: '$.list[0]', value: 7 }", #"{"a":{"b":1,"c":"x"},"list":[7,{"n":2}],"gone":true}"#),
            ("{ target: $.a.c, type: integer }", #"{"a":{"b":1,"c":"x"},"list":[{"n":1},{"n":2}],"gone":true}"#),
            ("{ target: $.gone, type: integer }", #"{"a":{"b":1,"c":"x"},"list":[{"n":1},{"n":2}],"gone":1}"#),
            ("{ target: $, value: [] }", "[]"), ("{ target: $, remove: true }", nil),
        ] as [(String, String?)])
    func `a body is changed place by place`(_ edit: String, _ changed: String?) throws {
        let contract = try Contract(
            parsing: Self.text("plain: { body: [\(edit)] }").replacing(
                "        '200':\n          description: Welcome.",
                with: "        '203': { description: P., content: { application/json: { examples: { plain: { value: {} } } } } }\n"
                    + "        '200':\n          description: Welcome."), file: Sample.file, vendor: "sample")
        let answer = try #require(contract.operation("logIn")?.answer("plain"))
        #expect(answer.onWire(Self.body)?.text == changed)
    }

    @Test func `an answer has another status, and the contract still has the one that ships`() throws {
        let contract = try Sample.contract(Self.text("logged-in: { status: 202, headers: { X-Request-Id: null, Retry-After: '5' } }"))
        let operation = try #require(contract.operation("logIn"))
        let answer = try #require(operation.answer("logged-in"))
        #expect(answer.status == 202)
        var headers: HTTPFields = [HTTPField.Name("X-Request-Id")!: "r-17"]
        headers = answer.onWire(headers)
        #expect(headers[HTTPField.Name("X-Request-Id")!] == nil && headers[.retryAfter] == "5")
        for status in [200, 202] {
            let found = operation.recognise(status: status, headers: [.contentType: "application/json"], body: answer.example)
            #expect(found.answer?.name == "logged-in" && found.violations.isEmpty, "\(status): \(found.violations)")
        }
    }

    @Test(
        arguments: [
            ("nobody: { status: 200 }", "x-rewrite: the operation has no answer 'nobody'"),
            ("logged-in: { status: 99 }", "is not a status from 200 to 599"),
            ("logged-in: { stats: 1 }", "unknown key 'stats' in the rewrite of an answer"),
            ("logged-in: { type: json }", "is not a media type"), ("logged-in: { headers: { 'a b': c } }", "header 'a b' does not match"),
            ("logged-in: { body: [{ target: a, value: 1 }] }", "'a' is not a JSONPath"),
            ("logged-in: { body: [{ target: $.a }] }", "a change of a body has 'value', 'type' or 'remove: true'"),
            ("logged-in: { body: [{ target: $.a, type: text }] }", "type 'text' is not one of null, boolean, integer"),
            ("logged-in: { body: [{ target: $, value: 1 }] }", "x-rewrite of 'logged-in'"),
        ])
    func `what is wrong is refused with its place`(_ lines: String, _ reason: String) throws {
        let error = #expect(throws: ContractError.self) { try Sample.contract(Self.text(lines)) }
        #expect(
            error?.description.contains(reason) == true && error?.description.hasPrefix("contracts/sample.openapi.yaml:") == true,
            "\(error)")
    }

    @Test(
        arguments: [
            ("{ times: 3 }", nil), ("{ times: -1 }", "is not a number from 0 to 100"),
            ("{ after: nothing }", "x-rewrite: 'nothing' is not another message that is sent on channel"),
            ("{ body: [{ target: $, remove: true }] }", "a message without a body is none"),
        ] as [(String, String?)])
    func `a message comes as often as the contract says`(_ lines: String, _ reason: String?) throws {
        let sent = try #require(try SampleMessages.contract().channels.flatMap(\.sent).map(\.id).first)
        let text = SampleMessages.replacing(
            "  \(sent):\n    action: send\n", with: "  \(sent):\n    action: send\n    x-rewrite: \(lines)\n")
        if let reason {
            let error = #expect(throws: ContractError.self) { try SampleMessages.contract(text) }
            #expect(error?.description.contains(reason) == true, "\(error)")
        } else {
            let message = try SampleMessages.contract(text).channels.flatMap(\.sent).first { $0.id == sent }
            #expect(message?.times == 3)
        }
    }
}
