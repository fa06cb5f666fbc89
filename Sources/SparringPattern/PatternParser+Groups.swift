/// The syntax behind the `(` of a group, and quantifiers.
extension PatternParser {
    /// Reads up to what the group holds.
    ///
    /// - Parameter isFirst: whether nothing but flags stands before it.
    /// - Returns: false for flags of the whole expression, `(?i)`, which hold nothing.
    mutating func groupHead(from start: Int, isFirst: Bool) throws(PatternError) -> Bool {
        guard take("?") else { return true }
        switch next {
        case ":": skip(1)
        case "=", "!": throw refused(start, 1, "look-ahead cannot be matched in linear time", isMalformed: false)
        case "<":
            if peek(1) == "=" || peek(1) == "!" {
                throw refused(start, 2, "look-behind cannot be matched in linear time", isMalformed: false)
            }
            skip(1)
            try groupName(from: start)
        case ">": throw refused(start, 1, "an atomic group is not ECMA-262")
        case "(": throw refused(start, 1, "a condition is not ECMA-262")
        case "R", "&", "0", "1", "2", "3", "4", "5", "6", "7", "8", "9": throw refused(start, 1, "recursion is not ECMA-262")
        case "P": throw refused(start, 1, "not ECMA-262, which writes (?<name>…)")
        case let scalar? where scalar == "-" || scalar.properties.isAlphabetic: return try flagGroup(from: start, isFirst: isFirst)
        default: throw refused(start, 1, "this kind of group is not ECMA-262")
        }
        return true
    }

    private mutating func groupName(from start: Int) throws(PatternError) {
        let first = position
        while let scalar = next, scalar != ">" {
            let isLegal =
                scalar == "$" || scalar == "_"
                || (position == first
                    ? scalar.properties.isIDStart : scalar.properties.isIDContinue || "\u{200C}\u{200D}".unicodeScalars.contains(scalar))
            guard isLegal else { throw refused(1, "it cannot stand in a group's name") }
            skip(1)
        }
        let name = text(from: first)
        guard take(">") else { throw refused(start, 0, "the group's name has no '>'") }
        guard !name.isEmpty else { throw refused(start, 0, "the group's name is missing") }
        guard groupNames.insert(name).inserted else { throw refused(start, 0, "another group has that name") }
    }

    /// `(?i)` or the head of `(?i:…)`, with any of the flags, those behind a `-` taken away.
    private mutating func flagGroup(from start: Int, isFirst: Bool) throws(PatternError) -> Bool {
        guard dialect == .script else { throw refused(start, 1, "a schema's expression has no flags") }
        var given: Flags = []
        var taken: Flags = []
        var isTaking = false
        while let scalar = next, scalar != ")", scalar != ":" {
            switch scalar {
            case "-" where !isTaking: isTaking = true
            case "i", "m", "s":
                let flag: Flags = scalar == "i" ? .ignoresCase : scalar == "m" ? .multiline : .dotAll
                guard given.union(taken).isDisjoint(with: flag) else { throw refused(1, "the flag is given twice") }
                if isTaking { taken.insert(flag) } else { given.insert(flag) }
            default: throw refused(1, "there is no such flag, only i, m and s")
            }
            skip(1)
        }
        guard !given.isEmpty || !taken.isEmpty else { throw refused(start, 1, "flags are missing") }
        let isWhole = next == ")"
        guard next != nil else { throw refused(start, 0, "the group has no ')'") }
        skip(1)
        guard !isWhole || isFirst else {
            throw refused(start, 0, "flags for all stand at the beginning; those for a part are written (?i:…)")
        }
        flags = flags.union(given).subtracting(taken)
        return !isWhole
    }

    // MARK: Quantifiers

    /// The quantifier that stands here, if any. Lazy or greedy is the same to what is found or not.
    mutating func repetition() throws(PatternError) -> (minimum: Int, maximum: Int?)? {
        let start = position
        let bounds: (minimum: Int, maximum: Int?)
        switch next {
        case "*": bounds = (0, nil)
        case "+": bounds = (1, nil)
        case "?": bounds = (0, 1)
        case "{":
            skip(1)
            bounds = try numbers(from: start)
        default: return nil
        }
        skip(1)
        if take("?") { return bounds }
        if next == "+" { throw refused(start, 1, "a possessive quantifier is not ECMA-262") }
        return bounds
    }

    /// Up to the `}`.
    private mutating func numbers(from start: Int) throws(PatternError) -> (minimum: Int, maximum: Int?) {
        let minimum = number()
        var maximum = minimum
        let isRange = take(",")
        if isRange { maximum = number() }
        guard let minimum, next == "}" else {
            throw refused("{", at: start, "a quantifier is {n}, {n,} or {n,m}; as a character it is written \\{")
        }
        if let maximum, maximum < minimum { throw refused(start, 1, "the numbers are in the wrong order") }
        return (minimum, maximum)
    }

    /// Nil without any digit. A large number is as good as ``PatternNode/tooMany``.
    private mutating func number() -> Int? {
        var number: Int?
        while let digit = next?.value, 0x30...0x39 ~= digit {
            number = min((number ?? 0) * 10 + Int(digit - 0x30), PatternNode.tooMany)
            skip(1)
        }
        return number
    }
}
