import HTTPTypes
import SparringContract
import SparringJSON
import Testing

struct CheckTests {
    static let text = """
        openapi: 3.1.0
        info: { title: T, version: '1' }
        tags: [{ name: Tag }]
        paths:
          /a/{id}:
            post:
              operationId: both
              tags: [Tag]
              x-fidelity: assumed
              x-source: a test
              parameters:
                - { name: id, in: path, required: true, schema: { type: integer }, example: 1 }
                - { name: v, in: query, required: true, schema: { enum: ['1', '2'] }, example: '1' }
                - { name: n, in: query, schema: { type: number, maximum: 9 } }
                - { name: flag, in: query, schema: { type: boolean } }
                - { name: ids, in: query, schema: { type: array, items: { type: integer } } }
                - { name: X-Key, in: header, schema: { type: string, minLength: 3 } }
              requestBody:
                required: true
                content:
                  application/json:
                    schema: { $ref: '#/components/schemas/Body' }
                    example: { code: a }
                  application/x-www-form-urlencoded:
                    schema: { $ref: '#/components/schemas/Body' }
              responses: { '204': { description: Done., x-name: done } }
            get:
              operationId: bare
              tags: [Tag]
              x-fidelity: assumed
              x-source: a test
              parameters:
                - { name: id, in: path, required: true, schema: { type: string }, example: 1 }
              responses: { '204': { description: Done., x-name: done } }
        components:
          schemas:
            Body:
              type: object
              required: [code]
              additionalProperties: false
              properties: { code: { type: string }, age: { type: integer }, tags: { type: array, items: { type: string } } }
        """.replacing("{ type: string }, example: 1 }", with: "{ type: string }, example: a }")

    private func check(
        _ id: String = "both", path: String = "7", query: String = "v=1", headers: HTTPFields = [:], type: String? = "application/json",
        body: String = #"{"code":"a"}"#
    ) throws -> CheckedRequest {
        let contract = try Contract(parsing: Self.text, file: "t", vendor: "t")
        var headers = headers
        headers[.contentType] = type
        return try #require(contract.operation(id)).check(
            RequestParts(
                method: .post, rawPath: "/a/" + path, pathParameters: ["id": path], query: PercentCoding.fields(query[...]),
                headers: headers,
                body: Array(body.utf8)))
    }

    @Test(
        arguments: [
            ("v=1", []), ("v=2&n=1.5&flag=true&ids=1,2&more=x", []), ("v=1&ids=1&ids=2", []), ("", ["query parameter v: required"]),
            ("v=3", ["query parameter v: '3' is not one of '1', '2'"]), ("v=1&v=2", ["query parameter v: given 2 times"]),
            ("v=1&n=ten", ["query parameter n: expected number, found 'ten'"]),
            ("v=1&n=10", ["query parameter n: 10 is greater than the maximum 9"]),
            ("v=1&n=0x1", ["query parameter n: expected number, found '0x1'"]),
            ("v=1&n=nan", ["query parameter n: expected number, found 'nan'"]),
            ("v=1&flag=yes", ["query parameter flag: expected boolean, found 'yes'"]),
            ("v=1&ids=1,b", ["query parameter ids: at [1]: expected integer, found string"]),
            (
                "n=ten&flag=0",
                [
                    "query parameter v: required", "query parameter n: expected number, found 'ten'",
                    "query parameter flag: expected boolean, found '0'",
                ]
            ),
        ] as [(String, [String])])
    func `Query parameters are read as their schemas want them`(query: String, violations: [String]) throws {
        #expect(try check(query: query).violations.map(\.description) == violations)
    }

    @Test func `Path and header parameters are checked too`() throws {
        let checked = try check(path: "x", headers: [HTTPField.Name("x-key")!: "ab"])
        #expect(
            checked.violations.map { "\($0.kind) \($0)" } == [
                "type path parameter id: expected integer, found 'x'", "length header X-Key: 'ab' is shorter than 3 characters",
            ])
        #expect(!checked.isUsable)
    }

    @Test(
        arguments: [
            ("application/json", #"{"code":"a"}"#, [], true), ("Application/JSON; charset=utf-8", #"{"code":"a"}"#, [], true),
            ("application/json", "", ["body: required"], false), (nil, "", ["body: required"], false),
            ("application/json", #"{"age":1}"#, ["body.code: required member 'code' is missing"], false),
            (
                "application/json", #"{"code":1,"aeg":2}"#,
                ["body.code: expected string, found integer", "body.aeg: unknown member 'aeg' (did you mean 'age'?)"], false
            ),
            ("application/json", "{\n \"code\":", ["body: not JSON: the text ends where a value is expected at line 2, column 9"], false),
            ("application/json", "[]", ["body: expected object, found array"], false),
            (nil, #"{"code":"a"}"#, ["content type: expected application/json or application/x-www-form-urlencoded, found none"], true),
            (
                "text/plain", #"{"code":"a"}"#,
                ["content type: expected application/json or application/x-www-form-urlencoded, found 'text/plain'"], true
            ),
            ("application/x-www-form-urlencoded", "code=a&age=7&tags=x&tags=y", [], true),
            ("application/x-www-form-urlencoded", "code=a&code=b", ["body.code: given 2 times"], false),
            (
                "application/x-www-form-urlencoded", "age=x",
                ["body.code: required member 'code' is missing", "body.age: expected integer, found string"], false
            ),
            (nil, "code=a", ["content type: expected application/json or application/x-www-form-urlencoded, found none"], true),
        ] as [(String?, String, [String], Bool)])
    func `Bodies are read by their type, or by what they can be`(type: String?, body: String, violations: [String], isUsable: Bool) throws {
        let checked = try check(type: type, body: body)
        #expect(checked.violations.map(\.description) == violations)
        #expect(checked.isUsable == isUsable)
    }

    @Test func `A form's body is an object of strings`() throws {
        let checked = try check(type: "application/x-www-form-urlencoded", body: "code=a+b&age=7&tags=x&tags=y")
        #expect(checked.body == ["code": "a b", "age": "7", "tags": ["x", "y"]])
    }

    @Test(
        arguments: [
            ("f", []), ("app.on$_1", []), ("a(b", ["query parameter cb: 'a(b' does not name a JavaScript function"]),
            ("1a", ["query parameter cb: '1a' does not name a JavaScript function"]),
        ] as [(String, [String])])
    func `A JSONP callback is the name of a function`(callback: String, violations: [String]) throws {
        let request = RequestParts(
            method: .get, rawPath: "/account/1/files/a.json", pathParameters: ["accountId": "1", "name": "a"], query: [("cb", callback)])
        let operation = try #require(try Sample.contract().operation("readFile"))
        #expect(operation.check(request).violations.map(\.description) == violations)
    }

    @Test func `A body where none is expected is ignored but seen`() throws {
        #expect(try check("bare", body: "").violations.isEmpty)
        let checked = try check("bare", body: "{}")
        #expect(checked.violations.map(\.description) == ["content type: a body was sent where none is expected"])
        #expect(checked.body == nil)
        #expect(checked.isUsable)
    }

    @Test(
        arguments: [
            ("logged-in", 200, "r-17", "application/json", #"{"token":"t"}"#, []),
            ("logged-in", 200, "r-17", nil, #"{"token":"t"}"#, []),
            ("logged-in", 201, "r-17", "application/json", #"{"token":"t"}"#, ["status: answer 'logged-in' has status 200, not 201"]),
            ("logged-in", 200, nil, "application/json", #"{"token":"t"}"#, ["header X-Request-Id: required"]),
            (
                "logged-in", 200, "r", "text/html", #"{"token":1}"#,
                [
                    "header X-Request-Id: 'r' is shorter than 3 characters", "content type: expected application/json, found 'text/html'",
                    "body.token: expected string, found integer",
                ]
            ),
            ("logged-in", 200, "r-17", "application/json", nil, ["body: required"]),
            ("account-unknown", 404, nil, nil, nil, []),
            ("account-unknown", 404, nil, nil, "{}", ["body: the answer has no content"]),
            ("loggedin", 200, nil, nil, nil, ["status: the operation declares no answer 'loggedin' (did you mean 'logged-in'?)"]),
        ] as [(String, Int, String?, String?, String?, [String])])
    func `An answer is compared with the declared one`(
        name: String, status: Int, id: String?, type: String?, body: String?, violations: [String]
    ) throws {
        var headers = HTTPFields()
        headers[HTTPField.Name("x-request-id")!] = id
        headers[.contentType] = type
        let operation = try #require(try Sample.contract().operation("logIn"))
        let found = operation.checkAnswer(name: name, status: status, headers: headers, body: try body.map { try JSON(parsing: $0) })
        #expect(found.map(\.description) == violations)
    }
}
