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

    @Test func `all that is wrong with one is said at once, line by line`() async throws {
        let text = """
            sandboxes:
              - name: one
                tenants: { parot: {} }
                faults:
                  - "parrot.findBird nonsense"
                  - "parrot.findBird delay by=1s"
                  - "parrot.findBrid delay by=1s"
              - name: two
                scenario: nowhere
                clock: { mod: frozen }
            """
        try await Aviary.run(.pipeline) { server in
            let file = try ConfigurationFile(parsing: text, file: "sparring.yaml")
            let errors = await #expect(throws: ContractErrors.self) { try await server.apply(file) }
            #expect(errors?.all.map(\.line) == [3, 5, 7, 9, 10], "\(String(describing: errors))")
            #expect(errors?.description.hasPrefix("sparring.yaml:3:") == true)
            #expect(server.engine.world.sandboxes.map(\.id) == ["default"])
        }
    }

    @Test func `so is all that is wrong with its form`() {
        let text = """
            # With a slip in most lines.
            sandboxes:
              - name: One
                sed: 7
              - seed: many
              - name: two
                policies: []
              - name: two
            """
        let errors = ConfigurationFile.formErrors(in: text, file: "sparring.yaml")
        #expect(errors.map(\.line) == [3, 4, 5, 5, 7, 8], "\(errors)")
        #expect(ConfigurationFile.formErrors(in: "sandboxes:\n  - name: two\n", file: "sparring.yaml").isEmpty)
    }
}
