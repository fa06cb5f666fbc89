import Foundation
import SparringJSON
import Support
import Testing

/// A sandbox's label: the name of the test that it is for, from its making to every form of the report.
@Suite(.fewAtATime) struct LabelTests {
    @Test func `a label is kept, shown, and leads from each report to the test`() async throws {
        let folder = try TemporaryFolder()
        let server = try await ServerProcess.start(["--database", folder.file("sparring.db")], in: folder)
        let made = try await sparring(
            ["sandbox", "create", "--scenario", "pusher-down-for-31s"],
            environment: ["SPARRING_URL": server.url, "SPARRING_TEST": "test_out[1]"])
        #expect(made.output.contains("test_out[1]"), "\(made)")
        let other = try await server.post("/__admin/sandboxes", ["label": "the other", "scenario": "pusher-down-for-31s"]).json
        let ids = try #require(try await server.get("/__admin/sandboxes").json?["sandboxes"]?.array?.compactMap { $0["id"]?.string })
        let first = try #require(ids.first { $0 != "default" && $0 != other?["id"]?.string })
        // It is the sandbox's, whatever is played in it.
        #expect(try await sparring(["sandbox", "reset", first], at: server).status == 0)
        #expect(try await server.get("/__admin/sandboxes/\(first)").json?["label"] == "test_out[1]")
        let verdict = try await server.post("/__admin/sandboxes/\(first)/verdicts", ["formats": ["text", "junit", "html"]]).json
        #expect(verdict?["label"] == "test_out[1]")
        for (form, text) in [("text", "test_out[1]"), ("junit", #"<property name="test" value="test_out[1]"/>"#), ("html", "test_out[1]")] {
            #expect(verdict?["reports"]?[form]?.string?.contains(text) == true, "\(form): \(verdict?["reports"]?[form]?.string ?? "")")
        }
        let refused = try await server.post("/__admin/sandboxes", ["label": ""])
        #expect(refused.status == 400 && refused.text.contains("label"), "\(refused)")
        _ = try await server.stop()
        let saved = try await sparring(
            ["verify", "--database", folder.file("sparring.db"), "--sandbox", other?["id"]?.string ?? "", "--json"], environment: [:])
        #expect(try JSON(parsing: saved.output)["label"] == "the other", "\(saved)")
    }

    @Test func `run takes it from the environment, and its table names the test`() async throws {
        let folder = try TemporaryFolder()
        let end = try await sparring(
            ["run", "--allow-unexercised", "--json", folder.file("report.json"), "--", "true"],
            environment: ["SPARRING_TEST": "test_nothing"])
        #expect(end.status == 0 && end.output.contains("test_nothing"), "\(end)")
        let report = try JSON(parsing: try String(contentsOfFile: folder.file("report.json"), encoding: .utf8))
        #expect(report["plays"]?.array?.first?["sandboxes"]?.array?.first?["label"] == "test_nothing", "\(report)")
    }
}
