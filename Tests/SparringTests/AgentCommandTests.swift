import Foundation
import SparringJSON
import Support
import Testing

/// `sparring agent` and `sparring conversation`, and scripts that outlive their process.
@Suite(.fewAtATime) struct AgentCommandTests {
    /// Signs a consumer in at the account of the sandbox and opens a conversation; nobody waits on the socket.
    private func converse(_ server: ServerProcess, account: String, as subject: String, in sandbox: String) async throws -> (
        socket: SocketClient, conversation: String
    ) {
        let minted = try await sparring(
            ["credential", "mint", "--form", "jwt", "--subject", subject, "--sandbox", sandbox], at: server)
        let signedIn = try await server.post(
            "/api/account/\(account)/authenticate", ["authCode": .string(String(minted.output.dropLast()))])
        let token = try #require(signedIn.json?["jwt"]?.string, "\(signedIn.text)")
        let socket = try await SocketClient(
            port: Int(server.ready["port"]?.integer ?? 0), target: "/ws_api/account/\(account)/messaging/consumer?v=3",
            headers: [("Authorization", "jwt \(token)")])
        let opened = try await socket.request("cm.ConsumerRequestConversation", [:])
        let id = try #require(opened["body"]?["conversationId"]?.string)
        _ = try await socket.request("ms.SubscribeMessagingEvents", ["dialogId": .string(id)])
        return (socket, id)
    }

    private func say(_ text: String, in id: String, on socket: SocketClient) async throws -> JSON {
        try await socket.request(
            "ms.PublishEvent",
            ["dialogId": .string(id), "event": ["type": "ContentEvent", "contentType": "text/plain", "message": .string(text)]])
    }

    @Test func `in the demo sandbox a newcomer says hello with the fewest words, and the consumer hears it`() async throws {
        let server = try await ServerProcess.start(in: try TemporaryFolder())
        let account = try #require(
            try await server.get("/__admin/sandboxes/default").json?["tenants"]?["liveperson"]?["accountId"]?.string)
        let early = try await sparring(["agent", "say", "alice", "Hello"], at: server)
        #expect(early.status == 1 && early.errors.contains("no consumer 'alice' has signed in"), "\(early.errors)")
        #expect(try await sparring(["conversation", "list"], at: server).output == "there is no conversation in default\n")

        let (alice, id) = try await converse(server, account: account, as: "alice", in: "default")
        _ = try await alice.notification("ms.MessagingEventNotification")
        _ = try await say("anybody?", in: id, on: alice)
        _ = try await alice.notification("ms.MessagingEventNotification")
        let said = try await sparring(["agent", "say", "alice", "Hello"], at: server)
        #expect(
            said.status == 0
                && said.output
                    == "Alex joined as ASSIGNED_AGENT in conversation \(id)\nContentEvent 1 in dialog \(id): Hello (by socket)\n",
            "\(said)")
        let heard = try await alice.notification("ms.MessagingEventNotification")["body"]?["changes"]?.array?.first
        #expect(heard?["event"]?["message"] == "Hello")

        for words in [
            ["typing", "alice"], ["pause", "alice"], ["active", "alice"], ["inactive", "alice"], ["gone", "alice"], ["accept", "alice"],
            ["read", "alice", "0"], ["say", "alice", "Sure?", "--quick-reply", "Yes", "--quick-reply", "No"],
            ["say", "alice", "psst", "--private", "--conversation", id, "--agent", "55"],
            ["card", "alice", #"{"type":"text","text":"Parcel"}"#], ["file", "alice", "/v1/a.png", "PNG", "--caption", "A picture"],
            ["form", "alice", "Card details", "--form-id", "7"], ["transfer", "alice", "17"], ["join", "alice", "--role", "MANAGER"],
            ["leave", "alice"],
        ] {
            let done = try await sparring(["agent"] + words, at: server)
            #expect(done.status == 0 && !done.output.isEmpty, "\(words): \(done)")
        }
        let list = try await sparring(["conversation", "list", "--consumer", "alice", "--state", "open"], at: server).output
        #expect(list.contains("\(id)  alice     open   17           -       0"), "\(list)")
        #expect(try await sparring(["agent", "close", "alice", "--cause", "Done", "--no-survey"], at: server).status == 0)
        let shown = try await sparring(["conversation", "show", "alice"], at: server).output.split(separator: "\n").map { line in
            line.replacing(#/  [0-9T:.-]+Z  /#, with: "  ")
        }
        #expect(
            shown == [
                "conversation \(id) of alice: closed, skill 17, no agent",
                "     0  alice  anybody?", "     1  Alex  Hello", "     2  Alex  ACCEPT of 0", "     3  Alex  READ of 0",
                "     4  Alex  Sure? [Yes] [No]", "     5  Alex  psst  (private)", #"     6  Alex  card {"type":"text","text":"Parcel"}"#,
                "     7  Alex  file /v1/a.png: A picture", "     8  Alex  secure form: Card details",
            ])
        let byId = try await sparring(["conversation", "show", id, "--json"], at: server).output
        #expect(try JSON(parsing: byId)["closeReason"] == "AGENT")

        for (words, complaint) in [
            (["agent", "say", "alcie", "Hello"], "sparring: no consumer 'alcie' has signed in (did you mean 'alice'?)\n"),
            (["agent", "typing", "alice"], "no open conversation"),
            (["agent", "typing", "alice", "--conversation", id], "closed"), (["conversation", "show", "alcie"], "did you mean alice?"),
            (["agent", "join", "alice", "--sandbox", "nope"], "no sandbox 'nope'"),
        ] {
            let refused = try await sparring(words, at: server)
            #expect(refused.status == 1 && refused.errors.contains(complaint), "\(words): \(refused)")
        }
        for words in [
            ["agent", "say", "alice"], ["agent", "card", "alice", "[]"], ["agent", "sya", "alice"], ["agent", "read", "alice", "x"],
        ] {
            #expect(try await sparring(words, at: server).status == 64, "\(words)")
        }
        _ = try await server.stop()
    }

    @Test func `the system that speaks in a conversation is not listed among its agents`() async throws {
        let server = try await ServerProcess.start(in: try TemporaryFolder())
        let account = #"liveperson={"accountId":"acme","messaging":{"systemMessages":{"opened":{"en-US":"Welcome"}}}}"#
        #expect(try await sparring(["sandbox", "create", "--name", "talk", "--tenant", account], at: server).status == 0)
        let (_, id) = try await converse(server, account: "acme", as: "alice", in: "talk")
        let sent = try await server.get("/__admin/sandboxes/talk/conversations").json
        #expect(sent?[["conversations", "0", "agents", "0", "role"]] == "CONTROLLER", "\(sent ?? .null)")
        let list = try await sparring(["conversation", "list", "--sandbox", "talk"], at: server).output
        #expect(list.contains(id) && !list.contains("CONTROLLER"), "\(list)")
        let shown = try await sparring(["conversation", "show", "alice", "--sandbox", "talk"], at: server).output
        #expect(shown.contains(", no agent") && shown.contains("Welcome"), "\(shown)")
        _ = try await server.stop()
    }

    @Test func `a script of a configuration file goes on after kill -9 where it was`() async throws {
        let folder = try TemporaryFolder()
        let text = """
            sandboxes:
              - name: shop
                clock: { mode: frozen, now: "2026-01-01T00:00:00Z" }
                tenants:
                  liveperson:
                    accountId: acme
                    agents:
                      - userId: "55"
                        nickname: Alex
                        script:
                          - { on: text, matching: "order [0-9]+", after: 2s, do: { act: typing } }
                          - { after: 3s, do: { act: say, text: "{{text}} is on its way" } }

            """
        let file = try folder.write(text, to: "sparring.yaml")
        let arguments = ["--database", folder.file("agents.sqlite"), "--config", file]
        let killed = try await ServerProcess.start(arguments, in: folder)
        let (ada, id) = try await converse(killed, account: "acme", as: "ada", in: "shop")
        #expect(try await say("order 7", in: id, on: ada)["code"] == 200)
        #expect(try await sparring(["clock", "advance", "2s", "--sandbox", "shop"], at: killed).status == 0)
        killed.signal(SIGKILL)
        _ = try await killed.end()

        let server = try await ServerProcess.start(arguments, in: folder)
        let clock = try await sparring(["clock", "show", "--sandbox", "shop"], at: server).output
        #expect(clock.contains("step 2 of Alex's script in conversation \(id): say"), "\(clock)")
        #expect(try await sparring(["clock", "advance", "1h", "--sandbox", "shop"], at: server).status == 0)
        let shown = try await sparring(["conversation", "show", "ada", "--sandbox", "shop"], at: server).output
        #expect(
            shown == """
                conversation \(id) of ada: open, skill -1, Alex, 1 unread
                     0  2026-01-01T00:00:00.000Z  ada  order 7
                     1  2026-01-01T00:00:05.000Z  Alex  order 7 is on its way

                """, "\(shown)")
        _ = try await server.stop()

        let bad = try folder.write(text.replacing("[0-9]+", with: "[0-9"), to: "bad.yaml")
        let failed = await #expect(throws: ServerProcess.Failed.self) {
            try await ServerProcess.start(["--config", bad], in: try TemporaryFolder())
        }
        let complaint = failed?.text ?? ""
        #expect(complaint.contains("bad.yaml:11") && complaint.contains("not a supported regular expression"), "\(complaint)")
    }

    @Test func `CXone's contacts are listed and shown with their messages, and handed to a queue`() async throws {
        let server = try await ServerProcess.start(in: try TemporaryFolder())
        let brand = try await ChatTalker.prepare(server)
        let alice = ChatTalker(0, devices: 1, brand: brand)
        try await alice.comeBack(to: server)
        try await alice.write("Where is my parcel?")
        #expect(try await sparring(["agent", "say", "customer-0", "On its way", "--vendor", "cxone"], at: server).status == 0)
        let moved = try await sparring(["agent", "transfer", "customer-0", "--queue", "q-2", "--vendor", "cxone"], at: server)
        #expect(moved.status == 0 && moved.output.contains("waits in queue q-2"), "\(moved)")
        let list = try await sparring(["conversation", "list"], at: server).output
        #expect(list.contains("customer-0  open   q-2          -       "), "\(list)")
        let shown = try await sparring(["conversation", "show", "customer-0"], at: server).output.split(separator: "\n").map { line in
            line.replacing(#/  [0-9T:.-]+Z  /#, with: "  ").replacing(#/\d{12}/#, with: "ID")
        }
        #expect(
            shown == [
                "conversation ID of customer-0: open, queue q-2, no agent", "     1  customer-0  Where is my parcel?",
                "     2  Ada Lovelace  On its way",
            ], "\(shown)")
        let out = try await sparring(["consumer", "sign-out", "customer-0", "--reason", "revoked"], at: server)
        #expect(out.status == 0, "\(out)")
        #expect(try await sparring(["agent", "transfer", "customer-0"], at: server).errors.contains("a skill, --queue or --to"))
    }

    @Test func `what is said in an interaction of Talkdesk's is shown`() async throws {
        let server = try await ServerProcess.start(in: try TemporaryFolder())
        let token = try await server.get("/access").text
        let bearer = [("Authorization", "Bearer \(token)")]
        let account = try #require(try await server.get("/__admin/sandboxes/default/tenants/talkdesk").json?["account"]?.string)
        let path = "/gateway/\(account)/visual-sessions/interactions"
        let started = try await server.post(path, ["app_id": "example-app-ios", "intention": "support"], headers: bearer)
        let id = try #require(started.json?["id"]?.string, "\(started.text)")
        _ = try await server.post("\(path)/\(id)/messages", ["text": "Where is my order?"], headers: bearer)
        // Without a consumer the newest interaction is meant.
        #expect(try await sparring(["act", "talkdesk", "say", "text=On its way"], at: server).status == 0)
        let shown = try await sparring(["conversation", "show", id], at: server).output
        #expect(shown.contains("  Where is my order?\n") && shown.contains("  Grace Hopper  On its way"), "\(shown)")
    }
}
