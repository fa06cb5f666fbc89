import Foundation
public import SparringContract

/// The rules of all vendors.
public struct Behaviours: Sendable {
    public let files: [BehaviourFile]
    public var rules: [Rule] { files.flatMap(\.rules) }

    /// Reads `<vendor>.behaviour.yaml` of each contract that has one.
    ///
    /// - Parameter effects: the words used to arm faults, except those that contracts declare.
    /// - Throws: ``ContractError`` with file and line.
    public init(folder: String, contracts: [Contract], effects: [String]) throws(ContractError) {
        let vocabulary = Vocabulary(contracts, effects: effects)
        var files: [BehaviourFile] = []
        for contract in contracts.sorted(by: { $0.vendor < $1.vendor }) {
            let path = folder + "/" + contract.vendor + BehaviourFile.suffix
            guard let data = FileManager.default.contents(atPath: path) else { continue }
            guard let text = String(validating: data, as: UTF8.self) else { throw ContractError(file: path, message: "is not UTF-8") }
            let file = try BehaviourFile(parsing: text, file: path, vendor: contract.vendor, vocabulary)
            files.append(file)
        }
        self.files = files
    }

    /// What is not visible on the network of what the clients of these rules' vendors should do.
    ///
    /// - Parameter rules: those that are judged; what their vendors' clients owe.
    public func unobservable(beside rules: [Rule]) -> [Unobservable] {
        let vendors = Set(rules.map(\.vendor))
        return files.flatMap(\.unobservable).filter { vendors.contains($0.vendor) }
    }
}
