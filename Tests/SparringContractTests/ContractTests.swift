import HTTPTypes
import SparringContract
import SparringJSON
import Testing

struct ContractTests {
    @Test func `A contract says what the document says`() throws {
        let contract = try Sample.contract()
        #expect(contract.vendor == "sample")
        #expect(contract.title == "Sample")
        #expect(contract.version == "7")
        #expect(contract.unknownTenantAnswer == "account-unknown")
        #expect(contract.malformedAnswer == "malformed")
        #expect(contract.operations.map(\.qualifiedName) == ["sample.logIn", "sample.readFile"])
        #expect(contract.operation("nothing") == nil)
    }

    @Test func `An operation says what the document says`() throws {
        let operation = try #require(try Sample.contract().operation("logIn"))
        #expect(operation.method == .post)
        #expect(operation.pathTemplate == "/account/{accountId}/login")
        #expect(operation.tag == "Login")
        #expect(operation.summary == "Log in")
        #expect(operation.fidelity == .verified)
        #expect(operation.source == "the vendor's documentation")
        #expect(operation.line == 17)
        #expect(operation.query == ["v": "1"])
        #expect(operation.parameters.map(\.name) == ["accountId", "count", "Authorization"])
        #expect(operation.parameters.map(\.required) == [true, false, true])
        #expect(operation.tenant == [ValueSource(location: .path("accountId"))])
        #expect(
            operation.lane == [
                ValueSource(location: .header("Authorization"), reading: .claim("sub")),
                ValueSource(location: .body(JSONPointer(tokens: ["code"])), reading: .issued),
            ])
        #expect(try Sample.contract().operation("readFile")?.jsonpCallback == "cb")
    }

    @Test func `Each example of a response is an answer, and so is a response without content`() throws {
        let operation = try #require(try Sample.contract().operation("logIn"))
        #expect(operation.answers.map(\.name) == ["logged-in", "malformed", "account-unknown"])
        #expect(operation.answers.map(\.status) == [200, 400, 404])
        #expect(operation.answers.map(\.mediaType) == ["application/json", "application/problem+json", nil])
        #expect(operation.answers.map(\.isUnhappy) == [false, true, true])
        #expect(operation.answer("malformed")?.example == ["title": "Malformed"])
        #expect(operation.answer("logged-in")?.headers.first?.name == "X-Request-Id")
        #expect(operation.requestBody?.mediaTypes.first?.examples.first?.value == ["code": "abc", "level": "loa1"])
    }

    @Test func `An operation's parameter stands for the path's of the same name and place`() throws {
        let text = Sample.replacing(
            "        - name: count\n",
            with: "        - { name: accountId, in: path, required: true, schema: { type: string }, example: own }\n        - name: count\n"
        )
        let parameters = try Sample.contract(text).operation("logIn")?.parameters.filter { $0.name == "accountId" }
        #expect(parameters?.map(\.example) == ["own"])
    }

    @Test func `A path is filled in, encoded and given its query constants`() throws {
        let contract = try Sample.contract()
        #expect(contract.operation("logIn")?.path(["accountId": "a/b ü"]) == "/account/a%2Fb%20%C3%BC/login?v=1")
        #expect(contract.operation("readFile")?.path(["accountId": "1", "name": "x"]) == "/account/1/files/x.json")
    }

    @Test func `An operation that the code lacks is an error at its line`() throws {
        let error = #expect(throws: ContractError.self) { try Sample.contract().requireExactly(["logIn", "readFiel"]) }
        #expect(error?.description == "\(Sample.file):67: operation 'readFile' is not implemented (did you mean 'readFiel'?)")
    }

    @Test func `An operation that only the code has is an error about the file`() throws {
        let error = #expect(throws: ContractError.self) { try Sample.contract().requireExactly(["logIn", "readFile", "sing"]) }
        #expect(error?.description == "\(Sample.file): 'sing' is implemented but no operation has this operationId")
        try Sample.contract().requireExactly(["readFile", "logIn"])
    }

    @Test(
        arguments: [
            ("5", 5), ("-5", -5), ("+5", 5), ("1.5", 1.5), (".5", 0.5), ("5.", 5.0), ("1e3", 1000), ("0x1F", 31), ("0o17", 15),
            ("9223372036854775808", 9_223_372_036_854_775_808.0), ("true", true), ("False", false), ("null", .null), ("~", .null),
            ("", .null),
            ("yes", "yes"), ("on", "on"), ("2026-01-02", "2026-01-02"), ("1.2.3", "1.2.3"), ("nan", "nan"), ("0x", "0x"), (".", "."),
            ("1_000", "1_000"), ("'5'", "5"), ("\"true\"", "true"), ("[1, {a: b}]", [1, ["a": "b"]]),
        ] as [(String, JSON)])
    func `Unquoted words mean what YAML 1.2's core schema says`(text: String, value: JSON) throws {
        let contract = try Sample.contract(Sample.replacing("value: { title: Malformed }", with: "value: \(text)"))
        #expect(contract.operation("logIn")?.answer("malformed")?.example == value)
    }

    @Test(
        arguments: [
            (nil, 0, true), ("$request.query.brand", 1, false), ("[$request.query.brand, host]", 1, true),
        ] as [(String?, Int, Bool)])
    func `the host names the tenant without a source, and as the last resort`(_ tenant: String?, _ count: Int, _ isByHost: Bool) throws {
        let operation = try #require(try Sample.contract(vendor: "v", tenant: tenant, ["GET /a"]).operation("a"))
        #expect(operation.tenant.count == count && operation.hostNamesTenant == isByHost)
    }
}
