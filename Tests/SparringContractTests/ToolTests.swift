import SparringContract
import SparringJSON
import Testing

/// `x-tool`: the assistants' tools at the operations that they call.
struct ToolTests {
    /// A contract with operations that have parameters in path, query and header, and a body whose members are behind references.
    private static func contract(_ tool: String, vendor: String = "admin", beside: String = "name: other") throws -> Contract {
        let text = """
            openapi: 3.1.0
            info: { title: Clocks, version: '1' }
            tags: [{ name: Clocks }]
            paths:
              /__admin/sandboxes/{sandbox}/clocks/{clock}:
                parameters:
                  - $ref: '#/components/parameters/Sandbox'
                  - { name: clock, in: path, required: true, description: Which., schema: { $ref: '#/components/schemas/Name' }, example: a }
                  - { name: for, in: query, required: false, schema: { type: string }, example: a }
                  - { name: X-Trace, in: header, required: false, schema: { type: string }, example: a }
                get:
                  operationId: readClock
                  summary: One clock
                  description: Shows it.
                  tags: [Clocks]
                  x-fidelity: verified
                  x-source: ours
                  x-tool: { \(beside) }
                  responses: { '200': { description: Done., content: { application/json: { schema: { type: object }, examples: { read: { value: {} } } } } } }
                put:
                  operationId: setClock
                  summary: Set a clock
                  description: Sets it.
                  tags: [Clocks]
                  x-fidelity: verified
                  x-source: ours
                  x-tool: \(tool)
                  requestBody:
                    required: true
                    content:
                      application/json:
                        schema: { $ref: '#/components/schemas/Form' }
                        examples: { one: { value: { mode: real } } }
                  responses: { '200': { description: Done., content: { application/json: { schema: { type: object }, examples: { done: { value: {} } } } } } }
            components:
              parameters:
                Sandbox: { name: sandbox, in: path, required: true, description: Its id., schema: { $ref: '#/components/schemas/Name' }, example: a }
              schemas:
                Name: { description: A name., type: string, pattern: '^[a-z]+$', x-expected: a name }
                Rate: { type: number, exclusiveMinimum: 0 }
                Loop: { type: object, properties: { inner: { $ref: '#/components/schemas/Loop' } } }
                Form:
                  type: object
                  required: [mode]
                  properties: { mode: { enum: [real, rate] }, rate: { description: How fast., $ref: '#/components/schemas/Rate' } }
                  oneOf: [{ properties: { note: { type: string } } }, { required: [rate] }]
            """
        return try Contract(parsing: text, file: "admin.openapi.yaml", vendor: vendor)
    }

    private static func tool(_ tool: String) throws -> DeclaredTool {
        try #require(try contract(tool).operation("setClock")?.tool)
    }

    @Test func `it takes what the operation takes, each argument with all that its schema refers to`() throws {
        let tool = try Self.tool("{ name: set_clock }")
        #expect(tool.title == "Set a clock")
        #expect(tool.description == "Sets it.")
        #expect(!tool.isReadOnly)
        #expect(tool.own == [])
        let expected: JSON = [
            "type": "object",
            "properties": [
                "clock": ["description": "Which.", "type": "string", "pattern": "^[a-z]+$"], "for": ["type": "string"],
                "mode": ["enum": ["real", "rate"]], "rate": ["type": "number", "exclusiveMinimum": 0, "description": "How fast."],
                "note": ["type": "string"],
                "sandbox": ["description": "The sandbox's id. Default: the sandbox made last.", "type": "string", "pattern": "^[a-z]+$"],
            ],
            "required": ["clock", "mode"], "additionalProperties": false,
        ]
        #expect(tool.input == expected)
        #expect(tool.input["properties"]?.object?.keys.last == "sandbox")
    }

    @Test func `arguments are checked by that schema`() throws {
        let schema = try Self.tool("{ name: set_clock }").schema
        #expect(schema.accepts(["clock": "wall", "mode": "rate", "rate": 2, "sandbox": "shop"]))
        let violations = schema.violations(in: ["clock": "Wall", "rat": 2])
        #expect(violations.map(\.pointer.words).sorted() == ["clock", "mode", "rat"])
        #expect(violations.contains { $0.message.contains("is not a name") })
        #expect(violations.contains { $0.message == "unknown member 'rat' (did you mean 'rate'?)" })
    }

    @Test func `it has a title, a description and arguments of its own`() throws {
        let tool = try Self.tool(
            """
            { name: freeze, title: Freeze, description: Stops it., readOnly: true, takes: [clock, mode], required: [clock, sandbox],
              arguments: { mode: { const: real }, loud: { type: boolean } } }
            """.replacing("\n", with: " "))
        #expect(tool.title == "Freeze")
        #expect(tool.description == "Stops it.")
        #expect(tool.isReadOnly)
        #expect(tool.own == ["loud"])
        #expect(tool.input["required"] == ["clock", "sandbox"])
        #expect(tool.input["properties"]?.object?.keys.map(\.self) == ["clock", "mode", "loud", "sandbox"])
        #expect(tool.input["properties"]?["mode"] == ["const": "real"])
        // One that must be named has no default.
        #expect(tool.input["properties"]?["sandbox"]?["description"] == "Its id.")
    }

    @Test func `a tool of a GET only reads`() throws {
        let reading = try Self.contract("{ name: set_clock }").operation("readClock")?.tool
        #expect(reading?.isReadOnly == true)
        #expect(reading?.name == "other")
    }

    @Test(
        arguments: [
            ("{ title: Freeze }", "a tool needs 'name'"),
            ("{ name: setClock }", "tool 'setClock' does not match [a-z][a-z0-9_]*"),
            ("{ name: set_clock, take: [mode] }", "unknown key 'take' in a tool (did you mean 'takes'?)"),
            ("{ name: set_clock, takes: [clock, mod] }", "the tool 'set_clock' cannot take 'mod' (did you mean 'mode'?)"),
            ("{ name: set_clock, takes: [clock] }", "the tool 'set_clock' does not take 'mode', which its operation needs"),
            ("{ name: set_clock, takes: [clock], required: [mode] }", "the tool 'set_clock' cannot take 'mode'"),
            ("{ name: set_clock, takes: [X-Trace] }", "the tool 'set_clock' cannot take 'X-Trace'"),
            ("{ name: set_clock, arguments: { x: { typ: string } } }", "unknown key 'typ' in a schema (did you mean 'type'?)"),
            (
                "{ name: set_clock, arguments: { x: { $ref: '#/components/schemas/Loop' } } }",
                "a tool cannot take what contains itself: #/components/schemas/Loop"
            ),
            (
                "{ name: set_clock, arguments: { x: { $ref: '#/components/schemas/Rate', exclusiveMinimum: 1 } } }",
                "a tool cannot take what has 'exclusiveMinimum' beside a $ref that has it too: #/components/schemas/Rate"
            ),
            ("{ name: other }", "the tool 'other' is already declared at line"),
        ])
    func `a tool that its operation cannot follow is refused`(_ tool: String, _ reason: String) throws {
        let error = #expect(throws: ContractError.self) { try Self.contract(tool) }
        #expect(error?.message.contains(reason) == true, "\(error?.message ?? "")")
    }

    @Test func `only the admin API has tools`() throws {
        let error = #expect(throws: ContractError.self) { try Self.contract("{ name: set_clock }", vendor: "parrot") }
        #expect(error?.message == "x-tool is for operations of admin.openapi.yaml")
    }
}
