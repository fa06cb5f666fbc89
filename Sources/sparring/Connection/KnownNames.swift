import ArgumentParser
import Foundation
import SparringAdmin
import SparringContract
import SparringVerdict

/// The names that a shell offers while a command is typed, of what came with this binary.
enum KnownNames {
    /// Scenarios, and the YAML files of a folder once its path is begun.
    static let scenarios = CompletionKind.custom { _, _, word in
        ScenarioFile.isPath(word) ? files(word) : scenarioNames
    }
    static let rules = CompletionKind.custom { _, _, _ in (try? Resources.behaviours().rules.map(\.qualifiedName)) ?? [] }
    static let vendors = CompletionKind.custom { _, _, _ in contracts.map(\.vendor) }
    static let operations = CompletionKind.custom { _, _, _ in contracts.flatMap(\.operations).map(\.qualifiedName) }
    /// The words that the selector of a fault may begin with.
    static let selectors = CompletionKind.custom { _, _, _ in contracts.flatMap { selectors(of: $0) } }

    private static var scenarioNames: [String] {
        (try? ScenarioFile.all(in: Resources.locate().scenarios).map(\.scenario.name)) ?? []
    }

    /// The names of the contracts' files.
    static var documents: [String] { folder?.documents.keys.sorted() ?? [] }

    private static var contracts: [Contract] { folder?.contracts.filter { $0.vendor != "admin" } ?? [] }

    private static var folder: ContractFolder? {
        (try? Resources.locate()).flatMap { try? ContractFolder(path: $0.contracts, overlays: [], checked: $0.checked) }
    }

    private static func selectors(of contract: Contract) -> [String] {
        let tags = Set(contract.operations.map(\.tag)).sorted()
        return tags.map { "\(contract.vendor).\($0).*" } + contract.operations.map(\.qualifiedName)
    }

    private static func files(_ word: String) -> [String] {
        let folder = word.lastIndex(of: "/").map { String(word[...$0]) } ?? ""
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.isEmpty ? "." : folder)) ?? []
        return names.compactMap { name in
            var isFolder: ObjCBool = false
            guard FileManager.default.fileExists(atPath: folder + name, isDirectory: &isFolder) else { return nil }
            return isFolder.boolValue ? "\(folder)\(name)/" : ScenarioFile.isInFolder(name) ? folder + name : nil
        }.sorted()
    }
}
