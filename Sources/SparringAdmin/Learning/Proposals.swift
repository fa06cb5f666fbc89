import SparringContract
package import SparringJSON

/// Corrections that recordings and probes speak for, each once.
package struct Proposals: Sendable {
    /// Those of one kind together, and of these those of one operation.
    package private(set) var all: [Proposal] = []
    /// Differences that no overlay and no setting can make good, with the reasons.
    package private(set) var left: [String] = []

    package init() {}

    mutating func add(_ proposal: Proposal) {
        if let place = all.firstIndex(where: { $0.key == proposal.key }) { return all[place].observed.add(proposal.observed) }
        all.append(proposal)
        sort()
    }

    mutating func leave(_ words: String) { if !left.contains(words) { left.append(words) } }

    package mutating func add(_ other: Proposals) {
        for proposal in other.all { add(proposal) }
        for words in other.left { leave(words) }
    }

    /// Says of proposals for contracts how often what they allow could have been seen.
    mutating func weigh(_ count: (Proposal) -> Int) {
        for index in all.indices where all[index].kind == .contract {
            all[index].observed.of = max(count(all[index]), all[index].observed.times)
        }
    }

    private mutating func sort() {
        let kinds = Proposal.Kind.allCases
        func rank(_ proposal: Proposal) -> (Int, String, String) {
            (kinds.firstIndex(of: proposal.kind) ?? 0, proposal.operation, proposal.words)
        }
        all.sort { rank($0) < rank($1) }
    }

    // MARK: What becomes of them

    /// The names of the contracts' files that proposals change, sorted.
    package static func documents(of accepted: [Proposal]) -> [String] { Set(accepted.map(\.document)).filter { !$0.isEmpty }.sorted() }

    /// The overlay of one of the contracts' files, as YAML.
    ///
    /// - Parameter version: of Sparring.
    package static func overlay(of document: String, _ accepted: [Proposal], version: String) -> String {
        let actions = accepted.filter { $0.document == document }.flatMap(\.observedActions)
        let overlay: JSON = [
            "overlay": "1.1.0",
            "info": ["title": "Seen at the vendor", "version": "1", "description": .string("Written by sparring \(version) learn.")],
            "extends": .string(document), "actions": .array(actions),
        ]
        return overlay.yaml
    }

    /// The settings as a configuration file, as YAML; nil: there are none.
    package static func configuration(_ accepted: [Proposal]) -> String? {
        var tenants: JSON = [:]
        for setting in accepted.compactMap(\.setting) { tenants = tenants.merging(setting.tenants) }
        guard tenants != [:] else { return nil }
        let file: JSON = ["sandboxes": [["name": "default", "tenants": tenants]]]
        return file.yaml
    }

    package var json: JSON { ["proposals": .array(all.map(\.json)), "left": .array(left.map { .string($0) })] }

    /// - Parameter json: ``json``.
    /// - Throws: ``ConfigurationError`` at the proposal that is none.
    package init(_ json: JSON) throws(ConfigurationError) {
        guard let proposals = json["proposals"]?.array else { throw ConfigurationError(["proposals"], "expected a list") }
        for (index, json) in proposals.enumerated() {
            guard let proposal = Proposal(json) else {
                throw ConfigurationError(
                    JSONPointer(tokens: ["proposals", String(index)]), "is not a proposal as 'sparring probe' writes it")
            }
            add(proposal)
        }
        for words in json["left"]?.array ?? [] { if let words = words.string { leave(words) } }
    }
}

extension Proposal.Setting {
    /// In a sandbox's `tenants`.
    var tenants: JSON { .object([vendor: place.tokens.reversed().reduce(value) { .object([$1: $0]) }]) }
}
