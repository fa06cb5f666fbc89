import SparringJSON
import SparringSandbox

extension Sandbox {
    /// What the scenario that it was made of expects of a client.
    var expectations: [Scenario.Expectation] { creation["scenario"].flatMap { try? Scenario($0) }?.expectations ?? [] }
}
