package import SparringJSON

/// Sightings of operations at the vendors themselves, with their dates: the fourth word of ``Fidelity``, `live`, which no contract has but a file
/// that `sparring probe` keeps.
package struct LiveFidelity: Sendable {
    /// An operation, or a message that the vendor sends, as a probe saw it.
    package struct Sight: Sendable, Hashable {
        /// ISO 8601.
        package var time: String
        /// The hosts that were called.
        package var hosts: [String]
        /// Whether contract and vendor, and Sparring and vendor, were alike.
        package var contract, sparring: Bool
        /// The differences, in words.
        package var differences: [String]
        /// Places that differ between the vendor's own answers.
        package var noise: [String]

        package init(time: String, hosts: [String], contract: Bool, sparring: Bool, differences: [String], noise: [String]) {
            (self.time, self.hosts, self.contract, self.sparring) = (time, hosts, contract, sparring)
            (self.differences, self.noise) = (differences, noise)
        }

        /// `live 2026-11-29`, and what differed then.
        package var words: String {
            let differing = [contract ? nil : "the contract", sparring ? nil : "Sparring"].compactMap(\.self).joined(separator: " and ")
            return "live \(time.prefix(10))" + (differing.isEmpty ? "" : ", \(differing) differing")
        }

        package var json: JSON {
            [
                "time": .string(time), "hosts": .array(hosts.map { .string($0) }), "contract": .bool(contract), "sparring": .bool(sparring),
                "differences": .array(differences.map { .string($0) }), "noise": .array(noise.map { .string($0) }),
            ]
        }
    }

    /// Keyed by `vendor.operation`.
    package private(set) var sights: [String: Sight] = [:]

    package init() {}

    /// - Throws: `ConfigurationError` with the place of what is missing or of another type.
    package init(_ json: JSON) throws(ConfigurationError) {
        let whole = try Declaration(json, at: .root, known: ["operations"])
        guard let operations = json["operations"]?.object else {
            throw whole.error("operations", "expected an object with a member for each operation")
        }
        for (name, sight) in operations {
            let pointer = JSONPointer(tokens: ["operations", name])
            func texts(_ member: String) throws(ConfigurationError) -> [String] {
                guard let items = sight[member]?.array, items.allSatisfy({ $0.string != nil }) else {
                    throw ConfigurationError(pointer.appending(member), "expected a list of strings")
                }
                return items.compactMap(\.string)
            }
            guard let time = sight["time"]?.string, let contract = sight["contract"]?.bool, let sparring = sight["sparring"]?.bool else {
                throw ConfigurationError(
                    pointer, "expected time, contract and sparring: when it was seen, and whether they were as the vendor was")
            }
            sights[name] = Sight(
                time: time, hosts: try texts("hosts"), contract: contract, sparring: sparring, differences: try texts("differences"),
                noise: try texts("noise"))
        }
    }

    package subscript(operation: String) -> Sight? { sights[operation] }

    /// Puts what was seen now in place of what was seen before.
    package mutating func note(_ sight: Sight, of operation: String) { sights[operation] = sight }

    package var json: JSON {
        let rows = sights.sorted { $0.key < $1.key }.map { ($0.key, $0.value.json) }
        return ["operations": .object(JSON.Object(uniqueKeysWithValues: rows))]
    }
}
