import SparringContract
import SparringEngine
import SparringJSON
import SparringSandbox

/// Operations of the tag "Scenarios".
extension AdminAPI {
    func listScenarios() -> Answer {
        let scenarios = scenarios.all.map { scenario -> JSON in
            [
                "scenario": .string(scenario.name), "title": .string(scenario.title),
                "expects": .array(scenario.expectations.map { .string($0.rule) }),
            ]
        }
        return Answer("scenarios", ["scenarios": .array(scenarios)])
    }

    func readScenario(_ call: AdminCall) throws -> Answer {
        let name = call.path("scenario")
        guard let scenario = try scenarios.named(name) else {
            throw AdminProblem("scenario-unknown", "there is no scenario \(name.quoted)", nearest: scenarios.nearest(to: name))
        }
        return Answer("scenario", scenario.json)
    }

    func playScenario(_ call: AdminCall, _ sandbox: Sandbox) async throws -> Answer {
        guard let scenario = try scenario(call) else { throw AdminProblem("request-malformed", "'scenario' is missing") }
        try requirePort(of: scenario, call)
        await options.willForget?(sandbox)
        let seed = call.body["seed"]?.integer
        let fresh = try await world.play(scenario.template, in: sandbox.id, seed: seed)
        return Answer("scenario-begun", json(of: fresh ?? sandbox, call))
    }

    func stopScenario(_ call: AdminCall, _ sandbox: Sandbox) async throws -> Answer {
        guard sandbox.scenario != nil else {
            throw AdminProblem("no-scenario", "sandbox '\(sandbox.id)' plays no scenario; to start the sandbox over, reset it")
        }
        await options.willForget?(sandbox)
        return Answer("scenario-stopped", json(of: try await world.play(nil, in: sandbox.id) ?? sandbox, call))
    }

    /// - Throws: ``AdminProblem`` if the scenario is played on a TLS port that the server does not have.
    func requirePort(of scenario: Scenario, _ call: AdminCall) throws(AdminProblem) {
        guard let defect = scenario.tls, call.addresses.tlsDefects[defect] == nil else { return }
        throw AdminProblem(
            "no-tls-port",
            "scenario '\(scenario.name)' needs the TLS port '\(defect)', which this server does not have: start it with --tls-defects")
    }

    /// The scenario that a sandbox is to be made of: one by name, or one that is sent along.
    func scenario(_ call: AdminCall) throws -> Scenario? {
        guard let given = call.body["scenario"] else { return nil }
        guard let name = given.string else {
            do throws(ConfigurationError) { return try scenarios.read(given) } catch {
                let all = scenarios.errors(in: given)
                throw AdminProblem((all.count > 1 ? all : [error]).map { $0.inside(["scenario"]) })
            }
        }
        if let scenario = try scenarios.named(name) { return scenario }
        // `run --scenario FILE` sends the file, and its tests know only the name.
        if let played = world.sandboxes.last(where: { $0.scenario == name })?.creation["scenario"] { return try scenarios.read(played) }
        let error = ConfigurationError(["scenario"], "there is no scenario \(name.quoted)")
        throw AdminProblem(
            "configuration-invalid", error.description,
            members: AdminProblem.violation(error).merging(AdminProblem.nearest(scenarios.nearest(to: name))) { first, _ in first })
    }
}
