import HTTPTypes
import SparringJSON
import Testing

@testable import SparringContract

/// Members and parameters that the contract does not know are let through and reported.
@Suite struct UndeclaredTests {
    private static func undeclared(_ yaml: String, _ value: String) throws -> [String] {
        let text = Sample.replacing("{ type: integer, minimum: 1 }", with: yaml)
        let schema = try #require(try Sample.contract(text).operation("logIn")?.parameters.first { $0.name == "count" }?.schema)
        return schema.undeclaredInBody(try JSON(parsing: value)).map { "\($0.pointer): \($0.message)" }
    }

    @Test(
        arguments: [
            ("{ type: object, properties: { name: {} } }", #"{"name": 1, "nmae": 2}"#, ["/nmae: the contract has no member 'nmae'"]),
            (
                "{ type: object, properties: { name: {}, number: {} } }", #"{"numbr": 2}"#,
                ["/numbr: the contract has no member 'numbr' (did you mean 'number'?)"]
            ),
            ("{ type: object }", #"{"a": {"b": 1}}"#, []),
            ("{ type: object, additionalProperties: true, properties: { a: {} } }", #"{"b": 1}"#, []),
            ("{ type: object, additionalProperties: { type: integer }, properties: { a: {} } }", #"{"b": 1}"#, []),
            (
                "{ allOf: [{ properties: { a: {} } }, { properties: { b: {} } }] }", #"{"a": 1, "b": 1, "c": 1}"#,
                ["/c: the contract has no member 'c'"]
            ),
            // Of alternatives those count that the value fits.
            (
                "{ oneOf: [{ required: [a], properties: { a: {}, c: {} } }, { required: [b], properties: { b: {} } }] }",
                #"{"b": 1, "c": 1}"#,
                ["/c: the contract has no member 'c'"]
            ),
            (
                "{ properties: { kind: {} }, if: { properties: { kind: { const: x } } }, then: { properties: { a: {} } } }",
                #"{"kind": "y", "a": 1}"#, ["/a: the contract has no member 'a'"]
            ),
            (
                "{ properties: { kind: {} }, if: { properties: { kind: { const: x } } }, then: { properties: { a: {} } } }",
                #"{"kind": "x", "a": 1}"#, []
            ),
            (
                "{ properties: { list: { type: array, items: { properties: { a: {} } } } } }", #"{"list": [{"a": 1}, {"a~": 1}]}"#,
                ["/list/1/a~0: the contract has no member 'a~' (did you mean 'a'?)"]
            ),
            (
                "{ properties: { a: { properties: { b: {} } } }, patternProperties: { '^x-': {} } }",
                #"{"x-1": {"z": 1}, "a": {"b": {"z": 1}}}"#, []
            ),
            // Where nothing else is allowed, it is a violation and reported as one.
            ("{ additionalProperties: false, properties: { a: {} } }", #"{"b": 1}"#, []),
        ] as [(String, String, [String])])
    func `members are reported where an object says what it has`(_ schema: String, _ body: String, _ told: [String]) throws {
        #expect(try Self.undeclared(schema, body) == told)
    }

    @Test func `where the query is open an undeclared parameter is none, and a declared one is checked all the same`() throws {
        let text = Sample.replacing("x-query: { v: '1' }", with: "x-query: { v: '1' }\n      x-open-query: true")
        let operation = try #require(try Sample.contract(text).operation("logIn"))
        let checked = operation.check(
            RequestParts(method: .post, rawPath: "/", query: [("v", "1"), ("stray", "1"), ("stray", "2"), ("count", "x")]))
        #expect(checked.undeclared.isEmpty)
        #expect(checked.violations.filter { $0.part == .query }.map(\.pointer) == ["count"])
    }

    @Test func `an undeclared query parameter is reported once`() throws {
        let operation = try #require(try Sample.contract().operation("logIn"))
        let known = operation.parameters.filter { $0.location == .query }.map(\.name)
        let query = (known + ["stray", "stray"]).map { (name: $0, value: "1") }
        let told = operation.check(RequestParts(method: .post, rawPath: "/", query: query, headers: [.init("X-Anything")!: "1"])).undeclared
        #expect(told.map(\.pointer) == ["stray"] && told.allSatisfy { $0.part == .query && $0.kind == .undeclared })
    }
}
