public import SparringContract
import SparringJSON
import SparringVerdict

/// The scenarios that the server knows by name, and the reading of those that it does not.
public struct Scenarios: Sendable {
    /// In the order of their names.
    public let all: [Scenario]
    private let world: World
    private let contract: Contract
    private let rules: RuleNames

    /// - Parameters:
    ///   - folder: of the files; nil: there are none.
    ///   - contract: the admin API's.
    ///   - rules: those that may be expected of a client.
    /// - Throws: ``ContractError`` with file and line.
    init(folder: String?, world: World, contract: Contract, rules: RuleNames) throws(ContractError) {
        self.world = world
        self.contract = contract
        self.rules = rules
        var all: [Scenario] = []
        for file in try folder.map({ (folder) throws(ContractError) in try ScenarioFile.all(in: folder) }) ?? [] {
            try Self.check(file, world, contract, rules)
            all.append(file.scenario)
        }
        self.all = all
    }

    public func named(_ name: String) -> Scenario? { all.first { $0.name == name } }

    /// Reads a scenario, which need not have a file of its own.
    ///
    /// - Throws: ``ConfigurationError`` with the place in `json`.
    func read(_ json: JSON) throws(ConfigurationError) -> Scenario {
        let scenario = try Scenario(json)
        try world.check(scenario, contract, rules)
        return scenario
    }

    /// Checks a file's scenario against contracts and vendors.
    ///
    /// - Throws: ``ContractError`` with file and line.
    public func check(_ file: ScenarioFile) throws(ContractError) { try Self.check(file, world, contract, rules) }

    private static func check(_ file: ScenarioFile, _ world: World, _ contract: Contract, _ rules: RuleNames) throws(ContractError) {
        do throws(ConfigurationError) { try world.check(file.scenario, contract, rules) } catch {
            throw file.error(at: error.pointer, error.message)
        }
    }

    /// One by its name, or from a file.
    ///
    /// - Throws: ``ContractError`` for a file, ``ToolError`` with the nearest names for a name that is not known.
    public func find(_ nameOrPath: String) throws -> Scenario {
        if ScenarioFile.isPath(nameOrPath) {
            let file = try ScenarioFile(reading: nameOrPath)
            try check(file)
            return file.scenario
        }
        if let found = named(nameOrPath) { return found }
        let nearest = nearest(to: nameOrPath)
        throw ToolError(
            "there is no scenario '\(nameOrPath)'" + (nearest.isEmpty ? "" : " (did you mean \(nearest.joined(separator: " or "))?)")
                + "; a file's path has a '/' or ends with '.yaml'")
    }

    func nearest(to name: String) -> [String] { Nearest.words(to: name, in: all.map(\.name)) }
}
