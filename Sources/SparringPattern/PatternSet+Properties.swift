/// The sets that `\p{…}` names: general categories, and what follows from them.
extension PatternSet {
    /// A value of General_Category by its short or long name, bare or behind `gc=` or `General_Category=`, or one of `Any`, `ASCII` and
    /// `Assigned`. Nil for all else: the standard library does not know the scripts.
    init?(property: String) {
        switch property {
        case "Any": self = .all
        case "ASCII": self = PatternSet([0...0x7F])
        case "Assigned": self = Self.category("Cn").inverted
        default:
            let name = ["gc=", "General_Category="].first(where: property.hasPrefix).map { property.dropFirst($0.count) } ?? property[...]
            guard let short = Self.short(String(name)) else { return nil }
            self = Self.category(short)
        }
    }

    /// `L` is all of `Lu`, `Ll`, `Lt`, `Lm` and `Lo`; `LC` the first three.
    private static func category(_ short: String) -> PatternSet {
        let parts =
            short == "LC" ? ["Lu", "Ll", "Lt"] : short.count == 1 ? categories.map(\.short).filter { $0.hasPrefix(short) } : [short]
        return PatternSet(parts.flatMap { scanned[$0]?.ranges ?? [] })
    }

    private static func short(_ name: String) -> String? {
        (groups + categories.map { ($0.short, $0.long) }).first { $0.0 == name || $0.1 == name }?.0
    }

    private static let groups = [
        ("L", "Letter"), ("LC", "Cased_Letter"), ("M", "Mark"), ("M", "Combining_Mark"), ("N", "Number"), ("P", "Punctuation"),
        ("P", "punct"), ("S", "Symbol"), ("Z", "Separator"), ("C", "Other"), ("Nd", "digit"), ("Cc", "cntrl"),
    ]

    private static let categories: [(short: String, long: String, value: Unicode.GeneralCategory)] = [
        ("Lu", "Uppercase_Letter", .uppercaseLetter), ("Ll", "Lowercase_Letter", .lowercaseLetter),
        ("Lt", "Titlecase_Letter", .titlecaseLetter), ("Lm", "Modifier_Letter", .modifierLetter), ("Lo", "Other_Letter", .otherLetter),
        ("Mn", "Nonspacing_Mark", .nonspacingMark), ("Mc", "Spacing_Mark", .spacingMark), ("Me", "Enclosing_Mark", .enclosingMark),
        ("Nd", "Decimal_Number", .decimalNumber), ("Nl", "Letter_Number", .letterNumber), ("No", "Other_Number", .otherNumber),
        ("Pc", "Connector_Punctuation", .connectorPunctuation), ("Pd", "Dash_Punctuation", .dashPunctuation),
        ("Ps", "Open_Punctuation", .openPunctuation), ("Pe", "Close_Punctuation", .closePunctuation),
        ("Pi", "Initial_Punctuation", .initialPunctuation), ("Pf", "Final_Punctuation", .finalPunctuation),
        ("Po", "Other_Punctuation", .otherPunctuation), ("Sm", "Math_Symbol", .mathSymbol), ("Sc", "Currency_Symbol", .currencySymbol),
        ("Sk", "Modifier_Symbol", .modifierSymbol), ("So", "Other_Symbol", .otherSymbol), ("Zs", "Space_Separator", .spaceSeparator),
        ("Zl", "Line_Separator", .lineSeparator), ("Zp", "Paragraph_Separator", .paragraphSeparator), ("Cc", "Control", .control),
        ("Cf", "Format", .format), ("Cs", "Surrogate", .surrogate), ("Co", "Private_Use", .privateUse), ("Cn", "Unassigned", .unassigned),
    ]

    /// The sets of the categories, by short name; all code points are looked through once, when the first property is needed.
    private static let scanned: [String: PatternSet] = {
        var ranges: [Unicode.GeneralCategory: [ClosedRange<UInt32>]] = [.unassigned: [emptyPlanes]]
        for planes in [0...(emptyPlanes.lowerBound - 1), (emptyPlanes.upperBound + 1)...last] {
            var (start, current) = (planes.lowerBound, category(of: planes.lowerBound))
            for value in planes {
                let category = category(of: value)
                if category == current { continue }
                ranges[current, default: []].append(start...(value - 1))
                (start, current) = (value, category)
            }
            ranges[current, default: []].append(start...planes.upperBound)
        }
        return Dictionary(uniqueKeysWithValues: categories.map { ($0.short, PatternSet(ranges[$0.value] ?? [])) })
    }()

    /// Planes 4 to 13, in which no version of Unicode has a character: more than half of all code points.
    private static let emptyPlanes: ClosedRange<UInt32> = 0x40000...0xDFFFF

    private static func category(of value: UInt32) -> Unicode.GeneralCategory {
        Unicode.Scalar(value)?.properties.generalCategory ?? .surrogate
    }
}
