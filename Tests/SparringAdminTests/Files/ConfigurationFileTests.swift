import BirdSupport
import SparringAdmin
import SparringContract
import SparringEngine
import SparringSandbox
import Support
import Testing

/// The effects of a configuration file; a bad one has none.
@Suite struct ConfigurationFileTests {
    /// Two new sandboxes ask for one tenant, by themselves or by their scenario: neither is made.
    @Test(arguments: ["tenants: { parrot: { flock: twins } }", "scenario: ./twins.yaml"])
    func `a tenant that two sandboxes ask for is refused before anything is made`(_ second: String) async throws {
        let folder = try TemporaryFolder()
        _ = try folder.write(
            "scenario: twins\ntitle: T\nabout: A\nsandbox: { tenants: { parrot: { flock: twins } } }\n", to: "twins.yaml")
        let text = """
            sandboxes:
              - name: one
                tenants: { parrot: { flock: twins } }
              - name: two
                \(second)
            """
        try await Aviary.run(.pipeline) { server in
            let file = try ConfigurationFile(parsing: text, file: folder.file("sparring.yaml"))
            let error = await #expect(throws: ContractError.self) { try await server.apply(file) }
            #expect(
                error?.description.contains("the parrot tenant 'twins' belongs to sandbox 'one'") == true, "\(String(describing: error))")
            #expect(server.engine.world.sandboxes.map(\.id) == ["default"])

            let sound = try ConfigurationFile(
                parsing: text.replacing("twins", with: "first", maxReplacements: 1), file: folder.file("sparring.yaml"))
            #expect(try await server.apply(sound) == ["sandbox one: created", "sandbox two: created"])
            #expect(try await server.apply(sound) == ["sandbox one: as declared", "sandbox two: as declared"])
        }
    }
}
