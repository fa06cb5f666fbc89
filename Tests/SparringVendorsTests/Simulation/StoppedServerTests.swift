import HTTPTypes
import SparringEngine
import SparringJSON
import SparringSandbox
import Support
import Testing

/// A server that has been stopped holds nothing: ten thousand of them, one after the other, fit into a process.
@Suite struct StoppedServerTests {
    /// The objects of a server that was stopped.
    private struct Remains {
        weak var engine: Engine?
        weak var sandbox: Sandbox?
        weak var socket: Socket?
    }

    private func signIn(_ person: String, _ server: SimulatedServer) async throws -> Outcome {
        let published = try await server.admin(.get, "sandboxes/a")["tenants"] ?? [:]
        let app = CXoneApp(AppLine(AppName(person, "cxone"), in: "a", server), published)
        let code = try #require(try await SimulatedBrand(published).code(app.line))
        return try await app.signIn(code)
    }

    private func stopped() async throws -> Remains {
        let folder = try TemporaryFolder()
        defer { withExtendedLifetime(folder) {} }
        let server = try SimulatedServer(database: folder.file("stopped.sqlite"))
        try await Simulation.create("a", seed: 1, server)
        #expect(try await signIn("ada", server) == .done)
        let sandbox = try #require(server.engine.world.sandbox("a"))
        let tenant = try #require(sandbox.tenant(of: "cxone"))
        let socket = try #require(sandbox.openSockets(of: tenant).first)
        let remains = Remains(engine: server.engine, sandbox: sandbox, socket: socket)
        try await server.stop()
        return remains
    }

    @Test func `nothing is left of a server that was stopped while a socket was open`() async throws {
        let remains = try await stopped()
        // What it still has to do is done on threads of its own.
        try await until { remains.engine == nil && remains.sandbox == nil && remains.socket == nil }
    }

    /// Otherwise it would be left to chance which of them a fault has counted when the next server starts.
    @Test func `a message that a fault holds back is decided when the server stops, those due first before the others`() async throws {
        let people = (0..<12).map { "person\($0)" }
        try await TemporaryFolder.database { database in
            let server = try SimulatedServer(database: database)
            try await Simulation.create("a", seed: 1, server)
            for person in people {
                try await server.admin(.post, "sandboxes/a/faults", ["fault": "cxone.authorizeCustomer delay by=9s times=1"])
                #expect(try await signIn(person, server) == .unknown)
            }
            try await server.stop()
            let next = try SimulatedServer(database: database)
            let entries = try await next.admin(.get, "sandboxes/a/journal?operation=cxone.authorizeCustomer")["entries"]?.array ?? []
            #expect(entries.map { $0["lane"]?.string } == people.map { "\($0)-cxone" })
            try await next.stop()
        }
    }
}
