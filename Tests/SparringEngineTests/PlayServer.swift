import Foundation
import HTTPTypes
import SparringEngine
import SparringHTTP
import SparringJSON
import Support
import Testing

/// An engine whose only vendor is ``Play``, called straight into the pipeline.
struct PlayServer {
    let engine: Engine
    let database: String

    /// - Parameter contract: the vendor's, in place of ``Play/contract``.
    static func run(_ play: Play = Play(), contract: String = Play.contract, _ body: (PlayServer) async throws -> Void) async throws {
        try await TemporaryFolder.database { database in
            let folder = URL(fileURLWithPath: database).deletingLastPathComponent().path
            try Self.write(contract, in: folder)
            var options = Engine.Options()
            options.contracts = folder
            options.database = database
            let engine = try Engine(options) { _ in [play] }
            for (name, player) in [("default", "p1"), ("other", "p2")] {
                var request = World.SandboxRequest()
                request.name = name
                request.seed = 1
                request.clock = ["mode": "frozen", "now": "2026-01-01T00:00:00Z"]
                request.tenants = ["play": ["playerId": .string(player)]]
                _ = try await engine.world.create(request)
            }
            try await body(PlayServer(engine: engine, database: database))
            try await engine.stop()
        }
    }

    /// The contracts of an engine with this vendor.
    static func write(_ contract: String, in folder: String) throws {
        try FileManager.default.copyItem(
            atPath: Repository.folder("contracts/admin.openapi.yaml"), toPath: folder + "/admin.openapi.yaml")
        try contract.write(toFile: folder + "/play.openapi.yaml", atomically: true, encoding: .utf8)
    }

    @discardableResult
    func send(
        _ method: HTTPRequest.Method, _ target: String, _ json: JSON? = nil, host: String = "127.0.0.1", lane: String? = nil
    ) async throws -> TestAnswer {
        var headers: HTTPFields = [.init("Host")!: host]
        if json != nil { headers[.contentType] = "application/json" }
        if let lane { headers[.init("X-Sparring-Lane")!] = lane }
        let head = RequestHead(method: method, target: target, headers: headers, connection: 1, arrival: .now)
        guard case .answer(let response) = await engine.answer(Request(head: head, body: json?.bytes ?? [])),
            case .bytes(let bytes) = response.body
        else { throw Disturbed.closed }
        return TestAnswer(status: response.status, headers: response.headers, body: bytes)
    }

    func misbehave(_ how: String) async throws -> TestAnswer { try await send(.post, "/play/p1/misbehave", ["how": .string(how)]) }

    func journal(_ query: String = "", sandbox: String = "default") async throws -> [JSON] {
        try await send(.get, "/__admin/sandboxes/\(sandbox)/journal\(query)").json?["entries"]?.array ?? []
    }

    func notes() throws -> [String] {
        try Dump.tables(of: database)["play_note"]?.map { $0.components(separatedBy: "text=").last ?? "" } ?? []
    }
}
