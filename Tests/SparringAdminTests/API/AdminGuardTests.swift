import BirdSupport
import HTTPTypes
import SparringAdmin
import SparringEngine
import SparringJSON
import SparringSandbox
import Support
import Testing

/// The callers that the admin API accepts, and the places that they may call from.
@Suite struct AdminGuardTests {
    private static let read = "/__admin/scenarios"

    @Test(arguments: [
        ("localhost", true), ("LocalHost:1", true), ("127.0.0.1", true), ("[::1]:8080", true), ("anything.localhost:80", true),
        ("evil.example", false), ("127.0.0.1.evil.example", false), ("localhost.evil.example", false), ("evillocalhost", false),
        ("127.0.0.2", false), ("0.0.0.0", false), ("[::2]", false), ("localhost@evil.example", false), ("", false),
        ("localhost:evil.example", false), ("[localhost", false), ("[::1]evil.example", false), ("evil.example/.localhost", false),
    ])
    func `only this server's own names are answered: a name that merely resolves here is not one (DNS rebinding)`(
        _ host: String, _ isOwn: Bool
    )
        async throws
    {
        try await Aviary.run { server in
            let client = try RawClient(port: server.addresses.port)
            client.send("GET \(Self.read) HTTP/1.1\r\nHost: \(host)\r\n\r\n")
            let answer = try await client.answer()
            #expect(answer.status == (isOwn ? 200 : 403) || !isOwn && answer.status == 400, "\(answer.status) \(answer.text)")
            if !isOwn, answer.status == 403 { #expect(answer.text.contains("urn:sparring:problem:forbidden")) }
        }
    }

    /// A container platform's probe comes by an address, and has no token.
    @Test(arguments: ["/__admin/health", "/__admin/version"])
    func `health and version are open to every name and without the token, but not to pages of other origins`(_ target: String) async throws
    {
        try await Aviary.run(.pipeline, configure: { $0.adminToken = "secret" }) { server in
            #expect(try await server.send(.get, target, headers: [.init("Host")!: "10.1.2.3:8080"]).status == 200)
            let page = try await server.send(.get, target, headers: [.init("Host")!: "localhost:8080", .origin: "https://evil.example"])
            #expect(Problem(page).words == "403 forbidden")
        }
    }

    /// RFC 9112 §3.2.2.
    @Test(arguments: [
        ("localhost", "/__admin/scenarios", true), ("evil.example", "/__admin/scenarios", false),
        ("localhost", "http://evil.example/__admin/scenarios", false), ("evil.example", "http://localhost:9/__admin/scenarios", true),
        ("localhost", "http://localhost:evil/__admin/scenarios", false),
        ("localhost", "http://localhost@evil.example/__admin/scenarios", false),
    ])
    func `a target that names its host is judged by that one and not by the field`(_ host: String, _ target: String, _ isOwn: Bool)
        async throws
    {
        try await Aviary.run(.pipeline) { server in
            let answer = try await server.send(.get, target, headers: [.init("Host")!: host])
            #expect(answer.status == (isOwn ? 200 : 403), "\(answer.text)")
        }
    }

    @Test(arguments: [
        ("same-origin", true), ("none", true), ("cross-site", false), ("same-site", false), ("same-origin, none", false), ("", false),
    ])
    func `a page of another origin is refused where the browser says so without naming it`(_ site: String, _ isOwn: Bool) async throws {
        try await Aviary.run(.pipeline) { server in
            let headers: HTTPFields = [.init("Sec-Fetch-Site")!: site]
            let read = try await server.send(.get, Self.read, headers: headers)
            let write = try await server.send(.post, "/__admin/sandboxes", headers: headers, json: ["name": "x"])
            #expect(isOwn ? read.status == 200 : Problem(read).words == "403 forbidden", "\(read.text)")
            #expect(isOwn ? write.status == 201 : Problem(write).words == "403 forbidden", "\(write.text)")
            #expect(server.engine.world.sandboxes.count == (isOwn ? 2 : 1))
        }
    }

    /// Requests that a form or a script of another origin can send without the browser's question before it (Fetch standard, CORS).
    @Test(arguments: [nil, "text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", ""])
    func `a body that is not called JSON is refused, whatever it holds`(_ type: String?) async throws {
        try await Aviary.run(.pipeline) { server in
            func create(_ type: String?) async throws -> TestAnswer {
                let headers: HTTPFields = type.map { [.contentType: $0] } ?? [:]
                return try await server.send(.post, "/__admin/sandboxes", headers: headers, body: Array(#"{"name":"x"}"#.utf8))
            }
            let refused = try await create(type)
            #expect(Problem(refused).words == "400 request-malformed Content-Type", "\(refused.text)")
            #expect(server.engine.world.sandboxes.map(\.id) == ["default"])
            #expect(try await create("Application/JSON; charset=utf-8").status == 201)
            // Where there is no body, there is nothing to be called anything.
            #expect(try await server.send(.post, "/__admin/sandboxes").status == 201)
            #expect(try await server.send(.post, "/__admin/sandboxes/x/reset").status < 300)
        }
    }

    @Test(arguments: [
        ("http://localhost:8080", true), ("https://localhost:8080", true), ("http://localhost", false), ("http://localhost:8081", false),
        ("https://evil.example", false), ("null", false), ("", false), ("http://localhost:8080.evil.example", false),
        ("http://127.0.0.1:8080", false),
    ])
    func `a page of another origin is refused, reading and writing alike`(_ origin: String, _ isOwn: Bool) async throws {
        try await Aviary.run(.pipeline) { server in
            let headers: HTTPFields = [.init("Host")!: "localhost:8080", .origin: origin]
            let read = try await server.send(.get, Self.read, headers: headers)
            #expect(read.status == (isOwn ? 200 : 403))
            let write = try await server.send(.post, "/__admin/sandboxes", headers: headers, json: ["name": "x"])
            #expect(write.status == (isOwn ? 201 : 403))
            #expect(server.engine.world.sandboxes.count == (isOwn ? 2 : 1))
            for answer in [read, write] {
                #expect(answer.headers[.accessControlAllowOrigin] == nil && answer.headers[.accessControlAllowCredentials] == nil)
                if !isOwn { #expect(Problem(answer).words == "403 forbidden") }
            }
        }
    }

    @Test(arguments: [nil, "secret", "Bearer", "Bearer ", "Bearer Secret", "Bearer secret2", "Basic c2VjcmV0", "Bearer  secret"])
    func `where a token is set, nothing is shown or done without it`(_ authorization: String?) async throws {
        try await Aviary.run(.pipeline, configure: { $0.adminToken = "secret" }) { server in
            let headers: HTTPFields = authorization.map { [.authorization: $0] } ?? [:]
            for (method, target) in [
                (HTTPRequest.Method.get, Self.read), (.get, "/__admin/metrics"), (.get, "/__admin/unplaced"),
                (.delete, "/__admin/sandboxes/default"), (.get, "/__admin/sandboxes/nope"), (.post, "/__admin/sandboxes"),
            ] {
                let answer = try await server.send(method, target, headers: headers)
                #expect(Problem(answer).words == "401 unauthorized")
                #expect(answer.headers[.wwwAuthenticate]?.hasPrefix("Bearer") == true, "RFC 9110 §11.6.1: a 401 says what is required")
            }
            #expect(server.engine.world.sandboxes.map(\.id) == ["default"])
            let good: HTTPFields = [.authorization: "Bearer secret"]
            #expect(try await server.send(.get, Self.read, headers: good).status == 200)
            #expect(
                try await server.send(.get, Self.read, headers: [.authorization: "Bearer secret", .origin: "https://evil.example"])
                    .status == 403)
            // The vendors need no token of ours.
            #expect(try await server.send(.get, birdTarget("nope")).status == 404)
        }
    }

    @Test(arguments: [
        "/__admin/sandboxes", "/%5F%5Fadmin/sandboxes", "/__%61dmin/sandboxes", "http://localhost:8080/__admin/sandboxes",
    ])
    func `a browser's question before a call gets no leave for the admin API, however its path is written`(_ target: String) async throws {
        try await Aviary.run(.pipeline) { server in
            let headers: HTTPFields = [
                .init("Host")!: "localhost:8080", .origin: "https://evil.example", .accessControlRequestMethod: "POST",
                .accessControlRequestHeaders: "content-type",
            ]
            for method in [HTTPRequest.Method.options, .put] {
                let answer = try await server.send(method, target, headers: headers)
                #expect(answer.status == 405 && answer.headers[.allow] == "GET, HEAD, POST")
                #expect(answer.headers.filter { $0.name.canonicalName.hasPrefix("access-control") }.isEmpty)
            }
            let posted = try await server.send(.post, target, headers: headers, json: ["name": "x"])
            #expect(posted.status == 403)
            #expect(server.engine.world.sandboxes.count == 1)
        }
    }
}
