public import SparringContract
import SparringJSON
import SparringLocks
import SparringSandbox
import SparringVerdict

/// The scenarios that the server knows by name, and the reading of those that it does not.
public final class Scenarios: Sendable {
    /// Sorted.
    let names: [String]
    private let contents: [String: ScenarioContent]
    private let known = Mutex<[String: Scenario]>([:])
    private let check: ScenarioCheck

    /// - Parameters:
    ///   - folder: of the files; nil: there are none.
    ///   - trust: which files are read when somebody asks for them.
    /// - Throws: ``ContractError`` with file and line, for the first file that cannot be played.
    init(folder: String?, _ check: ScenarioCheck, _ trust: Trust) throws(ContractError) {
        self.check = check
        let all = try folder.map { (folder) throws(ContractError) in try ScenarioContent.all(in: folder) } ?? []
        names = all.map(\.name)
        contents = Dictionary(uniqueKeysWithValues: all.map { ($0.name, $0) })
        for content in all where !trust.covers(content) {
            do throws(ContractError) { _ = try named(content.name) } catch { throw pointing(error, content.file) }
        }
    }

    /// The files that need not be read at a start.
    enum Trust: Sendable {
        case none
        /// Those that were checked when the program was installed, with the contracts and rules that this server has.
        case checked(CheckedFiles)
        /// All, since the server has not all vendors: what it cannot play is refused when it is asked for.
        case all

        func covers(_ content: ScenarioContent) -> Bool {
            switch self {
            case .none: false
            case .checked(let files): files.has(content.name + content.suffix, content.data)
            case .all: true
            }
        }
    }

    /// All that can be played, in the order of their names.
    public var all: [Scenario] { names.compactMap { try? named($0) } }

    /// - Throws: ``ContractError`` for one that cannot be played here.
    public func named(_ name: String) throws(ContractError) -> Scenario? {
        guard let content = contents[name] else { return nil }
        if let scenario = known.withLock({ $0[name] }) { return scenario }
        let file = try ScenarioFile(content)
        try check(file)
        known.withLock { $0[name] = file.scenario }
        return file.scenario
    }

    /// An error of a file with the command that lists all, where there are others.
    private func pointing(_ error: ContractError, _ path: String) -> ContractError {
        let all = (try? errors(in: path)) ?? []
        guard all.contains(where: { $0 != error }) else { return error }
        var pointing = error
        pointing.message += "; `sparring scenario check \(ShellWords.quote(path))` lists all errors"
        return pointing
    }

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
    public func check(_ file: ScenarioFile) throws(ContractError) {
        do throws(ConfigurationError) { try check.check(file.scenario) } catch {
            throw file.error(at: error.pointer, error.message)
        }
    }

    /// All that is wrong with a scenario's file.
    ///
    /// - Throws: ``ContractError`` for a file that cannot be read, or is not YAML.
    public func errors(in file: String) throws(ContractError) -> [ContractError] {
        let text = try ScenarioContent(reading: file).text
        return try DeclarationReview.errors(in: text, file: file) { json throws(ConfigurationError) in
            try self.check.check(try Scenario(json))
        }
    }

    /// All that is wrong with a scenario that need not have a file of its own.
    func errors(in json: JSON) -> [ConfigurationError] {
        DeclarationReview(of: json) { json throws(ConfigurationError) in try self.check.check(try Scenario(json)) }.errors
    }

    /// One by its name, or from a file.
    ///
    /// - Throws: ``ContractError`` for a file, ``ToolError`` with the nearest names for a name that is not known.
    public func find(_ nameOrPath: String) throws -> Scenario {
        if ScenarioFile.isPath(nameOrPath) {
            do throws(ContractError) {
                let file = try ScenarioFile(reading: nameOrPath)
                try check(file)
                return file.scenario
            } catch { throw pointing(error, nameOrPath) }
        }
        if let found = try named(nameOrPath) { return found }
        let nearest = nearest(to: nameOrPath)
        throw ToolError(
            "there is no scenario '\(nameOrPath)'" + (nearest.isEmpty ? "" : " (did you mean \(Nearest.choice(of: nearest))?)")
                + "; `sparring scenario list` lists them, and \(ScenarioFile.pathHint)",
            .usage)
    }

    func nearest(to name: String) -> [String] { Nearest.words(to: name, in: names) }
}
