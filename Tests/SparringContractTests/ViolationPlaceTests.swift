import HTTPTypes
import SparringContract
import SparringJSON
import Testing

/// The place in a contract that a violation names, and the changes that would allow it.
struct ViolationPlaceTests {
    struct Case: CustomTestStringConvertible {
        var query = "v=1"
        var type: String? = "application/json"
        var body = #"{"code":"a"}"#
        let kind: Violation.Kind
        let member: String
        let path: String
        let line: Int
        let actions: String

        var testDescription: String { "\(kind) \(member)" }
    }

    private static let login = "$.components.schemas.Login"

    @Test(arguments: [
        Case(
            body: "{}", kind: .missing, member: "body:/code", path: login, line: 90,
            actions: #"{"target":"\#(login).required[?@ == 'code']","remove":true}"#),
        Case(
            body: #"{"code":5}"#, kind: .type, member: "body:/code", path: "\(login).properties.code", line: 94,
            actions:
                #"{"target":"\#(login).properties.code.type","remove":true} {"target":"\#(login).properties.code","update":{"type":["string","integer"]}}"#
        ),
        Case(
            body: #"{"code":""}"#, kind: .length, member: "body:/code", path: "\(login).properties.code", line: 94,
            actions: #"{"target":"\#(login).properties.code.minLength","remove":true}"#),
        Case(
            body: #"{"code":"a","level":"loa7"}"#, kind: .value, member: "body:/level", path: "\(login).properties.level", line: 95,
            actions: #"{"target":"\#(login).properties.level.enum","update":"loa7"}"#),
        Case(
            body: #"{"code":"a","scopes":["x",1]}"#, kind: .type, member: "body:/scopes/*", path: "\(login).properties.scopes.items",
            line: 96,
            actions:
                #"{"target":"\#(login).properties.scopes.items.type","remove":true} {"target":"\#(login).properties.scopes.items","update":{"type":["string","integer"]}}"#
        ),
        Case(
            body: #"{"code":"a","pin":1}"#, kind: .unknown, member: "body:/pin", path: login, line: 90,
            actions: #"{"target":"\#(login)","update":{"properties":{"pin":{"type":"integer"}}}}"#),
        Case(
            query: "v=1&count=0", kind: .range, member: "query:count",
            path: "$.paths['/account/{accountId}/login#v1'].post.parameters[0].schema",
            line: 30, actions: #"{"target":"$.paths['/account/{accountId}/login#v1'].post.parameters[0].schema.minimum","remove":true}"#),
        Case(
            query: "v=1&page=2", kind: .undeclared, member: "query:page", path: "$.paths['/account/{accountId}/login#v1'].post", line: 17,
            actions:
                #"{"target":"$.paths['/account/{accountId}/login#v1'].post","update":{"parameters":[{"name":"page","in":"query","schema":{"type":"string"}}]}}"#
        ),
        Case(
            type: "text/plain", kind: .mediaType, member: "header:Content-Type",
            path: "$.paths['/account/{accountId}/login#v1'].post.requestBody",
            line: 37, actions: #"{"target":"$.paths['/account/{accountId}/login#v1'].post.requestBody.content","update":{"text/plain":{}}}"#
        ),
        Case(
            body: "", kind: .missing, member: "body:", path: "$.paths['/account/{accountId}/login#v1'].post.requestBody", line: 37,
            actions: #"{"target":"$.paths['/account/{accountId}/login#v1'].post.requestBody","update":{"required":false}}"#),
    ])
    func `A violation names the contract's line, and the overlay that would allow it`(violation: Case) throws {
        let operation = try #require(try Sample.contract().operation("logIn"))
        var headers: HTTPFields = [.authorization: "Bearer a"]
        headers[.contentType] = violation.type
        let query = violation.query.split(separator: "&").map { pair in
            let parts = pair.split(separator: "=").map(String.init)
            return (name: parts[0], value: parts[1])
        }
        let request = RequestParts(
            method: .post, rawPath: "/", pathParameters: ["accountId": "4711"], query: query, headers: headers,
            body: Array(violation.body.utf8))
        let checked = operation.check(request)
        let found = checked.violations + checked.undeclared
        try #require(found.count == 1, "\(found)")
        #expect(found[0].kind == violation.kind && found[0].memberPlace == violation.member)
        let basis = try #require(found[0].basis)
        #expect(basis.path == violation.path && basis.line == violation.line && basis.file == Sample.file && basis.document == Sample.file)
        #expect(found[0].actions.map(\.text).joined(separator: " ") == violation.actions)
    }

    @Test func `Names that are the sender's and numbers of items are left out of what a violation is known by`() throws {
        let text = Sample.replacing(
            "scopes: { type: array, items: { type: string } }", with: "scopes: { additionalProperties: { type: string } }")
        let operation = try #require(try Sample.contract(text).operation("logIn"))
        let schema = try #require(operation.requestBody?.mediaTypes[0].schema)
        let violations = schema.violations(in: ["code": "a", "scopes": ["x": 1, "y": 2]])
        #expect(violations.map(\.pointer.description) == ["/scopes/x", "/scopes/y"])
        #expect(violations.map(\.member.description) == ["/scopes/*", "/scopes/*"])
    }
}
