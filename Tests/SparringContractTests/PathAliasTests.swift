import HTTPTypes
import SparringJSON
import Testing

@testable import SparringContract

/// A vendor that serves the same calls below several bases (`x-aliases`).
struct PathAliasTests {
    private static let operations = ["GET /v2/{x}", "GET /v2/list", "POST /v2/list", "GET /other", "GET /v2/account/login?v=2"]

    private static func contract(_ operations: [String] = Self.operations) throws -> Contract {
        try Sample.contract(vendor: "v", aliases: "{ /v2/: [/sdk/v2/, /sc/sdk/v2/] }", operations)
    }

    @Test(
        arguments: [
            ("GET", "/v2/7", "a x=7"), ("GET", "/sdk/v2/7", "a x=7"), ("GET", "/sc/sdk/v2/7", "a x=7"), ("GET", "/sdk/v2/list", "b"),
            ("HEAD", "/sdk/v2/list", "b"), ("POST", "/sc/sdk/v2/list", "c"), ("GET", "/sdk/v2/account/login?v=2", "e"),
            ("GET", "/sdk/v2/account/login", "not found"), ("GET", "/other", "d"), ("GET", "/sdk/other", "not found"),
            ("GET", "/sdk/v2/", "not found"), ("GET", "/sdk/sdk/v2/7", "not found"), ("PUT", "/sdk/v2/list", "not PUT but GET HEAD POST"),
        ] as [(String, String, String)])
    func `An alias leads to the operation of its path`(method: String, target: String, expected: String) throws {
        let routes = try Routes([try Self.contract()])
        let match = routes.match(method: try #require(HTTPRequest.Method(method)), target: target, host: nil)
        let found =
            switch match {
            case .found(let operation, let parameters): ([operation.id] + parameters.byName.map { "\($0)=\($1)" }).joined(separator: " ")
            case .wrongMethod(let allowed, _, _): "not \(method) but \(allowed.map(\.rawValue).joined(separator: " "))"
            case .shared, .malformedTarget, .notFound: "not found"
            }
        #expect(found == expected)
    }

    @Test func `An operation knows its paths`() throws {
        let contract = try Self.contract()
        #expect(contract.operation("b")?.pathTemplate == "/v2/list")
        #expect(contract.operation("b")?.aliasPaths == ["/sdk/v2/list", "/sc/sdk/v2/list"])
        #expect(contract.operation("d")?.aliasPaths == [])
        // Sparring's own links lead to the path itself.
        #expect(contract.operation("a")?.path(["x": "7"]) == "/v2/7")
    }

    @Test(
        arguments: [
            ("PUT", "/sdk/v2/list", "needs the method GET"), ("GET", "/sdk/v2/list/", "has a slash at the end"),
            ("PUT", "/v2/list", "needs the method GET"), ("GET", "/sdk/v3/list", nil), ("GET", "/sdk/v2/list", nil),
        ] as [(String, String, String?)])
    func `What keeps a call from an operation is said of an alias too`(method: String, target: String, expected: String?) throws {
        let contract = try Self.contract()
        let (routes, operation) = (try Routes([contract]), try #require(contract.operation("b")))
        let method = try #require(HTTPRequest.Method(method))
        #expect(routes.difference(from: operation, method: method, target: target) == expected)
    }

    @Test func `An overlay that makes a call fit does not move the path for an alias`() throws {
        let contract = try Self.contract()
        let (routes, operation) = (try Routes([contract]), try #require(contract.operation("b")))
        let actions = routes.actions(making: operation, fit: .put, target: "/sdk/v2/list")
        #expect(!actions.isEmpty && actions == routes.actions(making: operation, fit: .put, target: "/v2/list"))
    }

    @Test func `An operation that may have been meant is named once, whatever its aliases`() throws {
        let routes = try Routes([try Self.contract(["GET /v2/account/login", "GET /v2/account/logout"])])
        guard case .notFound(let nearest) = routes.match(method: .get, target: "/sdk/v2/account/logni", host: nil) else {
            Issue.record("found")
            return
        }
        #expect(nearest.map(\.id) == ["a", "b"])
    }

    @Test func `An alias that fits another operation's calls is refused`() throws {
        let contract = try Self.contract(["GET /v2/{x}", "GET /sdk/v2/{y}"])
        let error = #expect(throws: ContractError.self) { try Routes([contract]) }
        #expect(error?.message.hasPrefix("v.b and v.a (contracts/v.openapi.yaml:") == true, "\(error?.message ?? "")")
        #expect(error?.message.hasSuffix("fit the same calls: GET /sdk/v2/{y} and /sdk/v2/{x}") == true, "\(error?.message ?? "")")
    }
}
