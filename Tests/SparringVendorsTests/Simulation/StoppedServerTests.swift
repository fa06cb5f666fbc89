import HTTPTypes
import SparringEngine
import SparringJSON
import SparringSandbox
import Support
import Testing

/// A server that has been stopped holds nothing: ten thousand of them, one after the other, fit into a process.
@Suite struct StoppedServerTests {
    /// What a server had when it was stopped.
    private struct Remains {
        weak var engine: Engine?
        weak var sandbox: Sandbox?
        weak var socket: Socket?
    }

    private func stopped() async throws -> Remains {
        let folder = try TemporaryFolder()
        defer { withExtendedLifetime(folder) {} }
        let server = try SimulatedServer(database: folder.file("stopped.sqlite"))
        try await Simulation.create("a", seed: 1, server)
        let published = try await server.admin(.get, "sandboxes/a")["tenants"] ?? [:]
        let app = CXoneApp(AppLine(AppName("ada", "cxone"), in: "a", server), published)
        let brand = SimulatedBrand(published)
        let code = try #require(try await brand.code(app.line))
        #expect(try await app.signIn(code) == .done)
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
}
