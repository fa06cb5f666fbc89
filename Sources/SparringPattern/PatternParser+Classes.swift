/// Characters, escapes and classes.
extension PatternParser {
    /// A member of a class, or the meaning of an escape.
    enum Member {
        case scalar(UInt32)
        case set(PatternSet)

        var set: PatternSet {
            switch self {
            case .scalar(let scalar): PatternSet(scalar)
            case .set(let set): set
            }
        }
    }

    /// `[…]` or `[^…]`. `[]` is nothing and `[^]` anything, as in ECMA-262.
    mutating func characterClass() throws(PatternError) -> PatternSet {
        let start = position
        skip(1)
        let isInverted = take("^")
        var ranges: [ClosedRange<UInt32>] = []
        var properties: Set<String> = []
        while !take("]") {
            let place = position
            guard let first = try member(from: start) else { throw refused("[", at: start, "the class has no ']'") }
            guard next == "-", let end = peek(1), end != "]" else {
                // Named twice, a property would only take its time again.
                guard case .set(let set) = first else { ranges += first.set.ranges; continue }
                if properties.insert(text(from: place)).inserted { ranges += set.ranges }
                continue
            }
            skip(1)
            guard let last = try member(from: start) else { throw refused("[", at: start, "the class has no ']'") }
            guard case .scalar(let lower) = first, case .scalar(let upper) = last else {
                throw refused(place, 0, "a range goes from one character to another")
            }
            guard lower <= upper else { throw refused(place, 0, "the range is in the wrong order") }
            ranges.append(lower...upper)
        }
        let set = cased(PatternSet(ranges))
        return isInverted ? set.inverted : set
    }

    /// One of a class; nil where the expression ends.
    private mutating func member(from start: Int) throws(PatternError) -> Member? {
        guard let scalar = next else { return nil }
        switch scalar {
        case "\\": return try escape(inClass: true)
        case "[" where peek(1) == ":":
            throw refused("[:", at: position, "a POSIX class is not ECMA-262; a '[' in a class is written \\[", isMalformed: false)
        case "&" where peek(1) == "&", "-" where peek(1) == "-", "~" where peek(1) == "~":
            throw refused(
                "\(scalar)\(scalar)", at: position, "sets cannot be calculated with; a '\(scalar)' in a class is written \\\(scalar)",
                isMalformed: false)
        default:
            skip(1)
            return .scalar(scalar.value)
        }
    }

    /// Reads an escape: everything that begins with a `\`, but for `\b` and `\B` outside of a class.
    mutating func escape(inClass: Bool) throws(PatternError) -> Member {
        let start = position
        skip(1)
        guard let scalar = next else { throw refused("\\", at: start, "a character should follow") }
        skip(1)
        switch scalar {
        case "d": return .set(.digits)
        case "D": return .set(.digits.inverted)
        case "s": return .set(.spaces)
        case "S": return .set(.spaces.inverted)
        // Without case, two more are like letters of ASCII (ECMA-262 §22.2.2.9.3).
        case "w": return .set(cased(.words))
        case "W": return .set(cased(.words).inverted)
        case "b" where inClass: return .scalar(0x8)
        case "t": return .scalar(0x9)
        case "n": return .scalar(0xA)
        case "v": return .scalar(0xB)
        case "f": return .scalar(0xC)
        case "r": return .scalar(0xD)
        case "0":
            if let digit = next, "0123456789".unicodeScalars.contains(digit) {
                throw refused(start, 1, "octal numbers are not ECMA-262; write \\x or \\u")
            }
            return .scalar(0)
        case _ where !inClass && "123456789k".unicodeScalars.contains(scalar):
            throw refused(start, 0, "a back reference cannot be matched in linear time", isMalformed: false)
        case "c":
            guard let letter = next?.value, 0x41...0x5A ~= letter & ~0x20 else {
                throw refused("\\c", at: start, "a letter should follow")
            }
            skip(1)
            return .scalar(letter & 0x1F)
        case "x":
            guard let value = hexadecimal(2) else { throw refused("\\x", at: start, "two hexadecimal digits should follow") }
            return .scalar(value)
        case "u": return .scalar(try unicodeEscape(from: start))
        case "p", "P": return .set(try property(from: start, isInverted: scalar == "P"))
        case "-" where inClass: return .scalar(scalar.value)
        case _ where "^$\\.*+?()[]{}|/".unicodeScalars.contains(scalar): return .scalar(scalar.value)
        case _ where scalar.properties.isAlphabetic || scalar.properties.numericType != nil:
            throw refused(start, 0, "not ECMA-262")
        default: throw refused(start, 0, "it means itself: the '\\' has to go")
        }
    }

    /// Exactly that many digits.
    private mutating func hexadecimal(_ count: Int) -> UInt32? {
        var value: UInt32 = 0
        for offset in 0..<count {
            guard let digit = peek(offset)?.hexadecimalValue else { return nil }
            value = value << 4 | digit
        }
        skip(count)
        return value
    }

    /// Behind `\u`: four digits, twice that for a surrogate pair, or any number in braces.
    private mutating func unicodeEscape(from start: Int) throws(PatternError) -> UInt32 {
        guard take("{") else {
            guard let value = hexadecimal(4) else { throw refused("\\u", at: start, "four hexadecimal digits or {…} should follow") }
            guard 0xD800...0xDBFF ~= value, next == "\\", peek(1) == "u" else { return value }
            let second = position
            skip(2)
            guard let low = hexadecimal(4), 0xDC00...0xDFFF ~= low else {
                skip(second - position)
                return value
            }
            return 0x10000 + (value - 0xD800) << 10 + (low - 0xDC00)
        }
        var value: UInt32?
        while let digit = next?.hexadecimalValue {
            value = min((value ?? 0) << 4 | digit, PatternSet.last + 1)
            skip(1)
        }
        guard let value, take("}") else { throw refused("\\u{", at: start, "hexadecimal digits and '}' should follow") }
        guard value <= PatternSet.last else { throw refused(start, 0, "Unicode ends at 10FFFF") }
        return value
    }

    /// Behind `\p` or `\P`.
    private mutating func property(from start: Int, isInverted: Bool) throws(PatternError) -> PatternSet {
        guard take("{") else { throw refused(start, 0, "{…} should follow") }
        let first = position
        while let scalar = next, scalar != "}" {
            guard scalar.isASCII, scalar.properties.isAlphabetic || "_=0123456789".unicodeScalars.contains(scalar) else {
                throw refused(1, "it cannot stand in a property's name")
            }
            skip(1)
        }
        let name = text(from: first)
        guard take("}") else { throw refused(start, 0, "'}' should follow") }
        guard let set = PatternSet(property: name) else {
            throw refused(start, 0, "only general categories are known, such as L, Lu or Nd", isMalformed: false)
        }
        return isInverted ? set.inverted : set
    }
}

extension Unicode.Scalar {
    fileprivate var hexadecimalValue: UInt32? {
        switch value {
        case 0x30...0x39: value - 0x30
        case 0x41...0x46: value - 0x41 + 10
        case 0x61...0x66: value - 0x61 + 10
        default: nil
        }
    }
}
