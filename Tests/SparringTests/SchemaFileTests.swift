import Foundation
import HTTPTypes
import SparringAdmin
import SparringJSON
import Support
import Testing

/// The JSON Schemas by which editors complete and check the files that people write.
@Suite(.fewAtATime) struct SchemaFileTests {
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
        let run = try await sparring(["run", "--config", config, "--allow-unexercised", "--", "true"], environment: [:])
        #expect(run.status == 0, "\(run)")
    }

    @Test(arguments: ["behaviour", "configuration", "scenario"])
    func `a server hands its schemas to editors, without a token`(_ name: String) async throws {
        try await TestServer.run(configure: { $0.adminToken = "0123456789abcdef0123456789abcdef" }) { server in
            let answer = try await server.send(.get, "/__admin/schemas/\(name).schema.json", headers: [:])
            #expect(answer.status == 200 && answer.headers[.contentType] == "application/schema+json")
            // What is composed is kept as a file too, for editors without a server.
            let path = Repository.folder("contracts/schemas/\(name).schema.json")
            let composed = try #require(answer.json)
            if name != "behaviour", ProcessInfo.processInfo.environment["SPARRING_RECORD"] == "1" {
                try Data("\(composed.prettyText)\n".utf8).write(to: URL(filePath: path))
            }
            #expect(composed == (try JSON(parsing: try String(contentsOfFile: path, encoding: .utf8))), "SPARRING_RECORD=1 writes it")
            let other = try await server.send(.get, "/__admin/schemas/\(name)s.schema.json", headers: [:])
            #expect(other.status == 400, "\(other.text)")
        }
    }
}
