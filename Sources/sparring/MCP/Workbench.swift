import SparringJSON
import SparringLocks
import SparringVerdict

/// The server that a session works with, and the sandboxes that the session made.
actor Workbench {
    /// Once the session has made a sandbox, that sandbox's node.
    private let place: Mutex<RunServer>
    private let adminToken: String?
    private let keeps: Bool
    private var made: [(sandbox: String, environment: RunEnvironment)] = []

    nonisolated var server: RunServer { place.withLock(\.self) }
    nonisolated var client: AdminClient { server.client }

    init(_ server: RunServer, adminToken: String?, keeps: Bool) {
        place = Mutex(server)
        self.adminToken = adminToken
        self.keeps = keeps
    }

    /// - Returns: the sandbox as the admin API shows it, and the environment that a client of it is run with.
    func make(_ form: JSON) async throws -> (sandbox: JSON, environment: [String: String]) {
        let sandbox = try await client.call(.createSandbox, body: form).json
        if made.isEmpty {
            let owner = try await server.owner(of: sandbox)
            place.withLock { $0 = owner }
        }
        let environment = try await RunEnvironment(server, sandbox, trusts: true, adminToken: adminToken)
        made.append((environment.sandbox, environment))
        return (sandbox, environment.variables)
    }

    /// The one that is named, else the one that was made last, else the one that `sparring serve` makes.
    func sandbox(_ name: String?) throws -> String {
        if let name = name ?? made.last?.sandbox { return name }
        guard server.isOwn else { return SandboxOptions.defaultName }
        throw CommandFailure(text: "there is no sandbox yet: make one with create_sandbox", status: 1)
    }

    func delete(_ sandbox: String) async throws {
        try await client.call(.deleteSandbox, in: sandbox)
        for (_, environment) in made where environment.sandbox == sandbox { environment.remove() }
        made.removeAll { $0.sandbox == sandbox }
    }

    /// Notes that the client's process has ended: what it has not done by now it will not do.
    func end(_ sandbox: String) async throws {
        try await client.call(.mark, in: sandbox, body: ["mark": .string(Behaviours.processEnded)])
    }

    /// Takes away what the session made.
    func close() async {
        for (sandbox, environment) in made {
            environment.remove()
            // It may be gone, and so may the server.
            if !keeps { _ = try? await client.call(.deleteSandbox, in: sandbox) }
        }
        made = []
    }
}
