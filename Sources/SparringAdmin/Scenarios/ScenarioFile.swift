import Foundation
public import SparringContract
public import SparringJSON

/// A scenario in a YAML file.
public struct ScenarioFile: Sendable {
    /// The endings of the files of a folder; the first is the usual one.
    static let suffixes = [".yaml", ".yml"]
    /// The way to write a file in place of a scenario's name, as the end of an error.
    public static let pathHint = "a file's path has a '/' or a '.'"

    public let scenario: Scenario
    /// The text of the file, unchanged.
    public let text: String
    private let document: YAMLDocument

    /// - Throws: ``ContractError`` with file and line: bad YAML, unknown members, wrong types.
    public init(parsing text: String, file: String) throws(ContractError) {
        self.text = text
        let document = try YAMLDocument(parsing: text, file: file)
        self.document = document
        do throws(ConfigurationError) { scenario = try Scenario(document.json) } catch {
            throw document.error(at: error.pointer, error.message)
        }
    }

    /// - Throws: ``ContractError``, also where there is no such file.
    public init(reading file: String) throws(ContractError) {
        let content = try ScenarioContent(reading: file)
        let text = try content.text
        try self.init(parsing: text, file: file)
    }

    /// One of a folder, which is found by its file's name.
    ///
    /// - Throws: ``ContractError``, also for another name than the file's.
    init(_ content: ScenarioContent) throws(ContractError) {
        let text = try content.text
        try self.init(parsing: text, file: content.file)
        guard scenario.name == content.name else {
            throw error(
                at: JSONPointer(tokens: ["scenario"]),
                "in a folder of scenarios, '\(scenario.name)' belongs in the file '\(scenario.name)\(content.suffix)'")
        }
    }

    /// All of a folder, in the order of their names.
    ///
    /// - Throws: ``ContractError``: the first thing that is wrong with one of them.
    public static func all(in folder: String) throws(ContractError) -> [ScenarioFile] {
        var files: [ScenarioFile] = []
        for content in try ScenarioContent.all(in: folder) { files.append(try ScenarioFile(content)) }
        return files
    }

    /// All that is wrong with a file's form; what contracts and vendors make of it is left aside. Empty for a file that cannot be read, or is
    /// not YAML.
    public static func formErrors(in file: String) -> [ContractError] {
        guard let text = try? ScenarioContent(reading: file).text else { return [] }
        return (try? DeclarationReview.errors(in: text, file: file) { json throws(ConfigurationError) in _ = try Scenario(json) }) ?? []
    }

    /// Whether a word on the command line is meant as a file's path, not as a scenario's name, which has neither of the two characters.
    public static func isPath(_ word: String) -> Bool { word.contains("/") || word.contains(".") }

    /// Whether a folder's file is one of its scenarios.
    public static func isInFolder(_ name: String) -> Bool { suffixes.contains { name.hasSuffix($0) } }

    /// The error in the scenario, with its place in the file.
    public func error(at pointer: JSONPointer, _ message: String) -> ContractError { document.error(at: pointer, message) }
}

/// A scenario's file before it is parsed.
struct ScenarioContent: Sendable {
    let file: String
    /// The file's name without its ending.
    let name: String
    /// One of ``ScenarioFile/suffixes``; empty: another.
    let suffix: String
    let data: Data

    var text: String {
        get throws(ContractError) {
            guard let text = String(validating: data, as: UTF8.self) else { throw ContractError(file: file, message: "is not UTF-8") }
            return text
        }
    }

    init(reading file: String) throws(ContractError) {
        guard let data = FileManager.default.contents(atPath: file) else {
            throw ContractError(file: file, message: "cannot be read", isUnreadable: true)
        }
        let name = file.split(separator: "/").last ?? file[...]
        suffix = ScenarioFile.suffixes.first { name.hasSuffix($0) } ?? ""
        self.name = String(name.dropLast(suffix.count))
        (self.file, self.data) = (file, data)
    }

    /// All of a folder, in the order of their names.
    ///
    /// - Throws: ``ContractError``, also where two files have one name.
    static func all(in folder: String) throws(ContractError) -> [ScenarioContent] {
        let names: [String]
        do {
            names = try FileManager.default.contentsOfDirectory(atPath: folder).filter(ScenarioFile.isInFolder).sorted()
        } catch {
            throw ContractError(
                file: folder, message: "cannot read this folder of scenarios: \(SystemReason(error).text)", isUnreadable: true)
        }
        var contents: [ScenarioContent] = []
        for name in names { contents.append(try ScenarioContent(reading: folder + "/" + name)) }
        contents.sort { ($0.name, $0.suffix) < ($1.name, $1.suffix) }
        for (first, second) in zip(contents, contents.dropFirst()) where first.name == second.name {
            throw ContractError(
                file: second.file,
                message: "is '\(second.name)' once more, beside '\(first.name)\(first.suffix)'; remove or rename one of them")
        }
        return contents
    }
}
