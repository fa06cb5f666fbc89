import HTTPTypes
import SparringJSON
import Testing

@testable import SparringContract

/// Members and parameters that have other names on the wire than in Sparring's own code (`x-stands-for`).
struct StandInTests {
    private static let properties = """
        token: { type: string, x-stands-for: code }
        who: { type: string, x-stands-for: $request.path.accountId }
        items: { type: array, items: { $ref: '#/components/schemas/Item' } }
        """

    private static func contract(
        properties: String = properties, parameters: String = "{ name: n, in: query, schema: { type: integer }, x-stands-for: count }",
        answer: String = "{ t: { type: string, x-stands-for: jwt } }", lane: String = "$request.body#/code"
    ) throws(ContractError) -> Contract {
        let yaml = """
            openapi: 3.1.0
            info: { title: T, version: '1' }
            tags: [{ name: Login }]
            paths:
              /login:
                post:
                  operationId: logIn
                  tags: [Login]
                  x-fidelity: assumed
                  x-source: none
                  x-lane: \(lane)
                  parameters: [\(parameters)]
                  requestBody:
                    required: true
                    content:
                      application/json:
                        schema:
                          type: object
                          properties:
            \(properties.split(separator: "\n").map { "                  \($0)" }.joined(separator: "\n"))
                        examples: { empty: { value: {} } }
                  responses:
                    '200':
                      description: Yes.
                      content:
                        application/json:
                          schema: { type: object, properties: \(answer) }
                          examples: { welcome: { value: {} } }
            components:
              schemas:
                Item:
                  type: object
                  properties:
                    n: { type: string, x-stands-for: name }
                    inner: { type: array, items: { $ref: '#/components/schemas/Item' } }
            """
        return try Contract(parsing: yaml, file: "t.openapi.yaml", vendor: "t")
    }

    private static func request(_ body: JSON, query: [(String, String)] = []) -> RequestParts {
        RequestParts(
            method: .post, rawPath: "/login", query: query.map { (name: $0.0, value: $0.1) }, headers: [.contentType: "application/json"],
            body: body.bytes)
    }

    @Test(
        arguments: [
            (["token": "a"], ["code": "a"]),
            (["other": 1], ["other": 1]),
            // The name that ships is no longer one.
            (["code": "a"], [:]),
            (["code": "a", "token": "b"], ["code": "b"]),
            (
                ["items": [["n": "x", "inner": [["n": "y"], 5]]]],
                ["items": [["name": "x", "inner": [["name": "y"], 5]]]]
            ),
            ([1], [1]),
        ] as [(JSON, JSON)])
    func `The code sees the names that ship`(_ onWire: JSON, _ seen: JSON) throws {
        let operation = try #require(Self.contract().operation("logIn"))
        let request = Self.request(onWire)
        #expect(operation.canonical(request, operation.check(request)).body == seen)
    }

    @Test func `A member or parameter can stand for another part of the request`() throws {
        let operation = try #require(Self.contract().operation("logIn"))
        let request = Self.request(["who": "acme"], query: [("n", "5"), ("count", "6")])
        let seen = operation.canonical(request, operation.check(request))
        #expect(seen.request.pathParameters.byName == ["accountId": "acme"])
        #expect(seen.request.query.map { "\($0.name)=\($0.value)" } == ["count=5"])
        #expect(seen.body == [:])
        #expect(operation.onWire(RequestPlace.path("accountId")) == .body(JSONPointer(tokens: ["who"])))
        #expect(operation.onWire(RequestPlace.query("count")) == .query("n"))
    }

    @Test func `Lanes, answers and pointers follow`() throws {
        let operation = try #require(Self.contract().operation("logIn"))
        #expect(operation.lane.first?.value(in: Self.request([:]), body: ["token": "a"]) == "a")
        #expect(operation.answer("welcome")?.schema?.onWire(["jwt": "a", "x": 1]) == ["t": "a", "x": 1])
        // An example has the new names, and the code sets some by the ones that ship.
        #expect(operation.answer("welcome")?.schema?.onWire(["t": "a", "jwt": "b"]) == ["t": "b"])
        #expect(operation.onWire(JSONPointer(tokens: ["jwt"]), ofAnswer: "welcome").tokens == ["t"])
        #expect(
            operation.onWire(.body(JSONPointer(tokens: ["items", "*", "inner", "0", "name"])))
                == .body(JSONPointer(tokens: ["items", "*", "inner", "0", "n"])))
    }

    @Test func `Two members can change names with each other`() throws {
        let operation = try #require(
            Self.contract(
                properties: "a: { type: string, x-stands-for: b }\nb: { type: string, x-stands-for: a }", lane: "$request.body#/a"
            )
            .operation("logIn"))
        let request = Self.request(["a": "1", "b": "2"])
        #expect(operation.canonical(request, operation.check(request)).body == ["b": "1", "a": "2"])
        #expect(operation.onWire(body: ["b": "1", "a": "2"]) == ["a": "1", "b": "2"])
    }

    @Test(
        arguments: [
            (["a": 1], ["items"], true), (["items"], ["items", "*", "name"], true),
            (["items"], ["items", "0", "inner", "*", "name"], true),
            (["items"], ["items", "*", "n"], true), (["items"], ["items", "*", "nmae"], false), (["code"], ["code"], true),
            (["nothing"], ["nothing"], false),
        ] as [(JSON, [String], Bool)])
    func `What a contract has no name for cannot be looked at`(_: JSON, _ tokens: [String], _ mayHave: Bool) throws {
        let operation = try #require(Self.contract().operation("logIn"))
        #expect(operation.declares(.body(JSONPointer(tokens: tokens))) == mayHave)
    }

    @Test(
        arguments: [
            (
                "a: { type: string, x-stands-for: code }\ncode: { type: string }",
                "'a' stands for 'code', which is still a member of its own: remove it"
            ),
            ("a: { x-stands-for: code }\nb: { x-stands-for: code }", "'b' stands for the same as 'a'"),
            ("a: { x-stands-for: '' }", "x-stands-for names nothing"),
            (
                "a: { x-stands-for: $request.cookie.x }",
                "'$request.cookie.x' is neither a name nor one of $request.path.NAME, $request.query.NAME, $request.header.NAME, $request.body#/POINTER"
            ),
            ("code: { items: { x-stands-for: b } }", "x-stands-for is for a member: write it under 'properties'"),
        ])
    func `What cannot be meant is refused where it stands`(_ properties: String, _ message: String) throws {
        let error = #expect(throws: ContractError.self) { try Self.contract(properties: properties) }
        #expect(error?.message == message)
        #expect((error?.line ?? 0) > 0)
    }

    @Test func `A member of an answer stands for no part of a request`() throws {
        let error = #expect(throws: ContractError.self) { try Self.contract(answer: "{ t: { x-stands-for: $request.query.v } }") }
        #expect(error?.message.contains("names a part of a request, and this is an answer") == true)
    }
}
