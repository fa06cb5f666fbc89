internal import SparringJSON

/// The variation of a sandbox: a plan, and what it draws by.
package struct Variations: Sendable {
    package let plan: VariationPlan
    private let only: [VariationID: Int?]?
    private let without: Set<VariationID>
    private let draw: @Sendable (String) -> [UInt8]

    /// - Parameter draw: 32 bytes that are a pure function of the plan's seed and a text.
    package init(_ plan: VariationPlan, draw: @escaping @Sendable (String) -> [UInt8]) {
        self.plan = plan
        self.draw = draw
        only = plan.only.map { ids in Dictionary(ids.map { ($0.drawn, $0.choice) }) { first, _ in first } }
        without = Set(plan.without.map(\.drawn))
    }

    /// Values are sent in another spelling that clients send back.
    package var mayTakeBack: Bool {
        let families = only.map { Set($0.keys.map(\.family)) } ?? plan.families
        return !families.isDisjoint(with: [.length, .integers, .oddItem, .unknownMessage])
    }

    /// The chance of a change: a family alone varies everything once, so that one run shows what there is; several together vary a part.
    private func chance(_ subject: VariationID.Subject) -> Double {
        let isFirst = if case .sent(_, _, let ordinal) = subject { ordinal == 1 } else { true }
        return (isFirst ? 1 : 0.5) * (plan.families.count == 1 ? 1 : 0.5)
    }

    /// Whether a place is varied, and how.
    ///
    /// - Parameter choices: how many ways there are, at least one.
    package func pick(_ family: VariationFamily, _ subject: VariationID.Subject, _ place: String, of choices: Int) -> VariationPick? {
        let id = VariationID(family, subject, place)
        var forced: Int?
        if let only {
            guard let choice = only[id] else { return nil }
            forced = choice
        } else {
            guard plan.families.contains(family), !without.contains(id) else { return nil }
        }
        let bytes = draw(id.description)
        if only == nil {
            let fraction = Double(bytes[0..<6].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }) / Double(UInt64(1) << 48)
            // Every second turn varies what the one before has left alone.
            let isDrawn = fraction < chance(subject)
            guard plan.turn.isMultiple(of: 2) ? isDrawn : !isDrawn || chance(subject) == 1 else { return nil }
        }
        let index = min(forced ?? (Int(bytes[6]) + plan.turn) % choices, choices - 1)
        return VariationPick(id: VariationID(family, subject, place, choice: index), index: index, word: String(bytes[7..<9].hex.prefix(3)))
    }
}

/// A change that is made.
package struct VariationPick: Sendable {
    package let id: VariationID
    /// The number of the way, from 0.
    package let index: Int
    /// Three hexadecimal digits, by which what has no meaning is called.
    package let word: String
}
