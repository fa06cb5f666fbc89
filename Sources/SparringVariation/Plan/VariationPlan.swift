package import SparringJSON

/// A sandbox's choice of families, and of changes within them.
package struct VariationPlan: Sendable, Equatable {
    package var seed: Int64
    package var families: Set<VariationFamily>
    /// These changes and no others; nil: those that the seed draws.
    package var only: [VariationID]?
    /// These are left out.
    package var without: [VariationID]
    /// Added to what is drawn of the ways of a change: 0, 1, 2 and so on give each of them once. Odd ones vary the places that even ones leave alone.
    package var turn: Int

    package init(
        seed: Int64, families: Set<VariationFamily> = Self.standard, only: [VariationID]? = nil, without: [VariationID] = [], turn: Int = 0
    ) {
        (self.seed, self.families, self.only, self.without, self.turn) = (seed, families, only, without, turn)
    }

    /// Those of tiers 1 and 2.
    package static let standard = Set(VariationFamily.allCases.filter { $0.tier != .wild })

    /// With those of tier 3.
    package static let wild = Set(VariationFamily.allCases)

    // MARK: As text and JSON

    /// Reads `7`, `7:V5,V12`, a number, or an object with `seed`, `families`, `only`, `without` and `wild`.
    ///
    /// - Throws: ``ConfigurationError`` with the place in `json`.
    package init(_ json: JSON, at pointer: JSONPointer = .root) throws(ConfigurationError) {
        switch json {
        case .integer, .string:
            try self.init(text: json.string ?? json.text, at: pointer)
        case .object:
            let declaration = try Declaration(json, at: pointer, known: ["seed", "families", "only", "without", "wild", "turn"])
            guard let seed = json["seed"]?.integer(in: 0...Int64.max) else {
                throw declaration.error("seed", "'seed' must be a whole number, 0 or more")
            }
            let isWild = try declaration.flag("wild") ?? false
            let names = try declaration.texts("families")
            var families: Set<VariationFamily> = []
            for name in names { families.insert(try Self.family(name, at: pointer.appending("families"))) }
            self.init(
                seed: seed, families: names.isEmpty ? isWild ? Self.wild : Self.standard : families,
                only: try json["only"].map { _ throws(ConfigurationError) in try Self.ids("only", declaration) },
                without: try Self.ids("without", declaration))
            if let turn = json["turn"] {
                guard let turn = turn.integer(in: 0...99) else { throw declaration.error("turn", "'turn' is a whole number from 0 to 99") }
                self.turn = Int(turn)
            }
        default:
            throw ConfigurationError(pointer, "a variation is a seed, SEED:V5,V12, or a mapping with 'seed'")
        }
    }

    /// Reads `7` or `7:V5,V12`.
    package init(text: String, at pointer: JSONPointer = .root) throws(ConfigurationError) {
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard let seed = String(parts[0]).integer(in: 0...Int64.max) else {
            throw ConfigurationError(pointer, "\(text.abbreviated(to: 100).quoted) has no seed: write SEED or SEED:V5,V12")
        }
        var families = parts.count == 1 ? Self.standard : []
        if parts.count == 2 {
            for name in parts[1].split(separator: ",", omittingEmptySubsequences: false) {
                families.insert(try Self.family(String(name), at: pointer))
            }
        }
        self.init(seed: seed, families: families)
    }

    private static func family(_ name: String, at pointer: JSONPointer) throws(ConfigurationError) -> VariationFamily {
        guard let family = VariationFamily(id: name) else {
            let known = VariationFamily.allCases.map(\.id).joined(separator: ", ")
            throw ConfigurationError(pointer, "there is no family \(name.abbreviated(to: 100).quoted) of variations; there are \(known)")
        }
        return family
    }

    private static func ids(_ name: String, _ declaration: Declaration) throws(ConfigurationError) -> [VariationID] {
        guard declaration.json[name] != .array([]) else { return [] }
        let place = declaration.pointer.appending(name)
        var ids: [VariationID] = []
        for (index, text) in try declaration.texts(name).enumerated() {
            do throws(ConfigurationError) { ids.append(try VariationID(text)) } catch { throw error.inside(place.appending(index)) }
        }
        return ids
    }

    /// The form that is kept with a sandbox; reading it gives the same.
    package var json: JSON {
        .members([
            "seed": .integer(seed), "families": .array(families.sorted().map { .string($0.id) }),
            "only": only.map { .array($0.map { .string($0.description) }) },
            "without": without.isEmpty ? nil : .array(without.map { .string($0.description) }),
            "turn": turn == 0 ? nil : .integer(Int64(turn)),
        ])
    }
}
