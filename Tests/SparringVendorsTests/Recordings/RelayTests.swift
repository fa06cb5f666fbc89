import Foundation
import HTTPTypes
import SparringAdmin
import SparringContract
import SparringEngine
import SparringJSON
import SparringJournal
import SparringLocks
import SparringTestKit
import SparringVerdict
import Support
import Testing

/// A server that passes calls on to another Sparring.
@Suite struct RelayTests {
    /// Runs `body` beside a vendor, with a server that passes all calls of all vendors on to it.
    static func run<Value>(
        tenants: JSON.Object, clock: JSON? = ["mode": "frozen", "now": "2026-01-01T00:00:00Z"], overlays: [Overlay] = [],
        notice: @escaping @Sendable (String) -> Void = { _ in }, _ body: (_ relay: TestServer, _ vendor: TestServer) async throws -> Value
    ) async throws -> Value {
        let contracts = try Cast.shipped.get().contracts.filter { $0.vendor != "admin" }
        return try await TestServer.run(.socket, clock: clock, tenants: tenants, configure: { $0.overlays = overlays }) { vendor in
            let parts = contracts.flatMap { contract in [contract.vendor] + contract.brandTags.map { "\(contract.vendor).\($0)" } }
            let targets = try VendorTargets(parts.map { "\($0)=http://127.0.0.1:\(vendor.addresses.port)" }, contracts)
            return try await TestServer.run(
                .socket, seed: 9, clock: nil, tenants: tenants, beside: vendor,
                configure: { options in
                    options.engine.relay = RelayOptions(targets: targets)
                    options.engine.notice = notice
                }
            ) { try await body($0, vendor) }
        }
    }

    @Test(arguments: TranscriptTests.all) func `what was recorded comes again through another`(_ name: String) async throws {
        let recorded = try String(contentsOfFile: "\(TranscriptTests.folder)/\(name)", encoding: .utf8)
        let transcript = try Transcript(recorded)
        let played = try await Self.run(tenants: transcript.tenants.object ?? [:]) { relay, vendor in
            try await TranscriptPlayer(relay, hand: vendor, isRecording: false).play(transcript)
        }
        let (old, new) = (recorded.components(separatedBy: "\n"), played.components(separatedBy: "\n"))
        let index = zip(old, new).enumerated().first { $0.element.0 != $0.element.1 }?.offset
        #expect(played == recorded, "\(name):\(index.map { "\($0 + 1): \(old[$0]) | \(new[$0])" } ?? "")")
    }

    // MARK: What is recorded

    /// Nobody at the vendor has to do anything for these.
    private static let alone = TranscriptTests.all.filter { name in
        let text = (try? String(contentsOfFile: "\(TranscriptTests.folder)/\(name)", encoding: .utf8)) ?? ""
        return !text.contains("\n* ")
    }

    /// The archive of what a server has in its journal, without credentials, as `sparring record` writes it.
    private static func archive(_ server: TestServer) async throws -> JSON {
        let found = try await server.journal("?limit=10000")
        let made = try #require(try await server.send(.get, "/__admin/sandboxes/default?made=true").json)
        var (entries, recorded) = RecordedSandbox.recording(found, made, withCredentials: false)
        recorded?.isOfVendor = true
        return ArchiveWriter(entries, of: recorded, version: "test").json
    }

    @Test(arguments: alone) func `what was recorded of a vendor replays without a difference, and has no credential`(_ name: String)
        async throws
    {
        let transcript = try Transcript(String(contentsOfFile: "\(TranscriptTests.folder)/\(name)", encoding: .utf8))
        let tenants = transcript.tenants.object ?? [:]
        let (json, sources) = try await Self.run(tenants: tenants, clock: nil) { relay, vendor in
            _ = try await TranscriptPlayer(relay, hand: vendor, isRecording: false).play(transcript)
            let sources = try await relay.journal("?limit=10000").filter { $0["kind"] != "socket" }.map { $0["details"]?["source"] }
            return (try await Self.archive(relay), sources)
        }
        #expect(sources.dropFirst().allSatisfy { $0 == "vendor" }, "\(sources)")
        #expect(CredentialScan(json.prettyText).findings.isEmpty, "\(CredentialScan(json.prettyText).findings)")
        let cast = try Cast.shipped.get()
        let archive = try Archive(json)
        var reader = try RecordingReader(cast.contracts, hosts: [])
        reader.take(archive)
        var options = ServerOptions()
        options.contracts = Cast.folder
        options.engine.callsAbroad = false
        let server = try Server(options, contracts: cast.contracts, behaviours: cast.behaviours, vendors: cast.make)
        var replay = Replay(archive, reader, on: server)
        try await replay.run()
        try await server.engine.stop(grace: .zero)
        let report = try replay.judge(VerdictRequest(["whole": true]), cast.behaviours, name: name)
        let rows = report.contract.rows.filter { $0.weight == .fail }
        #expect(rows.isEmpty && replay.count > 0, "\(rows.map { "\($0.code) \($0.place ?? "") \($0.words)" }.joined(separator: "\n"))")
    }

    // MARK: On the way

    private static let acme: JSON.Object = ["liveperson": ["accountId": "acme"], "talkdesk": ["account": "acme"]]

    @Test func `a difference from the contract is printed as it passes, once`() async throws {
        let notices = Mutex<[String]>([])
        try await Self.run(tenants: Self.acme, notice: { line in notices.withLock { $0.append(line) } }) { relay, vendor in
            try await vendor.admin(
                .post, "faults",
                ["fault": "talkdesk.fetchAccess status code=200 type=application/json body=\"{\\\"token\\\":1}\" phase=onResponseStart"])
            for _ in 1...2 { #expect(try await relay.send(.get, "/access?account=acme").json == ["token": 1]) }
            let entry = try #require(try await relay.journal("?kind=exchange").first)
            #expect(entry["details"]?["source"] == "vendor" && entry["findings"]?.array?.first?["code"] == "media-type", "\(entry)")
        }
        let told = notices.withLock { $0.filter { $0.hasPrefix("the vendor differs from the contract: talkdesk.fetchAccess: answer: ") } }
        #expect(told.count == 2 && Set(told).count == 2, "\(told)")
    }

    @Test func `faults strike on the way`() async throws {
        try await Self.run(tenants: Self.acme) { relay, vendor in
            try await relay.admin(.post, "faults", ["fault": "talkdesk.fetchAccess status code=503 times=1"])
            #expect(try await relay.send(.get, "/access?account=acme").status == 503)
            #expect(try await vendor.journal("?kind=exchange").isEmpty)
            try await relay.admin(
                .post, "faults", ["fault": "talkdesk.fetchAccess status code=502 phase=onResponseStart times=1"])
            #expect(try await relay.send(.get, "/access?account=acme").status == 502)
            #expect(try await vendor.journal("?operation=talkdesk.fetchAccess").count == 1)
            #expect(try await relay.send(.get, "/access?account=acme").status == 200)
        }
    }

    @Test func `a client whose vendor does not answer gets a 502 with the reason`() async throws {
        try await ScriptedServer.runClosed { url in
            let contracts = try Cast.shipped.get().contracts.filter { $0.vendor != "admin" }
            let targets = try VendorTargets(["talkdesk.Backend=\(url.replacing("/nobody", with: ""))"], contracts)
            try await TestServer.run(.socket, configure: { $0.engine.relay = RelayOptions(targets: targets) }) { relay in
                let answer = try await relay.send(.get, "/access?account=acme")
                #expect(answer.status == 502 && answer.text.contains("onnection refused"), "\(answer.text)")
                // What has no target is Sparring's.
                #expect(try await relay.send(.get, "/api/account/acme/service/idp/baseURI.json?version=1.0").status == 404)
            }
        }
    }

    @Test(arguments: [true, false]) func `calls that no contract has are passed on where that is asked for`(_ passes: Bool) async throws {
        try await ScriptedServer.run({ request in .answer(200, #"{"line":"\#(request.line)"}"#) }) { vendor in
            let contracts = try Cast.shipped.get().contracts.filter { $0.vendor != "admin" }
            var options = RelayOptions(targets: try VendorTargets(["khoros=http://127.0.0.1:\(vendor.port)"], contracts))
            options.passesUnknown = passes
            try await TestServer.run(.socket, configure: { [options] in $0.engine.relay = options }) { relay in
                let answer = try await relay.send(.get, "/v9/unheard-of?x=1")
                #expect(answer.status == (passes ? 200 : 404) && vendor.requests.count == (passes ? 1 : 0), "\(answer.text)")
                let entries = try await relay.journal("?kind=exchange")
                #expect(entries.count == (passes ? 1 : 0))
                if passes {
                    #expect(
                        entries[0]["findings"]?.array?.first?["code"] == "unplaced"
                            && answer.json?["line"] == "GET /v9/unheard-of?x=1 HTTP/1.1")
                }
                #expect(try await relay.send(.get, "/__admin/none").status == 404)
            }
        }
    }
}
