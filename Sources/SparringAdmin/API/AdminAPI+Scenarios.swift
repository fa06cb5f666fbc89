import SparringEngine
import SparringJSON

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
        guard let scenario = scenarios.named(name) else {
            throw AdminProblem(
                name: "scenario-unknown", detail: "there is no scenario \(name.quoted)",
                members: AdminProblem.nearest(scenarios.nearest(to: name)))
        }
        return Answer("scenario", scenario.json)
    }

    /// What a sandbox is to be made of: one by name, or one that is sent along.
    func scenario(_ call: AdminCall) throws -> Scenario? {
        guard let given = call.body["scenario"] else { return nil }
        let place = JSONPointer(tokens: ["scenario"])
        guard let name = given.string else {
            do throws(ConfigurationError) { return try scenarios.read(given) } catch {
                let error = ConfigurationError(JSONPointer(tokens: place.tokens + error.pointer.tokens), error.message)
                throw AdminProblem(error)
            }
        }
        if let scenario = scenarios.named(name) { return scenario }
        let error = ConfigurationError(place, "there is no scenario \(name.quoted)")
        throw AdminProblem(
            name: "configuration-invalid", detail: error.description,
            members: AdminProblem.violation(error).merging(AdminProblem.nearest(scenarios.nearest(to: name))) { first, _ in first })
    }
}
