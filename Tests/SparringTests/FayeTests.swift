import Foundation
import SparringJSON
import Support
import Testing

/// An unmodified client of Faye's, with which the vendor's web client was made.
@Suite(.fewAtATime) struct FayeTests {
    private static func rubyHasFaye() async -> Bool {
        (try? await Command("ruby", "-e", "require 'faye'").run().status) == 0
    }

    @Test(
        .enabled("Ruby has no Faye: make peers") { await rubyHasFaye() }, .timeLimit(.minutes(30)),
        arguments: ["websocket", "long-polling"])
    func `it subscribes and receives what happens, and does so again after a restart`(_ transport: String) async throws {
        let folder = try TemporaryFolder()
        let database = ["--database", folder.file("state.db")]
        let first = try await ServerProcess.start(database, in: folder)
        let port = first.ready["port"]?.integer ?? 0
        let root = "/__admin/sandboxes/default"
        let app = try #require(try await first.get("\(root)/tenants/khoros").json?["appId"]?.string)
        let minted = try await first.post("\(root)/credentials", ["form": "app-jwt", "subject": "ann"])
        let jwt = try #require(minted.json?["credential"]?.string)
        let login = try await first.post(
            "/v2/apps/\(app)/login", ["userId": "ann", "client": ["id": "web-1", "platform": "web"]],
            headers: [("Authorization", "Bearer \(jwt)")])
        let user = try #require(login.json?["appUser"]?["_id"]?.string, "\(login.text)")

        let script = Repository.folder("Tests/peers/faye_client.rb")
        let url = "http://127.0.0.1:\(port)/faye/\(app)"
        let client = try await RunningCommand(Command("ruby", [script, url, app, user, jwt, transport]))
        var lines = client.output.makeAsyncIterator()
        func line(_ wanted: String) async {
            while let line = await lines.next() { if line == wanted { return } }
            Issue.record("the client ended, and never said '\(wanted)'")
        }

        await line("subscribed true")
        #expect(try await first.post("\(root)/acts", Self.say("Hi Ann")).status == 200)
        await line("message Hi Ann")
        #expect(try await first.stop() == 0)
        let second = try await ServerProcess.start(database + ["--port", String(port)], in: folder)
        await line("subscribed true")
        #expect(try await second.post("\(root)/acts", Self.say("Still there?")).status == 200)
        await line("message Still there?")
        kill(client.pid, SIGKILL)
        #expect(try await second.stop() == 0)
    }

    private static func say(_ text: String) -> JSON {
        ["operation": "say", "vendor": "khoros", "with": ["consumer": "ann", "text": .string(text)]]
    }
}
