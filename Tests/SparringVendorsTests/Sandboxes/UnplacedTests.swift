import HTTPTypes
import SparringEngine
import SparringJSON
import SparringSandbox
import Support
import Testing

/// Calls that match no operation or no sandbox: answered clearly, and kept for anyone who wonders where they went.
@Suite struct UnplacedTests {
    struct Row: Sendable, CustomTestStringConvertible {
        var method: HTTPRequest.Method = .get
        var target: String
        var status: Int
        var reason: String
        var nearest: [String] = []
        var testDescription: String { "\(method) \(target)" }
    }

    static let rows = [
        Row(
            target: "/api/account/acme/service/idp/baseURL.json", status: 404,
            reason: "no operation matches GET /api/account/acme/service/idp/baseURL.json",
            nearest: ["liveperson.lookUpService: GET /api/account/{accountId}/service/{serviceName}/baseURI.json"]),
        Row(method: .post, target: "/", status: 405, reason: "/ does not allow POST"),
        Row(target: "/nowhere/at/all/that/is/long", status: 404, reason: "no operation matches GET /nowhere/at/all/that/is/long"),
        Row(
            method: .post, target: "/api/account/acme/app/default/authenticate?v=4.0", status: 404,
            reason: "no operation matches POST /api/account/acme/app/default/authenticate"),
        Row(
            target: "/__admin/sandbox", status: 404, reason: "no operation matches GET /__admin/sandbox",
            nearest: ["admin.listSandboxes: GET /__admin/sandboxes"]),
        Row(
            method: .delete, target: lookUpTarget(), status: 405,
            reason: "/api/account/acme/service/idp/baseURI.json does not allow DELETE"),
        Row(
            target: "/api/account/acme/authenticate", status: 405, reason: "/api/account/acme/authenticate does not allow GET"
        ),
        Row(target: lookUpTarget("acne"), status: 404, reason: "no sandbox has the liveperson accountId 'acne'", nearest: ["acme"]),
        Row(target: "/identity/brnad/jwks.json", status: 404, reason: "no sandbox has the identity tenantId 'brnad'", nearest: ["brand"]),
    ]

    /// At the pipeline only: an HTTP client would mend these targets before sending them.
    static let unsound = [
        Row(target: "/api/%zz", status: 400, reason: "malformed request target: the path has a bad percent-encoding"),
        Row(target: "/api/account/%00/authenticate", status: 400, reason: "malformed request target: the path has an encoded NUL"),
        Row(target: "/api/account/%ff/authenticate", status: 400, reason: "malformed request target: the path is not UTF-8"),
    ]

    @Test(arguments: TestServer.Speed.allCases.flatMap { speed in rows.map { ($0, speed) } } + unsound.map { ($0, .pipeline) })
    func `a call that fits nowhere is answered and kept with the reason and the nearest names`(_ row: Row, _ speed: TestServer.Speed)
        async throws
    {
        try await TestServer.run(speed, tenants: acme) { server in
            let answer = try await server.send(row.method, row.target)
            #expect(answer.status == row.status)
            let kept = try await server.send(.get, "/__admin/unplaced").json?["entries"]?.array ?? []
            let entry = try #require(kept.first)
            #expect(kept.count == 1 && entry["number"] == 1)
            #expect(entry["method"] == .string(row.method.rawValue) && entry["target"] == .string(row.target))
            #expect(entry["reason"] == .string(row.reason))
            let nearest = entry["nearest"]?.array?.compactMap(\.string) ?? []
            #expect(row.nearest.allSatisfy { nearest.prefix($0.hasPrefix("liveperson.") ? 3 : 1).contains($0) }, "\(nearest)")
            #expect(nearest.count <= 3)
            #expect(entry["host"]?.string?.hasPrefix("127.0.0.1:") == true)
            #expect(try await server.journal("?kind=exchange").isEmpty)
            guard !row.reason.hasPrefix("no sandbox has") else { return }
            #expect(answer.headers[.contentType] == "application/problem+json")
            #expect(answer.json?["detail"] == .string(row.reason) && answer.json?["nearest"]?.array?.compactMap(\.string) ?? [] == nearest)
        }
    }

    @Test(arguments: TestServer.Speed.allCases)
    func `an unknown account is refused in the vendor's own shape`(_ speed: TestServer.Speed) async throws {
        try await TestServer.run(speed, tenants: acme) { server in
            let lookUp = try await server.lookUp(account: "acne")
            #expect(lookUp.status == 404 && lookUp.json == ["error": "mock-account-unknown"])
            let signIn = try await server.send(.post, "/api/account/acne/authenticate", json: ["authCode": "x"])
            #expect(signIn.status == 500 && signIn.json == ["internalErrorCode": "mock-account-unknown"])
            let keys = try await server.send(.get, "/identity/nobody/jwks.json")
            #expect(keys.status == 404 && keys.json?["error"] != nil)
            #expect(
                try await server.send(.get, "/__admin/unplaced?limit=2").json?["entries"]?.array?.compactMap { $0["number"]?.integer } == [
                    2, 3,
                ])
        }
    }

    @Test func `a wrong method is answered with the right ones`() async throws {
        try await TestServer.run(.pipeline, tenants: acme) { server in
            for (method, target, allow) in [
                (HTTPRequest.Method.delete, lookUpTarget(), "OPTIONS, GET, HEAD"),
                (.get, "/api/account/acme/authenticate", "OPTIONS, POST"),
                (.put, "/identity/brand/authorize", "OPTIONS, GET, HEAD, POST"), (.patch, "/__admin/sandboxes", "GET, HEAD, POST"),
                (.options, "/__admin/sandboxes", "GET, HEAD, POST"),
            ] {
                let answer = try await server.send(method, target)
                #expect(answer.status == 405 && answer.headers[.allow] == allow, "\(method) \(target)")
            }
            #expect(try await server.send(.head, lookUpTarget()).status == 200)
        }
    }

    @Test func `the last thousand are kept, newest last, until they are cleared`() async throws {
        try await TestServer.run(.pipeline, tenants: acme) { server in
            for number in 1...1010 { _ = try await server.send(.get, "/nowhere/\(number)") }
            let kept = try await server.send(.get, "/__admin/unplaced?limit=5000").json?["entries"]?.array ?? []
            #expect(kept.count == 1000 && kept.first?["number"] == 11 && kept.last?["target"] == "/nowhere/1010")
            #expect(try await server.send(.get, "/__admin/unplaced").json?["entries"]?.array?.count == 100)
            #expect(try await server.send(.delete, "/__admin/unplaced").status == 204)
            #expect(try await server.send(.get, "/__admin/unplaced").json == ["entries": []])
            _ = try await server.send(.get, "/nowhere")
            #expect(try await server.send(.get, "/__admin/unplaced").json?["entries"]?.array?.first?["number"] == 1011)
        }
    }

    @Test(arguments: [
        "GET /x\r\n\r\n", "GET / HTTP/9.9\r\nHost: localhost\r\n\r\n",
        "GET /x HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", "GET /x HTTP/1.1\r\n\r\n",
    ])
    func `what is no sound HTTP is refused, and the server goes on`(_ text: String) async throws {
        try await TestServer.run(tenants: acme) { server in
            let client = try RawClient(port: server.addresses.port)
            client.send(text)
            client.finishSending()
            let (bytes, end) = await client.read()
            #expect(end == .closed || end == .reset)
            #expect(
                String(decoding: bytes.prefix(12), as: UTF8.self).contains(/HTTP\/1\.[01] [45]/),
                "\(String(decoding: bytes.prefix(40), as: UTF8.self))")
            #expect(try await server.lookUp().status == 200)
            #expect(try await server.journal().count == 1)
        }
    }
}
