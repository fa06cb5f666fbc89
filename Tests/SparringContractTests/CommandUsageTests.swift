import SparringContract
import SparringJSON
import Testing

/// `x-commands`: the CLI's commands at the operations that they call.
struct CommandUsageTests {
    /// A contract with an operation that has a path parameter, a query parameter and a body.
    private static func contract(_ commands: String) throws -> Contract {
        let text = """
            openapi: 3.1.0
            info: { title: Clocks, version: '1' }
            tags: [{ name: Clocks }]
            paths:
              /__admin/sandboxes/{sandbox}/clocks/{clock}:
                parameters:
                  - { name: sandbox, in: path, required: true, schema: { type: string }, example: a }
                  - { name: clock, in: path, required: true, schema: { type: string }, example: a }
                  - { name: for, in: query, required: false, schema: { type: string }, example: a }
                put:
                  operationId: setClock
                  tags: [Clocks]
                  x-fidelity: verified
                  x-source: ours
                  x-commands:
                    - \(commands)
                  requestBody:
                    required: true
                    content:
                      application/json:
                        schema:
                          type: object
                          properties: { mode: { type: string }, keepSockets: { type: boolean }, redirectURI: { type: string } }
                        examples: { one: { value: { mode: real } } }
                  responses:
                    '200': { description: Done., content: { application/json: { schema: { type: object }, examples: { done: { value: {} } } } } }
            """
        return try Sample.contract(text)
    }

    @Test func `parts are found by their names, with and without hyphens`() throws {
        let contract = try Self.contract("clock set CLOCK MODE [--for TIME] [--keep-sockets] [--redirect-uri URI]")
        let command = try #require(contract.operations.first?.commands.first)
        #expect(command.words == ["clock", "set"])
        #expect(command.parameters == ["clock": "CLOCK", "for": "--for"])
        #expect(command.body == ["mode": "MODE", "keepSockets": "--keep-sockets", "redirectURI": "--redirect-uri"])
        #expect(command.parts.map(\.isRequired) == [true, true, false, false, false])
        #expect(command.parts.map(\.value) == [.text, .text, .text, .none, .text])
    }

    @Test func `what a part takes is read from its placeholder`() throws {
        let contract = try Self.contract(
            "{ usage: 'clock set CLOCK --set JSON [--field NAME:TEXT]… [NAME=JSON…]', body: { mode: --set, x: --field, '*': NAME=JSON } }")
        let parts = try #require(contract.operations.first?.commands.first?.parts)
        #expect(parts.map(\.value) == [.text, .json, .field, .member])
        #expect(parts.map(\.isRepeated) == [false, false, true, true])
        #expect(parts.map(\.name) == ["CLOCK", "--set", "--field", "NAME=JSON"])
    }

    @Test(
        arguments: [
            ("clock set CLOCK FAR", "the command 'clock set CLOCK FAR' takes FAR, and the body has no such member"),
            ("clock set MODE", "the command 'clock set MODE' does not say what 'clock' is"),
            (
                "{ usage: clock set CLOCK FAR, body: { mode: real } }",
                "the command 'clock set CLOCK FAR' takes FAR, and its operation does not"
            ),
            (
                "{ usage: clock set CLOCK, parameters: { clok: CLOCK } }",
                "the command 'clock set CLOCK' has no CLOCK, or its operation no clok"
            ),
            ("clock Set CLOCK mode", "the usage 'clock Set CLOCK mode' is not as it must be: 'mode' is not a word of a command"),
            ("CLOCK", "the usage 'CLOCK' is not as it must be: it has no words"),
            ("clock set CLOCK CLOCK", "the usage 'clock set CLOCK CLOCK' is not as it must be: it has 'CLOCK' twice"),
            ("clock set CLOCK [--mode MODE", "the usage 'clock set CLOCK [--mode MODE' is not as it must be: '--mode' has one bracket"),
            (
                "clock set MODE… CLOCK",
                "the usage 'clock set MODE… CLOCK' is not as it must be: nothing can come after an argument that takes all that is left"
            ),
        ])
    func `a command that its operation cannot follow is refused`(_ commands: String, _ reason: String) throws {
        let error = #expect(throws: ContractError.self) { try Self.contract(commands) }
        #expect(error?.message == reason)
    }
}
