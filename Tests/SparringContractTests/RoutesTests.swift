import HTTPTypes
import SparringJSON
import Testing

@testable import SparringContract

struct RoutesTests {
    static let operations = [
        "GET /", "GET /api/{x}", "GET /api/list", "GET /api/{x}.json", "GET /api/{x}/", "POST /api/list", "GET /{y}/list/end",
        "GET /api/{x}/end", "GET /auth?v=1", "GET /auth?v=2&beta=yes", "GET /auth", "GET /auth?v=2", "HEAD /api/head", "GET /api/head",
        "PUT /a%2Fb/c", "DELETE /login?v=2",
    ]

    @Test(
        arguments: [
            ("GET", "/", "a []"), ("GET", "/?x=1", "a []"),
            ("GET", "/api/list", "c []"), ("GET", "/api/lost", "b [x=lost]"), ("GET", "/api/l%69st", "c []"),
            ("GET", "/api/a.json", "d [x=a]"), ("GET", "/api/.json", "b [x=.json]"), ("GET", "/api/a.json/", "e [x=a.json]"),
            ("GET", "/api/", "not found"), ("GET", "/api//", "not found"), ("GET", "/api", "not found"), ("GET", "//api/list", "not found"),
            ("POST", "/api/list", "f []"), ("POST", "/api/lost", "wrong method GET HEAD"),
            ("PUT", "/api/list", "wrong method GET HEAD POST"),
            ("GET", "/api/list/end", "h [x=list]"), ("GET", "/app/list/end", "g [y=app]"),
            ("GET", "/api/a%2Fb", "b [x=a/b]"), ("GET", "/api/%C3%BC%20%25", "b [x=ü %]"), ("GET", "/api/a+b", "b [x=a+b]"),
            ("GET", "/auth", "k []"), ("GET", "/auth?v=1", "i []"), ("GET", "/auth?v=%31&x", "i []"), ("GET", "/auth?v=2", "l []"),
            ("GET", "/auth?beta=yes&v=2", "j []"), ("GET", "/auth?v=3", "k []"), ("GET", "/auth?V=1", "k []"),
            ("GET", "/auth?v=3&v=1", "k []"),
            ("HEAD", "/api/list", "c []"), ("HEAD", "/api/head", "m []"), ("GET", "/api/head", "n []"), ("HEAD", "/login", "not found"),
            ("PUT", "/a%2fb/c", "o []"), ("PUT", "/a/b/c", "not found"),
            ("OPTIONS", "/api/list", "wrong method GET HEAD POST"), ("OPTIONS", "*", "not found"),
            ("DELETE", "/login?v=2", "p []"), ("DELETE", "/login", "not found"), ("GET", "/login?v=2", "wrong method DELETE"),
            ("GET", "http://any.example/api/list?x", "c []"), ("GET", "https://any.example:80", "a []"),
            ("GET", "http://any.example?x", "a []"),
            ("GET", "api/list", "malformed: 'api/list' begins with neither '/' nor a scheme"),
            ("GET", "?://a/api/list", "malformed: '?://a/api/list' begins with neither '/' nor a scheme"),
            ("GET", "", "malformed: '' begins with neither '/' nor a scheme"),
            ("GET", "/api/%", "malformed: the path has a bad percent-encoding"),
            ("GET", "/api/%4", "malformed: the path has a bad percent-encoding"),
            ("GET", "/api/%zz", "malformed: the path has a bad percent-encoding"),
            ("GET", "/api/%00", "malformed: the path has an encoded NUL"),
            ("GET", "/api/%FF", "malformed: the path is not UTF-8"),
            ("GET", "/api/a b", "malformed: the path has a space or control character"),
            ("GET", "/api/list#top", "malformed: the target has a fragment"), ("GET", "/auth?v=%zz", "k []"),
        ] as [(String, String, String)])
    func `The most literal path wins, then the most query constants`(method: String, target: String, expected: String) throws {
        let routes = try Routes([try Sample.contract(vendor: "v", Self.operations)])
        #expect(describe(routes.match(method: try #require(HTTPRequest.Method(method)), target: target, host: nil)) == expected)
    }

    @Test func `The order of contracts and operations does not matter`() throws {
        let forward = try Routes([try Sample.contract(vendor: "v", ["GET /{x}", "GET /a", "GET /{x}.b", "GET /a{x}.b"])])
        let backward = try Routes([try Sample.contract(vendor: "v", ["GET /a{x}.b", "GET /{x}.b", "GET /a", "GET /{x}"])])
        for (target, f, b) in [
            ("/a", "b []", "c []"), ("/c", "a [x=c]", "d [x=c]"), ("/c.b", "c [x=c]", "b [x=c]"), ("/ac.b", "d [x=c]", "a [x=c]"),
        ] {
            #expect(describe(forward.match(method: .get, target: target, host: nil)) == f)
            #expect(describe(backward.match(method: .get, target: target, host: nil)) == b)
        }
    }

    @Test func `The methods of a target are listed`() throws {
        let routes = try Routes([try Sample.contract(vendor: "v", Self.operations)])
        #expect(allowed("/api/list", by: routes, host: nil) == [.get, .head, .post])
        #expect(allowed("/login?v=2", by: routes, host: nil) == [.delete])
        #expect(allowed("/login", by: routes, host: nil) == [])
        #expect(allowed("/api/%", by: routes, host: nil) == [])
    }

    @Test(
        arguments: [
            ("/accont/1/login", "a"), ("/account/1/login", "a"), ("/account/1/logni?v=1", "a"), ("/account/1/files/a.jsn", "b a"),
            ("/v2/account/1/files/a.json", "b"), ("/other/api/account/1/login?v=1", "a"), ("/something/quite/different", ""),
        ] as [(String, String)])
    func `What was meant by an unknown target is guessed`(target: String, expected: String) throws {
        let routes = try Routes([
            try Sample.contract(vendor: "v", ["GET /account/{id}/login?v=1", "GET /account/{id}/files/{name}.json", "GET /healthy"])
        ])
        guard case .notFound(let nearest) = routes.match(method: .get, target: target, host: nil) else {
            Issue.record("found")
            return
        }
        #expect(nearest.map(\.id).joined(separator: " ") == expected)
    }

    @Test(arguments: [("/", "a/", 8000), ("/account/1/log", "/x", 3), ("/", "x", 16_000), ("/account/1/", "login", 3000)])
    func `A path of many or long segments is not searched for what was meant`(beginning: String, repeated: String, count: Int) throws {
        let target = beginning + String(repeating: repeated, count: count)
        let routes = try Routes([
            try Sample.contract(vendor: "v", ["GET /account/{id}/login?v=1", "GET /account/{id}/files/{name}.json", "GET /healthy"])
        ])
        var distances = EditDistance()
        #expect(try routes.nearest(to: Routes.Call(target, host: nil), .get, &distances).isEmpty)
        #expect(distances.cells < 1000)
    }

    @Test func `What a search for what was meant costs has an end`() throws {
        let paths = (0..<20).map { path in "GET /" + (0..<8).map { "segment\($0)of\(path)" }.joined(separator: "/") }
        let routes = try Routes([try Sample.contract(vendor: "v", paths)])
        let target = "/" + (0..<8).map { "sigment\($0)fo7" }.joined(separator: "/")
        var distances = EditDistance()
        _ = try routes.nearest(to: Routes.Call(target, host: nil), .get, &distances)
        #expect(distances.cells <= 300_000 + 33 * EditDistance.longest)
    }

    @Test(
        arguments: [
            ("GET /a/{x}", "GET /a/{y}"), ("GET /a", "GET /a"), ("GET /a?v=1", "GET /a?v=1"), ("GET /a?v=1", "GET /a?w=1"),
            ("GET /a{x}", "GET /{x}a"),
            ("GET /%61", "GET /a"),
        ] as [(String, String)])
    func `Operations that fit the same calls are refused`(first: String, second: String) throws {
        let contract = try Sample.contract(vendor: "v", [first, second])
        let error = #expect(throws: ContractError.self) { try Routes([contract]) }
        #expect(
            error?.description.contains("contracts/v.openapi.yaml:16: v.b and v.a (contracts/v.openapi.yaml:7) fit the same calls") == true)
    }

    @Test(
        arguments: [
            ("GET /a/{x}", "POST /a/{y}"), ("GET /a/{x}", "GET /a/b"), ("GET /a?v=1", "GET /a?v=2"), ("GET /a?v=1", "GET /a"),
            ("GET /a{x}", "GET /b{x}"),
            ("GET /{x}.a", "GET /{x}.b"), ("GET /a", "GET /a/"),
        ] as [(String, String)])
    func `Operations that something distinguishes are not`(first: String, second: String) throws {
        _ = try Routes([try Sample.contract(vendor: "v", [first, second])])
    }

    @Test(
        arguments: [
            ("one.example", "one.a []"), ("ONE.example:8080", "one.a []"), ("eu.two.example", "two.a []"), ("two.example", "not found"),
            ("localhost", "not found"), (nil, "not found"),
        ] as [(String?, String)])
    func `The host tells two vendors with the same path apart`(host: String?, expected: String) throws {
        let routes = try Routes([
            try Sample.contract(vendor: "one", server: "https://one.example", ["GET /token"]),
            try Sample.contract(vendor: "two", server: "https://{region}.two.example/", ["GET /token"]),
        ])
        #expect(describe(routes.match(method: .get, target: "/token", host: host), qualified: true) == expected)
        guard let host else { return }
        #expect(describe(routes.match(method: .get, target: "http://\(host)/token", host: "other"), qualified: true) == expected)
    }

    @Test(arguments: [("https://same.example", "https://same.example:1"), (nil, "https://a.example"), ("/", "https://a.example")])
    func `Two vendors with the same path need different hosts`(one: String?, two: String) throws {
        let contracts = [
            try Sample.contract(vendor: "one", server: one, ["GET /token"]),
            try Sample.contract(vendor: "two", server: two, ["GET /token"]),
        ]
        #expect(throws: ContractError.self) { try Routes(contracts) }
    }

    @Test(
        arguments: [
            (nil, "shared one.a, two.a"), ("two.example", "shared one.a, two.a of the host"), ("other.example", "shared one.a, two.a"),
        ] as [(String?, String)])
    func `Of two vendors with the same path the tenant decides, where both name one`(host: String?, expected: String) throws {
        let tenant = "$request.query.brand"
        for contracts in [
            [
                try Sample.contract(vendor: "one", tenant: tenant, ["GET /token", "GET /{x}"]),
                try Sample.contract(vendor: "two", server: "https://two.example", tenant: tenant, ["GET /token"]),
            ],
            [
                try Sample.contract(vendor: "one", server: "https://one.example", tenant: tenant, ["GET /token", "GET /{x}"]),
                try Sample.contract(vendor: "two", server: "https://two.example", tenant: tenant, ["GET /token"]),
            ],
        ] {
            let routes = try Routes(contracts)
            #expect(describe(routes.match(method: .get, target: "/token?brand=b", host: host), qualified: true) == expected)
            #expect(describe(routes.match(method: .head, target: "/token?brand=b", host: host), qualified: true) == expected)
            #expect(describe(routes.match(method: .get, target: "/other", host: host), qualified: true) == "one.b [x=other]")
            #expect(allowed("/token", by: routes, host: host) == [.get, .head])
        }
    }

    @Test func `Where only one of two vendors names a tenant, the tenant cannot decide`() throws {
        let contracts = [
            try Sample.contract(vendor: "one", tenant: "$request.query.brand", ["GET /token"]),
            try Sample.contract(vendor: "two", ["GET /token"]),
        ]
        #expect(throws: ContractError.self) { try Routes(contracts) }
    }

    @Test func `A vendor has one contract`() throws {
        let contract = try Sample.contract(vendor: "v", ["GET /a"])
        let error = #expect(throws: ContractError.self) { try Routes([contract, contract]) }
        #expect(error?.message == "vendor 'v' already has the contract contracts/v.openapi.yaml")
    }

    @Test(
        arguments: [
            ("a=1&b=2", "a=1|b=2"), ("a=1+2%20%2B", "a=1 2 +"), ("a", "a="), ("a=&=b&&c==", "a=|=b|c=="), ("", ""),
            ("a=%&b=%4&c=%zz", "a=%|b=%4|c=%zz"),
            ("%C3%BC=%ff", "ü=\u{FFFD}"), ("a=1&a=2", "a=1|a=2"),
        ] as [(String, String)])
    func `A query is decoded as a form`(raw: String, expected: String) {
        #expect(PercentCoding.fields(raw[...]).map { "\($0.name)=\($0.value)" }.joined(separator: "|") == expected)
    }

    private func describe(_ match: Routes.Match, qualified: Bool = false) -> String {
        switch match {
        case .found(let operation, let parameters):
            "\(qualified ? operation.qualifiedName : operation.id) [\(parameters.byName.map { "\($0)=\($1)" }.sorted().joined(separator: " "))]"
        case .shared(let candidates):
            "shared " + candidates.map { "\($0.operation.qualifiedName)\($0.isOfHost ? " of the host" : "")" }.joined(separator: ", ")
        case .wrongMethod(let allowed, _, _): "wrong method \(allowed.map(\.rawValue).joined(separator: " "))"
        case .malformedTarget(let reason): "malformed: \(reason)"
        case .notFound: "not found"
        }
    }

    /// The methods that a target takes.
    private func allowed(_ target: String, by routes: Routes, host: String?) -> [HTTPRequest.Method] {
        guard case .wrongMethod(let allowed, _, _) = routes.match(method: .trace, target: target, host: host) else { return [] }
        return allowed
    }
}
