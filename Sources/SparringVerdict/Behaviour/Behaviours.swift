import Foundation
package import SparringContract
package import SparringJSON

/// The rules of all vendors.
package struct Behaviours: Sendable {
    package private(set) var files: [BehaviourFile]
    /// All files are just as they were when ``CheckedFiles`` were written.
    package let isChecked: Bool
    /// The fidelity of each operation of the contracts: what it rests on.
    let fidelities: [String: Fidelity]
    private let contracts: [Contract]
    /// Nil where nothing has another name on the wire.
    let renamed: RenamedPlaces?
    /// Made when it is asked for: it is a walk over all schemas, and most verdicts need none.
    var surface: ContractSurface { ContractSurface(contracts) }
    package var rules: [Rule] { files.flatMap(\.rules) }

    /// Reads `<vendor>.behaviour.yaml` of each contract that has one.
    ///
    /// - Parameters:
    ///   - effects: the words used to arm faults, except those that contracts declare.
    ///   - checked: files that need not be parsed again.
    ///   - contractsAreChecked: the contracts are those that the files were checked with.
    /// - Throws: ``ContractError`` with file and line.
    package init(
        folder: String, contracts: [Contract], effects: [String], checked: CheckedFiles? = nil, contractsAreChecked: Bool = false
    ) throws(ContractError) {
        var vocabulary = Vocabulary(contracts, effects: effects)
        var files: [BehaviourFile] = []
        var isChecked = checked != nil
        for contract in contracts.sorted(by: { $0.vendor < $1.vendor }) {
            let path = folder + "/" + contract.vendor + BehaviourFile.suffix
            guard let data = FileManager.default.contents(atPath: path) else { continue }
            let isKnown = checked?.has(contract.vendor + BehaviourFile.suffix, data) == true
            isChecked = isChecked && isKnown
            vocabulary.mustBeChecked = !(isKnown && contractsAreChecked)
            files.append(try BehaviourFile(try YAMLDocument(data, file: path, checked), vendor: contract.vendor, vocabulary))
        }
        self.files = files
        self.isChecked = isChecked
        fidelities = vocabulary.fidelities
        self.contracts = contracts
        renamed = RenamedPlaces(contracts)
    }

    /// The same rules with other values of policies.
    ///
    /// - Parameters:
    ///   - given: by a policy's name, or `vendor.name`.
    ///   - pointer: of `given`, for errors.
    /// - Throws: for a policy that is not known, and a value that is none for it.
    package func with(policies given: JSON.Object, at pointer: JSONPointer) throws(ConfigurationError) -> Behaviours {
        var values: [String: [String: JSON]] = [:]
        let all = files.flatMap(\.policies)
        for (name, value) in given {
            let place = pointer.appending(name)
            let meant = all.filter { $0.name == name || "\($0.vendor).\($0.name)" == name }
            guard let first = meant.first else {
                throw ConfigurationError(place, "there is no policy '\(name)'\(Nearest.hint(for: name, in: all.map(\.name)))")
            }
            // Where several vendors leave the same to the app, it is said of all of them.
            for policy in meant { values[policy.vendor, default: [:]][first.name] = try policy.read(value, at: place) }
        }
        var changed = self
        for index in files.indices { changed.files[index] = try files[index].with(values[files[index].vendor] ?? [:]) }
        return changed
    }

    /// The mark for the end of the client's process: the client did not give up the connections that end with it.
    package static let processEnded = HangUps.processEnded

    /// The marks that rules know, and the one that is known whatever the rules.
    package var marks: [String] { files.flatMap(\.marks).reduce(into: [Self.processEnded]) { if !$0.contains($1) { $0.append($1) } } }

    /// Names of what clients may be said to be: a platform, a flow.
    package var platforms: [String] { Self.names(.platform, files) }
    package var flows: [String] { Self.names(.flow, files) }

    private static func names(_ kind: Clients.Kind, _ files: [BehaviourFile]) -> [String] {
        files.flatMap { $0.clients.names(kind) }.reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
    }

    /// The requirements for clients of these vendors that are not visible on the network.
    ///
    /// - Parameter vendors: of the rules that are judged.
    package func unobservable(beside vendors: [String]) -> [Unobservable] {
        let vendors = Set(vendors)
        return files.flatMap(\.unobservable).filter { vendors.contains($0.vendor) }
    }
}
