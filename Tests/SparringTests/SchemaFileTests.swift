import Support
import Testing

/// The JSON Schemas by which editors complete and check the files that people write.
@Suite struct SchemaFileTests {
    @Test(.enabled("Python has no jsonschema and yaml") { await Command.pythonHas("jsonschema", "yaml") })
    func `the schemas accept every file that is shipped or shown, and refuse broken ones`() async throws {
        let output = try await Command.python([Repository.folder("Tests/peers/schemas.py")]).output()
        #expect(output.contains("broken files refused"), "\(output)")
    }

    @Test func `a file may name its schema`() async throws {
        let folder = try TemporaryFolder()
        let scenario = "\"$schema\": ../contracts/schemas/scenario.schema.json\nscenario: mine\ntitle: Mine\nabout: Nothing happens.\n"
        let path = try folder.write(scenario, to: "mine.yaml")
        let sound = try await sparring(["scenario", "check", path], environment: [:])
        #expect(sound.status == 0, "\(sound)")
        let config = try folder.write(
            "\"$schema\": configuration.schema.json\nsandboxes:\n  - name: other\n    scenario: ./mine.yaml\n", to: "sparring.yaml")
        let run = try await sparring(["run", "--config", config, "--", "true"], environment: [:])
        #expect(run.status == 0, "\(run)")
    }
}
