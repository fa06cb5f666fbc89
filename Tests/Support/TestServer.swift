import Foundation
public import HTTPTypes
public import SparringAdmin
import SparringClient
public import SparringEngine
import SparringHTTP
public import SparringJSON
import SparringJournal
import SparringSandbox
package import SparringTestKit
package import SparringVerdict

/// A whole Sparring inside the test process, on free ports, with a sandbox `default`.
public final class TestServer: Sendable {
    private let server: SparringServer
    public var engine: Engine { server.engine }
    public var scenarios: Scenarios { server.server.scenarios }
    package var behaviours: Behaviours { server.server.behaviours }
    public var addresses: Addresses { server.addresses }
    public func apply(_ configuration: ConfigurationFile) async throws -> [String] { try await server.server.apply(configuration) }
    package func onDrained(_ body: @escaping @Sendable () -> Void) { server.server.onDrained(body) }
    private let speed: Speed

    /// How calls reach the server: one text of a test runs at both speeds.
    public enum Speed: String, Sendable, CaseIterable, CustomStringConvertible {
        /// Straight into the pipeline.
        case pipeline
        /// Over a real socket.
        case socket
        public var description: String { rawValue }

        /// For what is decided behind the wire: `make matrix` plays it over a socket too. Tests about the wire have both, always.
        public static let usual: [Speed] = ProcessInfo.processInfo.environment["SPARRING_MATRIX"] == "1" ? allCases : [.pipeline]
    }

    /// Runs `body` against a new server and stops it afterwards, whatever happens.
    ///
    /// - Parameters:
    ///   - tls: opens a port for TLS too, and one for each TLS defect.
    ///   - cast: in place of the vendors that Sparring has.
    ///   - other: another server of the same test.
    ///   - configure: changes the options before the start.
    package static func run<Value>(
        _ speed: Speed = .socket, seed: Int64 = 1, database: String? = nil,
        clock: JSON? = ["mode": "frozen", "now": "2026-01-01T00:00:00Z"],
        tenants: JSON.Object = [:], vary: JSON? = nil, tls: Bool = false, cast: Cast? = nil, beside other: TestServer? = nil,
        configure: (inout Server.Options) -> Void = { _ in },
        _ body: (TestServer) async throws -> Value
    ) async throws -> Value {
        // Else each of many tests could wait for its second one.
        if other == nil { await permits.take() }
        defer { if other == nil { permits.give() } }
        let server = try await TestServer(
            speed, seed: seed, database: database, clock: clock, tenants: tenants, vary: vary, tls: tls, cast: cast, configure: configure)
        do {
            let value = try await body(server)
            try await server.engine.stop(grace: .milliseconds(100))
            return value
        } catch {
            try? await server.engine.stop(grace: .milliseconds(100))
            throw error
        }
    }

    /// All tests begin at once; so many servers as there are cores for make all of them end sooner, and none so late as to time out.
    private static let permits = Permits(8)

    private init(
        _ speed: Speed, seed: Int64, database: String?, clock: JSON?, tenants: JSON.Object, vary: JSON?, tls: Bool,
        cast: Cast?, configure: (inout Server.Options) -> Void
    ) async throws {
        self.speed = speed
        server = try await SparringServer(tls: tls, cast: cast) { options in
            options.scenarios = nil
            options.engine.database = database
            configure(&options)
        } prepare: { server in
            guard server.world.sandbox("default") == nil else { return }
            var request = World.SandboxRequest()
            request.name = "default"
            request.seed = seed
            request.clock = clock
            request.tenants = tenants
            request.vary = vary
            _ = try await server.world.create(request)
        }
    }

    /// Sends a request and returns the answer.
    ///
    /// - Throws: ``Disturbed`` where the connection was reset or closed instead.
    public func send(
        _ method: HTTPRequest.Method = .get, _ target: String, headers: HTTPFields = [:], body: [UInt8] = []
    ) async throws -> TestAnswer {
        switch speed {
        case .socket: try await overSocket(method, target, headers, body)
        case .pipeline: try await intoPipeline(method, target, headers, body)
        }
    }

    /// Sends a JSON body.
    public func send(_ method: HTTPRequest.Method, _ target: String, headers: HTTPFields = [:], json: JSON) async throws -> TestAnswer {
        var headers = headers
        headers[.contentType] = "application/json"
        return try await send(method, target, headers: headers, body: json.bytes)
    }

    /// Sends a form (application/x-www-form-urlencoded).
    public func send(_ target: String, headers: HTTPFields = [:], form: KeyValuePairs<String, String>) async throws -> TestAnswer {
        var headers = headers
        headers[.contentType] = "application/x-www-form-urlencoded"
        var allowed = CharacterSet.alphanumerics
        allowed.insert(charactersIn: "-._~")
        let body = form.map { name, value in
            [name, value].map { $0.addingPercentEncoding(withAllowedCharacters: allowed) ?? "" }.joined(separator: "=")
        }.joined(separator: "&")
        return try await send(.post, target, headers: headers, body: Array(body.utf8))
    }

    /// A call of the admin API about a sandbox, such as `admin(.post, "faults", ["fault": "…"])`.
    @discardableResult
    public func admin(_ method: HTTPRequest.Method, _ path: String, _ json: JSON? = nil, sandbox: String = "default") async throws -> JSON {
        let target = "/__admin/sandboxes/\(sandbox)" + (path.isEmpty ? "" : "/\(path)")
        let answer = if let json { try await send(method, target, json: json) } else { try await send(method, target) }
        guard answer.status < 300 else { throw UnexpectedAnswer(answer: answer) }
        return answer.json ?? .null
    }

    /// The sandbox's journal, oldest first.
    public func journal(_ query: String = "", sandbox: String = "default") async throws -> [JSON] {
        try await admin(.get, "journal" + query, sandbox: sandbox)["entries"]?.array ?? []
    }

    private func overSocket(_ method: HTTPRequest.Method, _ target: String, _ headers: HTTPFields, _ body: [UInt8]) async throws
        -> TestAnswer
    {
        do throws(CallFailure) {
            let request = HTTPClient.Request(method, addresses.baseURL + target, headers: headers, body: body)
            let answer = try await HTTPClient(limits: .init(whole: .seconds(600), body: 1 << 24)).send(request)
            return TestAnswer(status: answer.status, headers: answer.headers, body: answer.body)
        } catch {
            switch error.kind {
            case .closed: throw Disturbed.closed
            case .network(ECONNRESET): throw Disturbed.reset
            default: throw error
            }
        }
    }

    private func intoPipeline(_ method: HTTPRequest.Method, _ target: String, _ headers: HTTPFields, _ body: [UInt8]) async throws
        -> TestAnswer
    {
        var headers = headers
        if headers[.init("Host")!] == nil { headers[.init("Host")!] = "127.0.0.1:\(addresses.port)" }
        if !body.isEmpty { headers[.contentLength] = String(body.count) }
        let head = RequestHead(method: method, target: target, headers: headers, connection: 1, arrival: .now)
        switch await engine.answer(Request(head: head, body: body)) {
        case .disturbed(_, let transmission) where transmission.cut?.how == .reset: throw Disturbed.reset
        case .disturbed(_, let transmission) where transmission.cut.map { $0.at != .end } ?? false: throw Disturbed.closed
        case .answer(let response), .disturbed(let response, _), .formed(let response, _):
            guard case .bytes(let bytes) = response.body else { throw Disturbed.closed }
            return TestAnswer(status: response.status, headers: response.headers, body: bytes)
        case .reset: throw Disturbed.reset
        case .empty, .raw, .stall: throw Disturbed.closed
        case .upgrade: throw Disturbed.closed  // open(_:headers:) is for these
        }
    }

    /// Opens a WebSocket.
    ///
    /// - Throws: ``SocketRefused`` where the upgrade is answered otherwise.
    public func open(_ target: String, headers: [(String, String)] = []) async throws -> any TestSocket {
        switch speed {
        case .socket:
            do { return try await SocketClient(port: addresses.port, target: target, headers: headers) } catch let refused
                as SocketClient.Refused
            { throw SocketRefused(status: refused.answer.status, body: refused.answer.body) }
        case .pipeline: return try await openInPipeline(target, headers)
        }
    }

    private func openInPipeline(_ target: String, _ headers: [(String, String)]) async throws -> any TestSocket {
        var fields: HTTPFields = [
            HTTPField.Name("Host")!: "127.0.0.1:\(addresses.port)", HTTPField.Name("Upgrade")!: "websocket",
            HTTPField.Name("Connection")!: "Upgrade", HTTPField.Name("Sec-WebSocket-Version")!: "13",
            HTTPField.Name("Sec-WebSocket-Key")!: "dGhlIHNhbXBsZSBub25jZQ==",
        ]
        for (name, value) in headers { fields[HTTPField.Name(name)!] = value }
        let head = RequestHead(method: .get, target: target, headers: fields, connection: 1, arrival: .now)
        switch await engine.answer(Request(head: head, body: [])) {
        case .upgrade(let upgrade): return MemorySocket(upgrade)
        case .answer(let response), .formed(let response, _):
            guard case .bytes(let bytes) = response.body else { throw Disturbed.closed }
            throw SocketRefused(status: response.status, body: bytes)
        case .reset: throw Disturbed.reset
        case .empty, .disturbed, .raw, .stall: throw Disturbed.closed
        }
    }
}

/// A response as the client received it.
public struct TestAnswer: Sendable {
    public var status: Int
    public var headers: HTTPFields
    public var body: [UInt8]

    public init(status: Int, headers: HTTPFields, body: [UInt8]) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    public var text: String { String(decoding: body, as: UTF8.self) }
    public var json: JSON? { try? JSON(parsing: body) }
}

/// An upgrade was answered with something else than 101.
public struct SocketRefused: Error, Sendable {
    public var status: Int
    public var body: [UInt8]
}

/// The connection ended instead of an answer.
public enum Disturbed: Error, Sendable {
    case reset, closed
}

/// A call that should have succeeded did not.
public struct UnexpectedAnswer: Error, Sendable, CustomStringConvertible {
    public var answer: TestAnswer
    public init(answer: TestAnswer) { self.answer = answer }
    public var description: String { "\(answer.status) \(answer.text)" }
}
