import BirdSupport
import HTTPTypes
import SparringEngine
import SparringJSON
import SparringSandbox
import Support
import Testing

/// Two vendors with one path, and what stands at `/`.
@Suite struct SharedPathTests {
    struct Row: Sendable, CustomTestStringConvertible {
        var body: JSON
        var headers: HTTPFields = [:]
        /// The operation that takes the call, or what the refusal says.
        var expected: String
        var tenant: String?
        var testDescription: String { expected }
    }

    static let rows = [
        Row(body: ["flock": "macaws", "bird": "polly"], expected: "parrot.issueTicket"),
        Row(body: ["hoard": "shinies"], expected: "magpie.stealTicket"),
        // The head decides, whatever the body names.
        Row(body: ["flock": "macaws", "bird": "polly"], headers: [.init("X-Nest")!: "shinies"], expected: "magpie.stealTicket"),
        // A head that names nobody's tenant does not.
        Row(body: ["flock": "macaws", "bird": "polly"], headers: [.init("X-Nest")!: "acorns"], expected: "parrot.issueTicket"),
        // The earlier of each vendor's sources.
        Row(body: ["flock": "macaws", "bird": "polly", "hoard": "shinies"], expected: "parrot.issueTicket"),
        Row(body: ["bird": "polly"], headers: [.init("X-Nest")!: "shinies", .init("X-Flock")!: "macaws"], expected: "magpie.stealTicket"),
        // The host before that.
        Row(
            body: ["flock": "macaws", "bird": "polly", "hoard": "shinies"], headers: [.init("Host")!: "magpie.example"],
            expected: "magpie.stealTicket"),
        Row(
            body: ["flock": "macaws", "bird": "polly", "hoard": "shinies"],
            expected:
                "the call matches magpie.stealTicket and parrot.issueTicket, and both know its tenant: use a host that only one of them has",
            tenant: "$request.body#/hoard"),
        Row(
            body: ["flock": "gulls", "hoard": "shells"],
            expected: "no sandbox has the magpie hoard 'shells'; no sandbox has the parrot flock 'gulls'"),
        Row(body: ["hoard": "shells"], headers: [.init("Host")!: "magpie.example"], expected: "no sandbox has the magpie hoard 'shells'"),
    ]

    @Test(arguments: rows) func `the tenant decides whose call it is`(_ row: Row) async throws {
        var contracts = Aviary.Contracts()
        if let tenant = row.tenant { contracts.magpie = Magpie.contract(tenant: tenant) }
        try await Aviary.run(.pipeline, contracts: row.tenant == nil ? nil : contracts) { server in
            let answer = try await server.send(.post, "/parrot/tickets", headers: row.headers, json: row.body)
            let entry = try await server.journal().first
            if let operation = entry?["operation"]?.string {
                #expect(operation == row.expected && answer.status == 200)
            } else {
                #expect(answer.json?["detail"]?.string == row.expected && answer.status == 404, "\(answer.text)")
            }
        }
    }

    @Test func `a fault of an early phase strikes whose the head already tells it is`() async throws {
        try await Aviary.run { server in
            try await server.arm("magpie.stealTicket STALL phase=onRequestStart times=1")
            #expect(try await server.issueTicket("polly").status == 200)
            let client = try RawClient(port: server.addresses.port)
            client.send("POST /parrot/tickets HTTP/1.1\r\nHost: a\r\nX-Nest: shinies\r\nContent-Length: 2\r\n\r\n")
            try await until { try await server.admin(.get, "faults/1")["hits"] == 1 }
        }
    }

    @Test(
        arguments: [
            ([:], 200), ([.init("Host")!: "evil.example"], 403), ([.init("Sec-Fetch-Site")!: "cross-site"], 403),
            ([.init("Origin")!: "http://evil.example"], 403),
        ] as [(HTTPFields, Int)])
    func `without an upgrade a page stands at the path of a socket`(_ headers: HTTPFields, _ status: Int) async throws {
        try await Aviary.run(.pipeline) { server in
            let answer = try await server.send(.get, "/", headers: headers)
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
