import HTTPTypes
import SparringAdmin
import SparringContract
import SparringEngine
import SparringJSON
import SparringTestKit
import Support

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

    init() throws {
        cast = try Cast.shipped.get()
        terms.hasHand = true
        terms.most = .max
        terms.allowed = cast.contracts.map { "\($0.vendor).*" }
    }

    func targets(_ server: TestServer) throws -> ProbeTargets {
        let contracts = cast.contracts.filter { $0.vendor != "admin" }
        return try ProbeTargets(contracts.map { "\($0.vendor)=http://127.0.0.1:\(server.addresses.port)" }, contracts)
    }

    func probe(_ scripts: [ProbeScript], at server: TestServer) async throws -> ProbeReport {
        let plan = try ProbePlan(scripts, at: targets(server), cast.contracts, terms)
        let line = ProbeLine(tls: nil, agent: "test") {}
        var options = ServerOptions()
        options.contracts = Cast.folder
        options.engine.callsAbroad = false
        let cast = cast
        var probe = Probe(plan, cast.contracts, line, hand: Hand(server: server, faults: faults), supply: { $0 }) { [options] in
            try Server(options, contracts: cast.contracts, behaviours: cast.behaviours, vendors: cast.make)
        }
        return try await probe.run()
    }
}
