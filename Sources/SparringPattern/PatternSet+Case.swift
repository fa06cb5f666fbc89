/// The same letters in either case.
extension PatternSet {
    /// With everything that differs from a member only in case.
    var withOtherCases: PatternSet {
        let known = CaseGroups.known.others
        let count = ranges.reduce(0) { $0 + $1.count }
        let others = count < known.count ? ranges.joined().flatMap { known[$0] ?? [] } : known.flatMap { contains($0) ? $1 : [] }
        return others.isEmpty ? self : PatternSet(ranges + others.map { $0...$0 })
    }
}

/// Groups of characters that differ only in case. ECMA-262 asks for Unicode's simple case folding (§22.2.2.7.3), which the standard
/// library does not have; it has the mappings that the folding is made of.
private struct CaseGroups: Sendable {
    /// The others of a character's group.
    let others: [UInt32: [UInt32]]

    /// No character of a higher plane has a case.
    private static let highest: UInt32 = 0x1FFFF

    static let known: CaseGroups = {
        var groups: [UInt32: [UInt32]] = [:]
        for value in 0...highest {
            guard let scalar = Unicode.Scalar(value), scalar.properties.changesWhenCaseMapped else { continue }
            groups[folded(scalar).value, default: []].append(value)
        }
        var others: [UInt32: [UInt32]] = [:]
        for group in groups.values where group.count > 1 {
            for scalar in group { others[scalar] = group.filter { $0 != scalar } }
        }
        return CaseGroups(others: others)
    }()

    /// The lower case of the upper case, each only where it is one character.
    private static func folded(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
        // The dotless i, whose upper case is I, folds to i in Turkic texts only.
        if scalar == "\u{131}" { return scalar }
        let upper = only(scalar.properties.uppercaseMapping) ?? scalar
        return only(upper.properties.lowercaseMapping) ?? upper
    }

    private static func only(_ text: String) -> Unicode.Scalar? {
        text.unicodeScalars.count == 1 ? text.unicodeScalars.first : nil
    }
}
