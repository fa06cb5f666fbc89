import Foundation
import HTTPTypes
import SparringEngine
import SparringHTTP
import SparringJSON
import Support
import Testing

/// A server whose only vendor is ``Parrot``, on a port of its own.
struct ParrotServer {
    let engine: Engine
    let port: Int

    /// The contracts of the admin API and of the parrot.
    ///
    /// - Parameter change: made to the contract of its sockets.
    static func contracts(_ change: (String) -> String = { $0 }, magpie: String? = nil) throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        try FileManager.default.copyItem(
            atPath: Repository.folder("contracts/admin.openapi.yaml"), toPath: folder.file("admin.openapi.yaml"))
        _ = try folder.write(Parrot.calls, to: "parrot.openapi.yaml")
        _ = try folder.write(change(Parrot.messages), to: "parrot.asyncapi.yaml")
        _ = try folder.write(Parrot.behaviour, to: "parrot.behaviour.yaml")
        if let magpie { _ = try folder.write(magpie, to: "magpie.openapi.yaml") }
        return folder
    }

    /// - Parameter magpie: the contract of a second vendor, if there is to be one.
    static func run(
        database given: String? = nil, magpie: String? = nil, _ change: (String) -> String = { $0 },
        _ body: (ParrotServer) async throws -> Void
    ) async throws {
        try await TemporaryFolder.database { temporary in
            let database = given ?? temporary
            let folder = try contracts(change, magpie: magpie)
            var options = Engine.Options()
            options.contracts = folder.path
            options.database = database
            let engine = try Engine(options) { _ in magpie == nil ? [Parrot()] : [Parrot(), Magpie()] }
            var request = World.SandboxRequest()
            request.name = "default"
            request.clock = ["mode": "frozen", "now": "2026-01-01T00:00:00Z"]
            request.tenants = ["parrot": ["flock": "macaws"]]
            if magpie != nil { request.tenants["magpie"] = ["hoard": "shinies"] }
            _ = try await engine.world.create(request)
            var server = HTTPServer.Options()
            server.addresses = ["127.0.0.1"]
            do {
                try await body(ParrotServer(engine: engine, port: try engine.serve(server).port))
            } catch {
                try? await engine.stop()
                throw error
            }
            try await engine.stop()
        }
    }

    @discardableResult
    func send(
        _ method: HTTPRequest.Method, _ target: String, _ json: JSON? = nil, _ more: [(String, String)] = []
    ) async throws -> TestAnswer {
        var headers: HTTPFields = [.init("Host")!: "127.0.0.1"]
        for (name, value) in more { headers[.init(name)!] = value }
        if json != nil { headers[.contentType] = "application/json" }
        let head = RequestHead(method: method, target: target, headers: headers, connection: 1, arrival: .now)
        guard case .answer(let response) = await engine.answer(Request(head: head, body: json?.bytes ?? [])),
            case .bytes(let bytes) = response.body
        else { throw Disturbed.closed }
        return TestAnswer(status: response.status, headers: response.headers, body: bytes)
    }

    /// A socket of a bird's that has a ticket.
    func open(_ bird: String, lane: String? = nil) async throws -> SocketClient {
        let ticket = try await send(.post, "/parrot/tickets", ["flock": "macaws", "bird": .string(bird)]).json?["ticket"]?.string
        return try await SocketClient(
            port: port, target: "/?ticket=\(try #require(ticket))", headers: lane.map { [("X-Sparring-Lane", $0)] } ?? [])
    }

    func arm(_ fault: String) async throws {
        let answer = try await send(.post, "/__admin/sandboxes/default/faults", ["fault": .string(fault)])
        #expect(answer.status == 201, "\(answer.text)")
    }

    func journal(_ query: String = "") async throws -> [JSON] {
        try await send(.get, "/__admin/sandboxes/default/journal\(query)").json?["entries"]?.array ?? []
    }

    /// Those of an operation, once there are so many.
    func journal(of operation: String, atLeast count: Int = 1) async throws -> [JSON] {
        for _ in 0..<2000 {
            let found = try await journal("?operation=\(operation)")
            if found.count >= count { return found }
            await Task.yield()
        }
        throw ToolError("there are no \(count) entries of \(operation)")
    }
}

extension SocketClient {
    func perch(_ bird: String, as type: String = "Perch", _ more: JSON = [:]) {
        var payload: JSON = ["eventType": .string(type), "bird": .string(bird)]
        for (name, value) in more.object ?? [:] { payload[name] = value }
        send(["action": "authorize", "eventId": "e-\(bird)" as JSON, "payload": payload])
    }

    func say(_ text: String, as bird: String? = nil) {
        var payload: JSON = ["eventType": "Say", "text": .string(text)]
        if let bird { payload["as"] = .string(bird) }
        send(["action": "event", "payload": payload])
    }
}
