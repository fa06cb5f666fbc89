import Foundation
import HTTPTypes
import SparringAdmin
import SparringContract
import SparringEngine
import SparringJSON
import SparringTestKit
import Support
import Testing

/// Probes whose vendor is another Sparring, or nobody.
@Suite struct ProbeTests {
    @Test(arguments: TranscriptTests.all) func `Sparring is as Sparring is`(_ name: String) async throws {
        let script = try ProbeStage.script(String(name.dropLast(4)))
        let report = try await TestServer.run(.socket, clock: nil, tenants: script.tenants) { server in
            try await ProbeStage().probe([script], at: server)
        }
        let unfaithful = report.findings.filter { $0.meaning != .faithful }
        #expect(unfaithful.isEmpty, "\(unfaithful.map(\.json.text).joined(separator: "\n"))")
        #expect(report.exitStatus == 0 && report.left.isEmpty, "\(report.left)")
    }

    @Test(
        arguments: [
            ("asapp", "acme"), ("cxone", "1386"), ("identity", "brand"), ("khoros", "5f0c0e1a2b3c4d5e6f708190"), ("liveperson", "12345678"),
            ("talkdesk", "acme"),
        ], [true, false])
    func `what every vendor refuses, Sparring refuses as Sparring does`(_ vendor: (name: String, account: String), hasAccount: Bool)
        async throws
    {
        let stage = try ProbeStage()
        let script = try stage.refusals(vendor.name, account: hasAccount ? vendor.account : nil)
        let report = try await TestServer.run(.socket, clock: nil, tenants: script.tenants) { try await stage.probe([script], at: $0) }
        let unfaithful = report.findings.filter { $0.meaning != .faithful }
        #expect(unfaithful.isEmpty && report.count > 10, "\(unfaithful.map(\.json.text).joined(separator: "\n"))")
    }

    // MARK: What cannot be checked

    @Test(
        arguments: [
            ("hangs up", .hangUp, 6), ("says 401", .answer(401, "{}"), 6), ("says 403", .answer(403, "{}"), 6),
            ("says 429", .answer(429, "{}"), 1),
            ("says 503", .answer(503, type: "text/html", "<p>Busy</p>"), 6), ("is no HTTP", .bytes("220 mail.example ESMTP\r\n"), 6),
        ] as [(String, ScriptedServer.Script, Int)])
    func `a vendor that shows nothing has not been checked`(_ what: String, _ script: ScriptedServer.Script, _ calls: Int) async throws {
        try await ScriptedServer.run({ _ in script }) { vendor in
            var stage = try ProbeStage()
            (stage.terms.allowed, stage.terms.hasHand) = ([], false)
            let scripts = try ["khoros/ios-end-user-login", "khoros/ios-logout", "liveperson/ios-deep-linking"].map(ProbeStage.script)
            let report = try await stage.probe(stage.plan(scripts, at: vendor.port))
            #expect(report.exitStatus == 2 && report.findings.allSatisfy { $0.meaning == .unchecked }, "\(what): \(report.json.text)")
            #expect(vendor.requests.count <= calls && !report.findings.isEmpty, "\(what): \(vendor.requests.map(\.line))")
        }
    }

    @Test func `where nobody listens nothing is called twice`() async throws {
        try await ScriptedServer.runClosed { url in
            let stage = try ProbeStage()
            let port = try #require(URL(string: url)?.port)
            let report = try await stage.probe(stage.plan([try stage.refusals("asapp", account: "acme")], at: port))
            #expect(report.exitStatus == 2 && report.findings.allSatisfy { $0.words?.contains("onnection refused") ?? false })
        }
    }

    // MARK: What is called

    @Test func `nothing is called but what was printed, at the hosts that were given`() async throws {
        try await ScriptedServer.run({ _ in .answer(200, "{}") }) { other in
            let answer = #"{"service":"idp","account":"12345678","baseURI":"127.0.0.1:\#(other.port)"}"#
            try await ScriptedServer.run({ _ in .answer(200, answer) }) { vendor in
                var stage = try ProbeStage()
                (stage.terms.allowed, stage.terms.hasHand) = ([], false)
                let names = TranscriptTests.all.filter { $0.hasPrefix("liveperson/") }.map { String($0.dropLast(4)) }
                let plan = try stage.plan(try names.map(ProbeStage.script), at: vendor.port)
                let report = try await stage.probe(plan)
                let lines = plan.lines.filter { !$0.contains("left out") }
                #expect(vendor.requests.count > 10 && report.exitStatus == 1)
                for request in vendor.requests {
                    let words = request.line.split(separator: " ")
                    #expect(
                        words[0] == "GET" && lines.contains { $0.contains("GET http://127.0.0.1:\(vendor.port)\(words[1]) (") },
                        "\(request.line)")
                }
                #expect(other.requests.isEmpty)
            }
        }
    }

    @Test func `a writing operation is called where it is allowed`() throws {
        var stage = try ProbeStage()
        (stage.terms.hasHand, stage.terms.allowed) = (false, ["khoros.logIn", "identity.*"])
        let script = try ProbeStage.script("khoros/ios-conversation")
        let lines = try stage.plan([script], at: 1).lines
        #expect(
            lines.contains { $0.contains("/login (khoros.logIn)") }
                && lines.contains { $0.contains("left out") && $0.contains("--allow khoros.") })
        stage.terms.allowed = []
        #expect(try stage.plan([script], at: 1).lines.allSatisfy { !$0.hasPrefix("  POST") })
        stage.terms.most = 3
        #expect(try stage.plan([script], at: 1).count == 2)
    }

    @Test(
        arguments: [
            ("asapp", "'asapp' is not VENDOR=URL, such as"), ("parrot=http://a", "there is no vendor 'parrot'; known: asapp, cxone"),
            ("asapp.Sesion=http://a", "asapp has no tag or operation 'Sesion'; tags: Chat"),
            ("asapp=ftp://a", "'ftp://a' is not the http or https URL"), ("asapp=a", "'a' is not the http or https URL"),
            ("asapp=http://a/?x", "'http://a/?x' has a query or a fragment"), ("asapp=http://b", "there are two targets for asapp"),
        ])
    func `a target that cannot be read is refused`(_ text: String, _ reason: String) throws {
        let stage = try ProbeStage()
        let contracts = stage.cast.contracts.filter { $0.vendor != "admin" }
        let error = #expect(throws: VendorTargets.Malformed.self) { try VendorTargets(["asapp=http://a", text], contracts) }
        #expect(error?.description.hasPrefix(reason) == true, "\(error?.description ?? "")")
    }

    @Test func `the most particular target is called`() throws {
        let contracts = try ProbeStage().cast.contracts.filter { $0.vendor != "admin" }
        let targets = try VendorTargets(
            ["talkdesk=https://a/base/", "talkdesk.Identity=https://b", "talkdesk.issueToken=https://c:8443"], contracts)
        let talkdesk = try #require(contracts.first { $0.vendor == "talkdesk" })
        func url(_ id: String) -> String? { talkdesk.operation(id).flatMap { targets.target(of: $0) }?.url("/x") }
        #expect(
            url("startInteraction") == "https://a/base/x" && url("authorize") == "https://b/x" && url("issueToken") == "https://c:8443/x")
        #expect(url("fetchAccess") == nil)
    }
}
