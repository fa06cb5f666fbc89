public import SparringContract
import SparringJSON
import SparringSandbox
import SparringVerdict

/// The scenarios that the server knows by name, and the reading of those that it does not.
public struct Scenarios: Sendable {
    /// In the order of their names.
    public let all: [Scenario]
    private let check: ScenarioCheck

    /// - Parameter folder: of the files; nil: there are none.
    /// - Throws: ``ContractError`` with file and line.
    init(folder: String?, _ check: ScenarioCheck) throws(ContractError) {
        self.check = check
        var all: [Scenario] = []
        for file in try folder.map({ (folder) throws(ContractError) in try ScenarioFile.all(in: folder) }) ?? [] {
            try Self.check(file, check)
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
        try check.check(scenario)
        return scenario
    }

    /// Checks a file's scenario against contracts and vendors.
    ///
    /// - Throws: ``ContractError`` with file and line.
    public func check(_ file: ScenarioFile) throws(ContractError) { try Self.check(file, check) }

    private static func check(_ file: ScenarioFile, _ check: ScenarioCheck) throws(ContractError) {
        do throws(ConfigurationError) { try check.check(file.scenario) } catch {
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
            "there is no scenario '\(nameOrPath)'" + (nearest.isEmpty ? "" : " (did you mean \(Nearest.choice(of: nearest))?)")
                + "; `sparring scenario list` lists them, and a file's path has a '/' or ends with '.yaml'")
    }

    func nearest(to name: String) -> [String] { Nearest.words(to: name, in: all.map(\.name)) }
}
