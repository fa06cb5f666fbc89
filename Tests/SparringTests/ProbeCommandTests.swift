import Foundation
import HTTPTypes
import SparringEngine
import SparringJSON
import Support
import Testing

/// `sparring probe`: what it prints, how it exits, and what it keeps.
@Suite(.fewAtATime) struct ProbeCommandTests {
    private static func sparring(_ words: [String], in folder: TemporaryFolder) async throws -> Command.End {
        try await Command("/bin/sh", ["-c", "cd \"$0\" && exec \"$@\"", folder.path, Repository.binary] + words).run()
    }

    private static let account = """
        sandboxes:
          - name: vendor
            tenants:
              asapp: { appId: acme }
        """

    @Test func `what is wrong with its options is said`() async throws {
        let folder = try TemporaryFolder()
        let target = "asapp=http://127.0.0.1:1"
        for (words, status, reason) in [
            ([], 64, "--target is missing"),
            (["--target", "parrot=http://a", "--credential", "token"], 64, "--credential 'token' is not KIND=COMMAND"),
            (["--target", "parrot=http://a"], 64, "--target: there is no vendor 'parrot'; known: asapp, cxone"),
            (["--target", target, "--allow", "asapp.nothing"], 64, "--allow: there is no operation 'asapp.nothing'"),
            (["--target", target, "--transcript", "none"], 64, "--transcript: no transcript of asapp is called 'none'"),
            (["--target", target, "--transcript", "asapp/ios-chat", "--send"], 2, "there is nothing to send"),
        ] as [([String], Int32, String)] {
            let end = try await Self.sparring(["probe"] + words, in: folder)
            #expect(end.status == status && end.errors.contains(reason), "\(words) \(end)")
        }
    }

    @Test func `a plan calls nobody, and a probe keeps what it saw`() async throws {
        let folder = try TemporaryFolder()
        let config = try folder.write(Self.account, to: "account.yaml")
        try await TestServer.run(.socket, clock: nil, tenants: ["asapp": ["appId": "acme"]]) { server in
            let words = ["probe", "--target", "asapp=http://127.0.0.1:\(server.addresses.port)", "--config", config]
            let plan = try await Self.sparring(words, in: folder)
            #expect(plan.status == 0 && plan.output.contains("(asapp.readStatus, no credential)"), "\(plan)")
            #expect(plan.output.contains("calls and messages would be sent, each script twice"))
            #expect(try await server.journal("?kind=exchange").isEmpty)
            try await server.admin(.post, "faults", ["fault": "asapp.readStatus status code=401 type=application/json body=\"{}\""])
            let probe = try await Self.sparring(words + ["--send"], in: folder)
            #expect(probe.status == 1 && probe.output.contains("vendor ahead: asapp.readStatus: answer body.error"), "\(probe)")
            try await Self.learn(from: words, in: folder)
            let json = try await Self.sparring(words + ["--send", "--json", "--max-calls", "8"], in: folder)
            #expect(try json.status == 0 && JSON(parsing: json.output)["calls"] == 8, "\(json)")
        }
        let kept = try JSON(parsing: String(contentsOfFile: folder.file("sparring-fidelity.json"), encoding: .utf8))["operations"]
        #expect(kept?["asapp.readStatus"]?["contract"] == false && kept?["asapp.startSession"]?["contract"] == true, "\(kept?.text ?? "")")
        let shown = try await Self.sparring(["contract", "show", "asapp.readStatus"], in: folder)
        #expect(shown.output.contains("live 20") && shown.output.contains("vendor ahead: answer body.error"), "\(shown)")
        let list = try await Self.sparring(["contract", "list", "--fidelity", "live"], in: folder)
        #expect(list.output.contains("asapp.startSession") && !list.output.contains("khoros."), "\(list)")
        _ = try folder.write("{\"operations\": {\"asapp.readStatus\": 1}}", to: "bad.json")
        let bad = try await Self.sparring(["contract", "list", "--probed", "bad.json"], in: folder)
        #expect(bad.status == 65 && bad.errors.contains("bad.json: /operations/asapp.readStatus: expected time"), "\(bad)")
    }

    /// Corrects the contracts by what a probe has seen, and probes again.
    private static func learn(from words: [String], in folder: TemporaryFolder) async throws {
        let words = words + ["--send", "--fidelity", "learnt.json"]
        let probe = try await sparring(words + ["--proposals", "proposals.json"], in: folder)
        #expect(probe.status == 1)
        let list = try await sparring(["learn", "proposals.json"], in: folder)
        #expect(list.status == 0 && list.output.contains("session-missing leaves out $.error"), "\(list)")
        #expect(!FileManager.default.fileExists(atPath: folder.file("learnt")))
        for (accepted, status, reason) in [
            (["nothing"], 64, "--accept 'nothing' matches none of the "), (["all", "--out", "vendor"], 0, ""),
            (["contract", "--out", "vendor"], 73, "vendor/asapp.openapi.yaml already exists and is left unchanged"),
        ] as [([String], Int32, String)] {
            let end = try await sparring(["learn", "proposals.json", "--accept"] + accepted, in: folder)
            #expect(end.status == status && (reason.isEmpty || end.errors.contains(reason)), "\(accepted) \(end)")
        }
        let clean = try await sparring(words + ["--overlay", "vendor/asapp.openapi.yaml"], in: folder)
        #expect(clean.status == 0 && clean.output.contains("faithful"), "\(clean)")
    }

    @Test func `credentials and agents are somebody else's commands`() async throws {
        let folder = try TemporaryFolder()
        let settings: JSON.Object = ["talkdesk": ["account": "acme"]]
        try await TestServer.run(.socket, clock: nil, tenants: settings) { server in
            let transcript = try folder.write(
                """
                tenants: {"talkdesk": {"account": "acme"}}

                > GET /access?account=acme
                < 200
                < {token-1}
                > POST /gateway/acme/visual-sessions/interactions
                > Authorization: Bearer {token-1}
                > Content-Type: application/json
                > {"app_id": "example-app-ios", "intention": "support"}
                < 201
                < {"id":"{interaction-1}","state":"started"}
                * POST talkdesk/agent/say {"conversation": "{interaction-1}", "text": "Hello"}
                < 200
                > GET /gateway/acme/visual-sessions/interactions/{interaction-1}
                > Authorization: Bearer {token-1}
                < 200
                """, to: "talk.txt")
            let admin = "http://127.0.0.1:\(server.addresses.port)/__admin/sandboxes/default"
            let acts = try folder.write(
                """
                import json, sys, urllib.request
                act = json.load(sys.stdin)
                if "path" in act:
                    request = urllib.request.Request("\(admin)/" + act["path"], json.dumps(act["body"]).encode(), {"Content-Type": "application/json"})
                    print(urllib.request.urlopen(request).read().decode())
                """, to: "acts.py")
            let probe = try await Self.sparring(
                [
                    "probe", "--target", "talkdesk=http://127.0.0.1:\(server.addresses.port)", "--transcript", transcript, "--allow",
                    "talkdesk.*", "--credential", "token=curl -s http://127.0.0.1:\(server.addresses.port)/access?account=acme", "--acts",
                    "python3 '\(acts)'", "--send",
                ], in: folder)
            #expect(
                probe.status == 0 && probe.output.contains("talkdesk.readInteraction   as the vendor  as the vendor  faithful"), "\(probe)")
            let kept = try String(contentsOfFile: folder.file("sparring-fidelity.json"), encoding: .utf8)
            #expect(!probe.output.contains("eyJ") && !kept.contains("eyJ"))
        }
    }
}
