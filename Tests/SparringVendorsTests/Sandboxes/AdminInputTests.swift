import HTTPTypes
import SparringContract
import SparringJSON
import SparringSandbox
import Support
import Testing

/// Bad input to the admin API gets a clear error and changes nothing.
@Suite struct AdminInputTests {
    /// Every operation that takes a body, vendors' own among them.
    static let operations: [(operation: ContractOperation, target: String)] = {
        let contracts = (try? Contract.load(directory: Repository.folder("contracts"))) ?? []
        let all: [ContractOperation] = contracts.flatMap { ($0.vendor == "admin" ? $0.operations : []) + ($0.admin?.operations ?? []) }
        let parameters = ["sandbox": "default", "vendor": "liveperson", "fault": "1", "number": "1", "device": "phone-1"]
        return all.filter { $0.requestBody != nil }.map { ($0, $0.path(parameters)) }
    }()

    @Test(
        arguments: [
            ("{", nil), ("", nil), ("{\"a\":1,}", nil), ("nul", nil), ("{} {}", nil), ("\u{FEFF}{}", nil), ("{\"a\":\u{0001}}", nil),
            ("[]", ""), ("\"x\"", ""), ("1", ""), ("null", ""), (String(repeating: "[", count: 5000), nil),
        ] as [(String, String?)])
    func `what is not JSON, or no object, is a 400 with a pointer for every operation`(_ body: String, _ pointer: String?) async throws {
        let rows = Self.operations.filter { !body.isEmpty || $0.operation.requestBody?.required == true }
        try #require(!rows.isEmpty)
        try await unchanged(by: rows) { server, row in
            let answer = try await server.send(
                row.operation.method, row.target, headers: [.contentType: "application/json"], body: Array(body.utf8))
            let problem = Problem(answer)
            let comment = Comment(rawValue: "\(row.target): \(answer.status) \(answer.text)")
            #expect(problem.status == 400 && problem.name == "request-malformed" && !problem.pointers.isEmpty, comment)
            if let pointer { #expect(problem.pointers.first == pointer, comment) }
        }
    }

    @Test func `a member of the wrong type is a 400 that points at it`() async throws {
        let rows: [(method: String, path: String, body: String, pointer: String?)] = [
            ("PUT", "clock", #"{"mode":1}"#, "/mode"), ("PUT", "clock", #"{"mode":"frozen","now":[]}"#, "/now"),
            ("POST", "clock/advance", #"{"by":null}"#, "/by"), ("POST", "clock/advance", #"{"by":"1s","x":1}"#, "/x"),
            ("POST", "faults", #"{"fault":1}"#, nil), ("POST", "faults", #"{"where":"*"}"#, nil),
            ("POST", "faults", #"{"where":"*","effect":"EMPTY_RESPONSE","times":0}"#, nil),
            ("POST", "faults", #"{"fault":"* delay by=1s","times":1}"#, nil),
            ("PATCH", "tenants/liveperson", "[]", ""), ("PATCH", "tenants/LIVEPERSON", "{}", "vendor"),
            ("POST", "credentials", "{}", "/form"), ("POST", "credentials", #"{"form":"cookie","subject":"a"}"#, "/form"),
            ("POST", "credentials", #"{"form":"jwt","subject":""}"#, "/subject"),
            ("POST", "credentials", #"{"form":"jwt","subject":"a","defect":"x"}"#, "/defect"),
            ("POST", "credentials", #"{"form":"jwt","subject":"a","claims":[]}"#, "/claims"),
            ("POST", "credentials", #"{"form":"jwt","subject":"a","lifetime":"1"}"#, "/lifetime"),
            ("POST", "credentials", #"{"form":"jwt","subject":"a","issuedAt":"now"}"#, "/issuedAt"),
            ("GET", "faults/0", "", "fault"), ("DELETE", "faults/x", "", "fault"), ("DELETE", "faults/99999999999999999999", "", "fault"),
            ("POST", "acts", "{}", "/operation"), ("POST", "liveperson/agent/join", #"{"agent":55}"#, "/agent"),
            ("POST", "liveperson/agent/join", #"{"conversation":""}"#, "/conversation"),
            ("GET", "conversations?state=open", "", "state"), ("GET", "conversations?consumer=", "", "consumer"),
            ("GET", "journal/0", "", "number"), ("GET", "../Default/clock", "", nil),
        ]
        try await unchanged(by: rows) { server, row in
            let answer = try await server.send(
                HTTPRequest.Method(rawValue: row.method)!, "/__admin/sandboxes/default/\(row.path)",
                headers: row.body.isEmpty ? [:] : [.contentType: "application/json"],
                body: Array(row.body.utf8))
            let problem = Problem(answer)
            let comment = Comment(rawValue: "\(row): \(answer.status) \(answer.text)")
            guard row.path.hasPrefix("..") == false else {
                #expect(problem.status == 404, comment)
                return
            }
            #expect(problem.status == 400 && problem.name == "request-malformed", comment)
            if let pointer = row.pointer { #expect(problem.pointers.first == pointer, comment) }
        }
    }

    @Test func `all that is wrong with a new sandbox is said at once`() async throws {
        let body: JSON = [
            "name": "x", "ttl": "10", "tenants": ["liveperson": ["acountId": "1"], "khoros": ["apId": "1"]],
            "faults": ["liveperson.Logn.* token-expired", "liveperson.Login.* token-expired", "* nonsense"],
        ]
        try await unchanged(by: [body]) { server, body in
            let problem = try await server.problem(.post, "/__admin/sandboxes", body)
            #expect(problem.status == 422 && problem.name == "configuration-invalid", "\(problem)")
            let pointers: Set = ["/ttl", "/tenants/liveperson/acountId", "/tenants/khoros/apId", "/faults/0", "/faults/2"]
            #expect(Set(problem.pointers) == pointers && problem.pointers.count == pointers.count, "\(problem)")
        }
    }

    @Test func `what is not there is a 404 by name, whatever the call`() async throws {
        let rows: [(method: String, path: String, words: String)] = [
            ("GET", "nope", "404 sandbox-unknown"), ("DELETE", "nope", "404 sandbox-unknown"),
            ("POST", "nope/reset", "404 sandbox-unknown"),
            ("GET", "nope/clock", "404 sandbox-unknown"), ("PUT", "nope/clock", "404 sandbox-unknown"),
            ("POST", "nope/clock/advance", "404 sandbox-unknown"),
            ("GET", "nope/faults", "404 sandbox-unknown"), ("POST", "nope/faults", "404 sandbox-unknown"),
            ("DELETE", "nope/faults", "404 sandbox-unknown"),
            ("GET", "nope/faults/1", "404 sandbox-unknown"), ("DELETE", "nope/faults/1", "404 sandbox-unknown"),
            ("GET", "nope/journal", "404 sandbox-unknown"), ("DELETE", "nope/journal", "404 sandbox-unknown"),
            ("GET", "nope/journal/1", "404 sandbox-unknown"),
            ("GET", "nope/journal/wait", "404 sandbox-unknown"), ("GET", "nope/tenants/liveperson", "404 sandbox-unknown"),
            ("PATCH", "nope/tenants/liveperson", "404 sandbox-unknown"),
            ("POST", "nope/tenants/identity/keys/rotate", "404 sandbox-unknown"),
            ("POST", "nope/credentials", "404 sandbox-unknown"), ("GET", "default/tenants/nope", "404 tenant-unknown"),
            ("POST", "default/tenants/liveperson/keys/rotate", "409 no-keys"),
            ("POST", "default/tenants/nope/keys/rotate", "404 tenant-unknown"),
            ("GET", "default/faults/7", "404 fault-unknown"), ("DELETE", "default/faults/7", "404 fault-unknown"),
            ("GET", "default/journal/7", "404 entry-unknown"), ("GET", "nope/conversations", "404 sandbox-unknown"),
            ("GET", "nope/liveperson/conversations/c-1", "404 sandbox-unknown"),
            ("POST", "nope/liveperson/agent/join", "404 sandbox-unknown"),
            ("POST", "default/liveperson/agent/join", "422 configuration-invalid /consumer"),
            ("GET", "default/liveperson/conversations/c-1", "404 conversation-unknown"),
            ("GET", "default/conversations?consumer=ada", "404 consumer-unknown"),
        ]
        let bodies: [String: JSON] = [
            "PUT clock": ["mode": "real"], "POST advance": ["by": "1s"], "POST faults": ["fault": "* delay by=0s"],
            "PATCH liveperson": ["audience": "x"],
            "POST credentials": ["form": "jwt", "subject": "ada"], "POST join": ["consumer": "ada"],
        ]
        try await unchanged(by: rows) { server, row in
            let body = bodies["\(row.method) \(row.path.split(separator: "/").last ?? "")"]
            let problem = try await server.problem(HTTPRequest.Method(rawValue: row.method)!, "/__admin/sandboxes/\(row.path)", body)
            #expect(problem.words == row.words, "\(row): \(problem)")
        }
    }

    @Test func `what the server says of itself`() async throws {
        try await TestServer.run(.pipeline, tenants: acme) { server in
            #expect(try await server.send(.get, "/__admin/version").json == ["name": "sparring", "version": "test"])
            let health = try #require(try await server.send(.get, "/__admin/health").json)
            #expect(health["status"] == "ok")
            #expect(
                health["vendors"]?.array?.compactMap { $0["name"]?.string } == [
                    "identity", "liveperson", "cxone", "khoros", "asapp", "talkdesk",
                ])
            #expect(try await server.problem(.get, "/__admin/ca").words == "404 tls-disabled")
            for _ in 0..<3 { try await server.lookUp() }
            _ = try await server.send(.get, "/nowhere")
            let metrics = try await server.send(.get, "/__admin/metrics")
            #expect(metrics.headers[.contentType]?.hasPrefix("text/plain; version=0.0.4") == true)
            #expect(metrics.text.contains(#"sparring_requests_total{operation="liveperson.lookUpService",answer="service-found"} 3"#))
            #expect(metrics.text.contains(#"sparring_requests_total{operation="unplaced",answer="404"} 1"#))
            #expect(metrics.text.contains("\nsparring_journal_entries 3\n") && metrics.text.contains("\nsparring_sandboxes 1\n"))
        }
    }

    /// Compares all tables after each row with what they were at first.
    private func unchanged<Row>(by rows: [Row], _ body: (TestServer, Row) async throws -> Void) async throws {
        try await TemporaryFolder.database { database in
            try await TestServer.run(.pipeline, database: database, tenants: acme) { server in
                let before = try Dump.tables(of: database)
                for row in rows {
                    try await body(server, row)
                    var after = try Dump.tables(of: database)
                    after["unplaced"] = before["unplaced"]  // that a call came which fits nowhere is kept
                    #expect(after == before, "\(row)")
                }
            }
        }
    }
}
