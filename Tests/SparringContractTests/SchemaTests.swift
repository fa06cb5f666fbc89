import SparringContract
import SparringJSON
import Testing

/// JSON Schema's own test suite checks what the keywords mean; these tests check the messages that people see.
struct SchemaTests {
    private func schema(_ yaml: String) throws -> Schema {
        let text = Sample.replacing("{ type: integer, minimum: 1 }", with: yaml)
        return try #require(try Sample.contract(text).operation("logIn")?.parameters.first { $0.name == "count" }?.schema)
    }

    @Test(
        arguments: [
            ("{ type: string }", "5", [": expected string, found integer"]),
            ("{ type: [string, 'null'] }", "[]", [": expected null or string, found array"]),
            ("{ type: integer }", "1.5", [": expected integer, found number"]), ("{ type: integer }", "1.0", []),
            ("{ type: integer }", "1e40", []),
            ("{ enum: [a, 1, null] }", "\"b\"", [": 'b' is not one of 'a', 1, null"]),
            ("{ const: { a: 1 } }", "{}", [": expected {\"a\":1}, found {}"]),
            ("{ minimum: 3, multipleOf: 2 }", "1", [": 1 is less than the minimum 3", ": 1 is not a multiple of 2"]),
            ("{ exclusiveMinimum: 3 }", "3", [": 3 is not greater than 3"]),
            ("{ exclusiveMaximum: 3 }", "3.0", [": 3.0 is not less than 3"]),
            ("{ minLength: 2, maxLength: 2 }", "\"👩‍👩‍👧\"", [": '👩‍👩‍👧' is longer than 2 characters"]), ("{ maxLength: 1 }", "\"é\"", []),
            ("{ pattern: 'b' }", "\"abc\"", []), ("{ pattern: '^b' }", "\"abc\"", [": 'abc' does not match ^b"]),
            ("{ pattern: 'c$' }", "\"abc\\n\"", [": 'abc\n' does not match c$"]),
            ("{ format: uuid }", "\"abc\"", [": 'abc' is not a valid uuid"]),
            ("{ format: regex }", "\"a{2}\"", []), ("{ format: regex }", "\"a{\"", [": 'a{' is not a valid regex"]),
            // Sound, although a schema here could not have them as its pattern.
            ("{ format: regex }", "\"(?=a)\"", []), ("{ format: regex }", "\"a{20000}\"", []),
            (
                "{ format: date-time }", "\"2026-02-29T00:00:00Z\"",
                [": '2026-02-29T00:00:00Z' is not a valid date-time, such as 2026-01-01T00:00:00Z"]
            ),
            ("{ minItems: 1 }", "[]", [": 0 items, at least 1 expected"]), ("{ maxItems: 0 }", "[1]", [": 1 item, at most 0 expected"]),
            ("{ uniqueItems: true }", "[1, 2, 1.0]", [": items 0 and 2 are equal"]),
            ("{ contains: { type: string } }", "[1]", [": no item matches 'contains'"]),
            (
                "{ contains: { type: string }, minContains: 2 }", "[1, \"a\"]",
                [": only 1 item of those that 'contains' asks for, at least 2 expected"]
            ),
            ("{ contains: true, maxContains: 1 }", "[1, 2]", [": 2 items of those that 'contains' limits, at most 1 expected"]),
            ("{ prefixItems: [true], unevaluatedItems: false }", "[1, 2]", ["/1: nothing is allowed here"]),
            (
                "{ allOf: [{ properties: { iss: true } }], unevaluatedProperties: false }", "{\"iss\": 1, \"aud\": 2}",
                ["/aud: unknown member 'aud'"]
            ),
            (
                "{ allOf: [{ properties: { iss: true } }], unevaluatedProperties: false }", "{\"isss\": 1}",
                ["/isss: unknown member 'isss' (did you mean 'iss'?)"]
            ),
            (
                "{ dependentSchemas: { card: { required: [address] } } }", "{\"card\": 1}",
                ["/address: required member 'address' is missing"]
            ),
            ("{ format: int32 }", "2147483648", [": 2147483648 is not a valid int32"]), ("{ format: int32 }", "\"x\"", []),
            ("{ items: { type: string } }", "[\"a\", 1]", ["/1: expected string, found integer"]),
            (
                "{ prefixItems: [true, { type: string }], items: false }", "[1, 2, 3]",
                ["/1: expected string, found integer", "/2: nothing is allowed here"]
            ),
            ("{ required: [a, b] }", "{\"b\": 1}", ["/a: required member 'a' is missing"]),
            ("{ dependentRequired: { a: [b] } }", "{\"a\": 1}", ["/b: member 'b' is required where 'a' is present"]),
            (
                "{ properties: { iss: true, aud: true }, additionalProperties: false }", "{\"isss\": 1}",
                ["/isss: unknown member 'isss' (did you mean 'iss'?)"]
            ),
            (
                "{ patternProperties: { '^x-': { type: string } }, additionalProperties: false }", "{\"x-a\": 1, \"y\": 2}",
                ["/x-a: expected string, found integer", "/y: unknown member 'y'"]
            ),
            ("{ propertyNames: { maxLength: 1 } }", "{\"ab\": 1}", ["/ab: 'ab' is longer than 1 character"]),
            ("{ minProperties: 1 }", "{}", [": 0 members, at least 1 expected"]),
            ("{ properties: { a/b: { items: { type: string } } } }", "{\"a/b\": [1]}", ["/a~1b/0: expected string, found integer"]),
            (
                "{ anyOf: [{ type: string }, { required: [a] }] }", "{}",
                ["/a: matches none of 2 alternatives; nearest: required member 'a' is missing"]
            ),
            (
                "{ items: { anyOf: [{ type: string }, { properties: { a: { enum: [x] }, b: { type: integer } } }] } }",
                #"[{"a":"y","b":"z"}]"#,
                [
                    "/0/a: matches none of 2 alternatives; nearest: 'y' is not one of 'x'",
                    "/0/b: matches none of 2 alternatives; nearest: expected integer, found string",
                ]
            ),
            ("{ oneOf: [{ type: integer }, { minimum: 1 }] }", "5", [": fits 2 alternatives of oneOf, where exactly one is allowed"]),
            ("{ not: { type: integer } }", "5", [": is what 'not' excludes"]), ("false", "5", [": nothing is allowed here"]),
            ("true", "5", []),
            ("{ if: { required: [a] }, then: { required: [b] }, else: { required: [c] } }", "{}", ["/c: required member 'c' is missing"]),
            (
                "{ $ref: '#/components/schemas/Login' }", #"{"code": "a", "next": {"code": ""}}"#,
                ["/next/code: '' is shorter than 1 character"]
            ),
            (
                "{ anyOf: [{ required: [code] }, { required: [id_token], properties: { nonce: {} } }] }",
                #"{"idtoken": "x", "nonce": "y"}"#,
                ["/id_token: matches none of 2 alternatives; nearest: required member 'id_token' is missing ('idtoken' was sent)"]
            ),
            (
                "{ pattern: '^[0-9]+s$', x-expected: 'a duration with a unit, such as 10s' }", #""10""#,
                [": '10' is not a duration with a unit, such as 10s"]
            ),
            ("{ $ref: '#/components/schemas/Login/properties/level' }", "\"loa2\"", [": 'loa2' is not one of 'loa0', 'loa1'"]),
        ] as [(String, String, [String])])
    func `A violation says where, what was expected and what was found`(yaml: String, value: String, expected: [String]) throws {
        let violations = try schema(yaml).violations(in: try JSON(parsing: value))
        #expect(violations.map { "\($0.pointer): \($0.message)" } == expected)
        #expect(try schema(yaml).accepts(try JSON(parsing: value)) == expected.isEmpty)
    }

    @Test func `Violations are placed from where the value stands`() throws {
        let violations = try schema("{ items: { type: string } }").violations(in: [1], at: JSONPointer(tokens: ["a"]))
        #expect(violations.map(\.pointer.description) == ["/a/0"])
    }

    @Test(arguments: [
        ("date-time", "1998-12-31T23:59:60Z", "1998-12-31T22:59:60Z"),
        ("date-time", "2026-01-02t03:04:05.678+01:00", "2026-01-02T03:04:05"),
        ("date", "2024-02-29", "2023-02-29"), ("time", "23:59:60Z", "12:00:00"), ("uri-reference", "../a?b#c", "a b"),
        ("uri-reference", "a//b:c", "1a:b"), ("json-pointer", "/a~1b", "a"), ("duration", "P1Y2M3DT4H5M6S", "P1Y2D"),
        ("duration", "P3W", "P3W1D"),
        ("duration", "PT36H", "PT"),
        ("uri", "https://a.example/b?c#d", "/a"), ("uri", "urn:a:b", "http://a b"),
        ("uri", "http://a:b@[1::]:80/?", "http://[1::2::3]/"), ("email", "\"[@]\"@[IPv6:::1]", "a@[IPv6:1]"),
        ("email", "a@[127.0.0.1]", "a@[::1]"),
        ("uuid", "2EB8AA08-aa98-11ea-b4aa-73b441d16380", "2eb8aa08aa9811eab4aa73b441d16380"),
        ("email", "a.b+c@d.example", "a@b@c"), ("ipv4", "127.0.0.1", "127.0.0.01"), ("ipv6", "::ffff:1.2.3.4", "1::2::3"),
        ("regex", "^a(?<n>b)$", "(?P<n>b)"),
    ])
    func `Formats are asserted`(format: String, good: String, bad: String) throws {
        let schema = try schema("{ format: \(format) }")
        #expect(schema.accepts(.string(good)))
        #expect(!schema.accepts(.string(bad)))
        #expect(schema.accepts(5))
    }
}
