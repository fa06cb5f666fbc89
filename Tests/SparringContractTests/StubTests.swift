import SparringContract
import SparringJSON
import Testing

/// Operations that answer by their examples (`x-stub`).
@Suite struct StubTests {
    /// The sample's `readFile`, with more lines and other answers.
    private static func text(_ lines: String, answers: String = "'204': { description: Nothing., x-name: empty }") -> String {
        Sample.replacing("      x-jsonp: cb\n", with: "      x-jsonp: cb\n      \(lines)\n")
            .replacing("        '204':\n          description: Nothing there.\n          x-name: empty\n", with: "        \(answers)\n")
    }

    private static func answer(_ status: Int, _ name: String, _ value: String, schema: String = "{}") -> String {
        "'\(status)': { description: D., content: { application/json: { schema: \(schema), examples: { \(name): { value: \(value) } } } } }"
    }

    @Test(
        arguments: [
            ("x-stub: true", "found"), ("x-stub: gone", "gone"), ("x-stub: false", nil), ("description: None.", nil),
        ] as [(String, String?)])
    func `a stub gives its first good answer, or the one that it names`(_ line: String, _ answer: String?) throws {
        let answers = Self.answer(404, "gone", "{}") + "\n        " + Self.answer(200, "found", "{}")
        let operation = try #require(try Sample.contract(Self.text(line, answers: answers)).operation("readFile"))
        #expect(operation.stub?.answer == answer)
        #expect((operation.stub == nil) == (answer == nil))
    }

    @Test func `a message without a reply is a stub that answers nothing`() throws {
        let text = SampleMessages.text.replacing("  shout:\n", with: "  shout:\n    x-stub: true\n")
        let operation = try #require(try SampleMessages.contract(text).operation("shout"))
        #expect(operation.stub != nil && operation.stub?.answer == operation.answers.first?.name)
    }

    @Test func `a stub needs no code, and other operations do`() throws {
        let contract = try Sample.contract(Self.text("x-stub: true"))
        try contract.requireExactly(["logIn"])
        let error = #expect(throws: ContractError.self) { try Sample.contract().requireExactly(["logIn"]) }
        #expect(error?.description.hasSuffix("'readFile' is not implemented: with x-stub: true, it answers by its examples") == true)
    }

    @Test(arguments: [
        ("x-stub: gnoe", "{}", "x-stub: the operation has no answer 'gnoe' (did you mean 'gone'?)"),
        ("x-stub: [gone]", "{}", "must be a string"),
        (
            "x-stub: true", #"{ a: "{$request.path.nmae}" }"#,
            "answer 'gone' of the stub: 'nmae' is not a declared path parameter (did you mean 'name'?)"
        ),
        (
            "x-stub: true", #"{ a: "{$request.query.q}" }"#, "answer 'gone' of the stub: 'q' is not a declared query parameter"
        ),
        (
            "x-stub: true", #"{ a: ["{$request.body#/a}"] }"#,
            "answer 'gone' of the stub: a value of the body is wanted, and the operation has no requestBody"
        ),
        (
            "x-stub: true", #"{ a: "x {$sandbox.nwo} y" }"#,
            "answer 'gone' of the stub: '{$sandbox.nwo}' is neither a value of the request, such as {$request.path.NAME} or {$request.body#/POINTER}, "
                + "nor one of {$sandbox.now}, {$sandbox.now.seconds}, {$sandbox.now.milliseconds}, {$sandbox.id}, {$sandbox.uuid}"
                + " (did you mean '$sandbox.now'?)"
        ),
        ("x-stub: true", #"{ a: "{$sandbox.now+soon}" }"#, "'{$sandbox.now+soon}': 'soon' is not a span of time, such as 30s or 10m"),
        ("x-stub: true", #"{ a: "{$sandbox.now" }"#, "'{$sandbox.now' has no closing brace"),
    ])
    func `what a stub cannot do is refused, with its line`(_ line: String, _ example: String, _ reason: String) throws {
        let text = Self.text(line, answers: Self.answer(404, "gone", example))
        let error = #expect(throws: ContractError.self) { try Sample.contract(text) }
        #expect(error?.description.hasSuffix(reason) == true, "\(error?.description ?? "")")
        #expect(error?.description.hasPrefix("\(Sample.file):72:15: ") == true, "\(error?.description ?? "")")
    }

    @Test func `Sparring's own operations are no stubs`() throws {
        let text = Self.text("x-stub: true").replacing("/account/{accountId}/files/{name}.json:", with: "/__admin/{accountId}/{name}:")
        let error = #expect(throws: ContractError.self) { try Sample.contract(text) }
        #expect(error?.description.hasSuffix("x-stub is for operations of vendors, and this one is Sparring's own") == true)
    }

    @Test func `an example is held against its schema where nothing stands in braces`() throws {
        let schema = "{ type: object, properties: { count: { type: integer }, at: { type: integer } } }"
        func error(_ value: String) -> String? {
            do {
                _ = try Sample.contract(Self.text("x-stub: true", answers: Self.answer(200, "found", value, schema: schema)))
                return nil
            } catch { return "\(error)" }
        }
        #expect(error(#"{ count: 1, at: "{$sandbox.now.seconds}" }"#) == nil)
        #expect(
            error(#"{ count: one, at: "{$sandbox.now.seconds}" }"#)?.contains("example 'found' at count: ") == true)
    }

    @Test(arguments: [
        (#""{$request.path.name}""#, #""n 1""#), (#""{$request.body#/count}""#, "3"), (#""of {$request.body#/count}""#, #""of 3""#),
        (#""{$request.body#/gone}""#, "null"), (#""a{$request.body#/gone}b""#, #""ab""#),
        (#""{$message.payload#/count}""#, "3"),
        (#""{$sandbox.now.seconds}""#, "7"), (#""{$sandbox.now.seconds+10m}/{$sandbox.now.seconds}""#, #""607/7""#),
        (
            #"["{$sandbox.id}","{$sandbox.id}","{$sandbox.id.other}",{"k":"{$sandbox.uuid}"}]"#,
            #"["hex ","hex ","hex other",{"k":"uuid "}]"#
        ),
        (#"{"{$request.path.name}":"kept","a":1,"b":"{braces} {$"}"#, #"{"{$request.path.name}":"kept","a":1,"b":"{braces} {$"}"#),
    ])
    func `values come into their places, with their types`(_ example: String, _ filled: String) throws {
        let made = try JSON(parsing: example).filled { value in
            switch value {
            case .request(.path("name")): "n 1"
            case .request(.body(let pointer)): (["count": 3] as JSON)[pointer]
            case .time(.seconds, let span): .integer(7 + span.components.seconds)
            case .id(let form, let purpose): .string("\(form) \(purpose)")
            default: nil
            }
        }
        #expect(made.text == filled)
    }
}
