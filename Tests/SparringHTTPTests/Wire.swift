import Foundation
import SparringHTTP
import Support

/// Whether a test's bytes go plain or within TLS. What the kernel tells of the connection is the same.
enum Wire: CaseIterable, Sendable, CustomStringConvertible {
    case plain, tls

    var description: String { self == .plain ? "plain" : "TLS" }

    func connect(_ server: HTTPServer) async throws -> any WireClient {
        switch self {
        case .plain: try RawClient(port: server.port)
        case .tls: try await TLSClient(port: server.tlsPort ?? 0)
        }
    }

    /// Runs `body` against a server that has both ports.
    static func withServer(
        _ handler: ScriptedHandler, configure change: (inout HTTPServer.Options) -> Void = { _ in },
        _ body: (HTTPServer) async throws -> Void
    ) async throws {
        let identity = try identity.get()
        try await SparringHTTPTests.withServer(
            handler,
            configure: {
                configure(&$0, identity)
                change(&$0)
            }, body)
    }

    /// A server that has both ports, for a test that stops it itself.
    static func start(_ handler: ScriptedHandler) throws -> HTTPServer {
        var options = HTTPServer.Options()
        configure(&options, try identity.get())
        return try HTTPServer(options, handler: handler)
    }

    private static func configure(_ options: inout HTTPServer.Options, _ identity: ServerIdentity) {
        options.addresses = ["127.0.0.1"]
        options.headTimeout = patience
        options.tlsPort = 0
        options.identity = identity
        options.idleTimeout = .seconds(600)
    }

    private static let identity = Result {
        try TemporaryFolder.run { try LocalAuthority.load(or: $0).identity(hosts: []) }
    }
}

/// An answer as it came, cut where its head ends.
struct HalfAnswer {
    var head: String
    var rest: String

    init(_ bytes: [UInt8]) {
        let text = String(decoding: bytes, as: UTF8.self)
        let end = text.range(of: "\r\n\r\n")
        head = end.map { String(text[..<$0.upperBound]) } ?? text
        rest = end.map { String(text[$0.upperBound...]) } ?? ""
    }

    /// The rest has come this far.
    static func has(_ rest: String) -> @Sendable ([UInt8]) -> Bool {
        { HalfAnswer($0).rest == rest && HalfAnswer($0).head.hasSuffix("\r\n\r\n") }
    }
}

extension ScriptedHandler {
    /// Delivers and notes how it ended.
    func deliver(_ delivery: Delivery, on exchange: Exchange) {
        exchange.deliver(delivery) { completion in
            switch completion {
            case .sent: self.note("sent")
            case .broken(let reason), .replaced(let reason): self.note(reason)
            }
        }
    }

    /// A handler that answers each request so.
    static func delivering(_ delivery: @escaping @Sendable (Request) -> Delivery) -> ScriptedHandler {
        ScriptedHandler { handler, exchange in handler.deliver(delivery(exchange.request), on: exchange) }
    }
}
