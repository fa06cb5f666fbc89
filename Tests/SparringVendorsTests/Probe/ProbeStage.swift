import Foundation
import HTTPTypes
import SparringAdmin
import SparringContract
import SparringEngine
import SparringJSON
import SparringTestKit
import Support
import Testing

/// A probe whose vendor is another Sparring.
struct ProbeStage {
    /// Does what agents do over the other Sparring's admin API.
    private struct Hand: ProbeHand {
        let server: TestServer
        let faults: [String: [String]]

        func begin(_ script: ProbeScript, pass: Int) async throws {
            try await server.admin(.post, "reset")
            for fault in faults[script.name] ?? [] { try await server.admin(.post, "faults", ["fault": .string(fault)]) }
        }

        func perform(_ request: ProbeStep.Request) async throws -> JSON {
            let answer = try await server.send(
                request.method, "/__admin/sandboxes/default/\(request.target)", headers: [.contentType: "application/json"],
                body: Array(request.body.utf8))
            guard answer.status < 300 else { throw UnexpectedAnswer(answer: answer) }
            return answer.json ?? .null
        }
    }

    var terms = ProbePlan.Terms()
    var cast: Cast
    /// Armed at the vendor before a script is played, by the scripts' names.
    var faults: [String: [String]] = [:]
    /// The report has proposals.
    var learns = false
    /// How long is waited for what the vendor does not send.
    var patience: Duration?

    init() throws {
        cast = try Cast.shipped.get()
        terms.hasHand = true
        terms.most = .max
        terms.allowed = cast.contracts.map { "\($0.vendor).*" }
    }

    /// Every vendor at one port, the brand's own backends too.
    func targets(_ port: Int) throws -> VendorTargets {
        let contracts = cast.contracts.filter { $0.vendor != "admin" }
        let parts = contracts.flatMap { contract in [contract.vendor] + contract.brandTags.map { "\(contract.vendor).\($0)" } }
        return try VendorTargets(parts.map { "\($0)=http://127.0.0.1:\(port)" }, contracts)
    }

    func plan(_ scripts: [ProbeScript], at port: Int) throws -> ProbePlan {
        try ProbePlan(scripts, at: targets(port), cast.contracts, terms)
    }

    func probe(_ scripts: [ProbeScript], at server: TestServer) async throws -> ProbeReport {
        try await probe(plan(scripts, at: server.addresses.port), Hand(server: server, faults: faults))
    }

    func probe(_ plan: ProbePlan, _ hand: (any ProbeHand)? = nil) async throws -> ProbeReport {
        let stage = self
        var line = ProbeLine(tls: nil, agent: "test") {}
        line.patience = patience ?? line.patience
        var probe = Probe(
            plan, cast.contracts, line, hand: hand, learns: learns, supply: { $0 }
        ) { try stage.server() }
        return try await probe.run()
    }

    /// Learns from an archive alone.
    ///
    /// - Parameter hosts: a vendor's, beside those of the contracts.
    func learn(_ archive: Archive, hosts: [String] = []) async throws -> Learner {
        var reader = try RecordingReader(cast.contracts, hosts: hosts.compactMap { ServerHost($0) })
        reader.take(archive)
        var learner = Learner(cast.contracts)
        await learner.take(reader, try await Replay.run(archive, reader) { try server() }) { [reader] in
            try await Replay.run(archive, reader, trying: $0) { try server() }
        }
        return learner
    }

    /// A fresh server that calls nobody.
    func server() throws -> Server {
        var options = ServerOptions()
        options.contracts = Cast.folder
        options.engine.callsAbroad = false
        return try Server(options, contracts: cast.contracts, behaviours: cast.behaviours, vendors: cast.make)
    }

    /// A transcript that is shipped.
    static func script(_ name: String) throws -> ProbeScript {
        try ProbeScript(name: name, Transcript(String(contentsOfFile: "\(TranscriptTests.folder)/\(name).txt", encoding: .utf8)))
    }

    /// The refusals of a vendor.
    func refusals(_ vendor: String, account: String?) throws -> ProbeScript {
        let contract = try #require(cast.contracts.first { $0.vendor == vendor })
        let key = try #require(Self.tenantKeys[vendor])
        return ProbeRefusals(contract, account: account).script(tenantKey: key)
    }

    static let tenantKeys = [
        "asapp": "appId", "cxone": "brandId", "identity": "tenantId", "khoros": "appId", "liveperson": "accountId", "talkdesk": "account",
    ]
}
