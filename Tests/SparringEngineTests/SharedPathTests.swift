import HTTPTypes
import SparringEngine
import SparringJSON
import Support
import Testing

/// Two vendors with one path, and what stands at `/`.
@Suite struct SharedPathTests {
    struct Row: Sendable, CustomTestStringConvertible {
        var body: JSON
        var headers: [(String, String)] = []
        /// The operation that takes the call, or what the refusal says.
        var expected: String
        var tenant: String?
        var testDescription: String { expected }
    }

    static let rows = [
        Row(body: ["flock": "macaws", "bird": "polly"], expected: "parrot.issueTicket"),
        Row(body: ["hoard": "shinies"], expected: "magpie.stealTicket"),
        // The head decides, whatever the body names.
        Row(body: ["flock": "macaws", "bird": "polly"], headers: [("X-Nest", "shinies")], expected: "magpie.stealTicket"),
        // A head that names nobody's tenant does not.
        Row(body: ["flock": "macaws", "bird": "polly"], headers: [("X-Nest", "acorns")], expected: "parrot.issueTicket"),
        // The earlier of each vendor's sources.
        Row(body: ["flock": "macaws", "bird": "polly", "hoard": "shinies"], expected: "parrot.issueTicket"),
        Row(body: ["bird": "polly"], headers: [("X-Nest", "shinies"), ("X-Flock", "macaws")], expected: "magpie.stealTicket"),
        // The host before that.
        Row(
            body: ["flock": "macaws", "bird": "polly", "hoard": "shinies"], headers: [("Host", "magpie.example")],
            expected: "magpie.stealTicket"),
        Row(
            body: ["flock": "macaws", "bird": "polly", "hoard": "shinies"],
            expected:
                "the call fits magpie.stealTicket and parrot.issueTicket, and both know its tenant: call one of them by a host of its own",
            tenant: "$request.body#/hoard"),
        Row(
            body: ["flock": "gulls", "hoard": "shells"],
            expected: "no sandbox has the magpie hoard 'shells'; no sandbox has the parrot flock 'gulls'"),
        Row(body: ["hoard": "shells"], headers: [("Host", "magpie.example")], expected: "no sandbox has the magpie hoard 'shells'"),
    ]

    @Test(arguments: rows) func `the tenant decides whose call it is`(_ row: Row) async throws {
        let contract = row.tenant.map { Magpie.contract(tenant: $0) } ?? Magpie.contract()
        try await ParrotServer.run(magpie: contract) { server in
            let answer = try await server.send(.post, "/parrot/tickets", row.body, row.headers)
            let entry = try await server.journal().first
            if let operation = entry?["operation"]?.string {
                #expect(operation == row.expected && answer.status == 200)
            } else {
                #expect(answer.json?["detail"]?.string == row.expected && answer.status == 404, "\(answer.text)")
            }
        }
    }

    @Test func `a fault of an early phase strikes whose the head already tells it is`() async throws {
        try await ParrotServer.run(magpie: Magpie.contract()) { server in
            try await server.arm("magpie.stealTicket STALL phase=onRequestStart times=1")
            #expect(try await server.send(.post, "/parrot/tickets", ["flock": "macaws", "bird": "polly"]).status == 200)
            let client = try RawClient(port: server.port)
            client.send("POST /parrot/tickets HTTP/1.1\r\nHost: a\r\nX-Nest: shinies\r\nContent-Length: 2\r\n\r\n")
            for _ in 0..<2000 {
                if try await server.send(.get, "/__admin/sandboxes/default/faults").json?["faults"]?.array?.first?["hits"] == 1 { return }
                await Task.yield()
            }
            Issue.record("the fault did not strike")
        }
    }

    @Test(
        arguments: [
            ([], 200), ([("Host", "evil.example")], 403), ([("Sec-Fetch-Site", "cross-site")], 403),
            ([("Origin", "http://evil.example")], 403),
        ] as [([(String, String)], Int)])
    func `without an upgrade a page stands at the path of a socket`(_ headers: [(String, String)], _ status: Int) async throws {
        try await ParrotServer.run { server in
            let answer = try await server.send(.get, "/", nil, headers)
            #expect(answer.status == status)
            if status == 200 {
                #expect(answer.text.contains("default") && answer.text.contains("parrot macaws") && answer.text.contains("sparring verify"))
                #expect(answer.headers[.contentType] == "text/plain; charset=utf-8")
            } else {
                #expect(!answer.text.contains("macaws"))
            }
        }
    }
}
