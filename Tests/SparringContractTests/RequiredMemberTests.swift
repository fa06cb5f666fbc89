import SparringJSON
import Testing

@testable import SparringContract

/// The members that a schema requires, for readers of the contract.
@Suite struct RequiredMemberTests {
    @Test(
        arguments: [
            ("{ type: object }", []), ("{ type: object, properties: { a: {} } }", []),
            (
                "{ type: object, required: [a, b], properties: { a: { type: object, required: [c], properties: { c: {} } } } }",
                ["/a always", "/a/c always", "/b always"]
            ),
            ("{ type: object, properties: { a: { type: object, required: [b] } } }", ["/a/b insideOptional"]),
            (
                "{ type: object, required: [a], properties: { a: { type: array, items: { type: object, required: [b] } } } }",
                ["/a always", "/a/*/b insideOptional"]
            ),
            ("{ allOf: [{ required: [b] }, { required: [a] }] }", ["/a always", "/b always"]),
            ("{ oneOf: [{ required: [a, b] }, { required: [a] }] }", ["/a inSomeForms", "/b inSomeForms"]),
            ("{ not: { required: [a] } }", []),
            // A condition asks for nothing itself.
            (
                "{ required: [p], properties: { p: {} }, if: { required: [k] }, then: { properties: { p: { required: [t] } } } }",
                ["/p always", "/p/t inSomeForms"]
            ),
        ] as [(String, [String])])
    func `are found in all its parts`(_ yaml: String, _ members: [String]) throws {
        let text = Sample.replacing("{ type: integer, minimum: 1 }", with: yaml)
        let schema = try #require(try Sample.contract(text).operation("logIn")?.parameters.first { $0.name == "count" }?.schema)
        #expect(schema.requiredMembers.map { "\($0.pointer) \($0.need)" } == members)
    }
}
