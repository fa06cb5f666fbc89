import Foundation
import SparringJSON
import Support
import Testing

/// `sparring stub`
@Suite(.fewAtATime) struct StubCommandTests {
    private static let call = "GET /v2/apps/{appId}/sdk-settings/{platform}"
    private static let body = #"{"id": "{$sandbox.uuid}", "platform": "{$request.path.platform}", "until": "{$sandbox.now+1h}"}"#

    /// The tutorial's steps, on a server and on one that is started with the resulting overlay.
    @Test func `the tutorial of an unknown call holds`() async throws {
        let page = try String(contentsOfFile: Repository.folder("Sources/sparring/Documentation.docc/Unknown-calls.md"), encoding: .utf8)
        let folder = try TemporaryFolder()
        let server = try await ServerProcess.start(in: folder)
        func stub(_ words: String...) async throws -> Command.End { try await sparring(["stub"] + words, at: server) }
        let app = try #require(try await server.get("/__admin/sandboxes/default").json?["tenants"]?["khoros"]?["appId"]?.string)
        let target = "/v2/apps/\(app)/sdk-settings/ios"
        let unknown = try await server.get(target)
        #expect(unknown.status == 404 && unknown.json?["stub"] == "sparring stub add 'GET /v2/apps/{appId}/sdk-settings/ios'")
        #expect(page.contains(unknown.json?["stub"]?.text ?? "-"))
        let unplaced = try await sparring(["journal", "--unplaced"], at: server).output
        #expect(unplaced.hasSuffix("; to answer it: sparring stub add 'GET /v2/apps/{appId}/sdk-settings/ios'\n"), "\(unplaced)")

        let added = try await stub("add", Self.call, "body=" + Self.body)
        #expect(added.status == 0 && page.contains("\n" + added.output), "\(added)")
        #expect(page.contains("sparring stub add '\(Self.call)' \\\n    body='\(Self.body)'\n"))
        let answer = try await server.get(target).json
        #expect(answer?["platform"] == "ios" && answer?["id"]?.string?.count == 36)
        #expect(try await stub("list").output.contains("khoros.getV2AppsSdkSettings  \(Self.call)  stub    200     sandbox"))

        // It is exported and covered like any other, whether or not it is there still.
        #expect(try await stub("remove", "khoros.getV2AppsSdkSettings").status == 0)
        let pact = try JSON(parsing: try await sparring(["contract", "export", "pact", "khoros", "--consumer", "app"], at: server).output)
        let interactions = pact["interactions"]?.array ?? []
        #expect(
            interactions.map { $0["description"] } == ["getV2AppsSdkSettings answered stub"]
                && interactions[0]["response"]?["status"] == 200)
        let archive = try JSON(parsing: try await sparring(["contract", "export", "har"], at: server).output)
        #expect(archive["log"]?["entries"]?.array?.contains { $0["request"]?["url"]?.string?.hasSuffix(target) == true } == true)
        let coverage = try await sparring(["contract", "coverage"], at: server).output
        #expect(coverage.contains("khoros.getV2AppsSdkSettings"), "\(coverage)")
        #expect(try await stub("add", Self.call, "body=" + Self.body).status == 0)

        let overlay = try folder.write(try await stub("list", "--as", "overlay").output, to: "ours.overlay.yaml")
        let lint = try await sparring(["contract", "lint", "--overlay", overlay], environment: [:])
        #expect(lint.status == 0 && page.contains(lint.output), "\(lint)")
        let alone = try await sparring(["stub", "add", Self.call, "body=" + Self.body, "--as", "overlay"], environment: [:])
        #expect(alone.output == (try String(contentsOfFile: overlay, encoding: .utf8)), "\(alone)")
        #expect(try await stub("remove", "khoros.getV2AppsSdkSettings").status == 0)
        #expect(try await server.get(target).status == 404)
        _ = try await server.stop()

        let next = try await ServerProcess.start(["--overlay", overlay], in: try TemporaryFolder())
        #expect(try await next.get(target).json?["platform"] == "ios")
        #expect(try await next.get("/v2/apps/nobodys/sdk-settings/ios").json?["error"]?["code"] == "not_found")
        _ = try await next.stop()
    }

    @Test func `a body comes from a file, and what is wrong is said`() async throws {
        let folder = try TemporaryFolder()
        let server = try await ServerProcess.start(in: folder)
        func stub(_ words: String...) async throws -> Command.End { try await sparring(["stub"] + words, at: server) }
        #expect(try await stub("list").output == "default has no stubs\n")
        let file = try folder.write(#"{"on": true}"#, to: "answer.json")
        #expect(try await stub("add", "POST", "/my/path", "status=201", "header:location=/x", "body-file=\(file)").status == 0)
        let answer = try await server.post("/my/path", [:])
        #expect(answer.status == 201 && answer.json == ["on": true])
        for (words, status, error) in [
            (["add", "GET /x", "body-file=\(folder.file("none"))"], 66, "the file cannot be read"),
            (["add", "GET /x", "body={"], 64, "not JSON"), (["add", "GIT /x"], 1, "call: a method and a path"),
            (["add", "GET /x", "--vendor", "koros"], 1, "did you mean 'khoros'?"),
            (["add", "GET /x", "--vendor", "koros", "--as", "overlay"], 64, "did you mean 'khoros'?"),
            (["add", "GET /x", "bdy=1", "--as", "overlay"], 64, "bdy: unknown member (did you mean 'body'?)"),
            (["add", "GET /x", "status=99", "--as", "overlay"], 64, "status: 99 is not a number from 200 to 599"),
            (["list", "--as", "overlay", "--vendor", "koros"], 64, "there is no contract for 'koros'"),
            (["remove", "postMyPth"], 1, "postMyPath"), (["answer", "postMyPath", "stub"], 1, "add it once more to change it"),
        ] {
            let end = try await sparring(["stub"] + words, at: server)
            #expect(end.status == Int32(status) && end.errors.contains(error), "\(words): \(end)")
        }
        _ = try await server.stop()
    }
}
