/// Reads a query (RFC 9535, appendix A).
struct JSONPathParser {
    private let scalars: [Unicode.Scalar]
    private(set) var position = 0
    /// The number of brackets and parentheses that are open.
    private var depth = 0
    private static let mostDepth = 100

    init(_ text: String) { scalars = Array(text.unicodeScalars) }

    mutating func query() throws(JSONPathError) -> [JSONPath.Segment] {
        guard scalars.count <= JSONPath.mostScalars else { throw error("the query is longer than \(JSONPath.mostScalars) characters") }
        guard take("$") else { throw error("a query begins with $") }
        let segments = try segments()
        guard peek == nil else { throw unexpected("a segment, such as .name or [0]") }
        return segments
    }

    mutating func segments() throws(JSONPathError) -> [JSONPath.Segment] {
        var segments: [JSONPath.Segment] = []
        while true {
            let start = position
            skipBlanks()
            guard let segment = try segment() else {
                position = start
                return segments
            }
            segments.append(segment)
        }
    }

    private mutating func segment() throws(JSONPathError) -> JSONPath.Segment? {
        if take("[") { return JSONPath.Segment(selectors: try bracketed()) }
        guard take(".") else { return nil }
        let isDescendant = take(".")
        if isDescendant, take("[") { return JSONPath.Segment(isDescendant: true, selectors: try bracketed()) }
        if take("*") { return JSONPath.Segment(isDescendant: isDescendant, selectors: [.wildcard]) }
        guard let first = peek, Self.isNameFirst(first) else { throw unexpected("a name or *") }
        return JSONPath.Segment(isDescendant: isDescendant, selectors: [.name(takeAll { Self.isNameFirst($0) || Self.isDigit($0) })])
    }

    private mutating func bracketed() throws(JSONPathError) -> [JSONPath.Selector] {
        try nest()
        defer { depth -= 1 }
        var selectors: [JSONPath.Selector] = []
        repeat {
            skipBlanks()
            selectors.append(try selector())
            skipBlanks()
        } while take(",")
        guard take("]") else { throw unexpected("',' or ']'") }
        return selectors
    }

    private mutating func selector() throws(JSONPathError) -> JSONPath.Selector {
        switch peek {
        case "'", "\"": return .name(try string())
        case "*":
            position += 1
            return .wildcard
        case "?":
            position += 1
            skipBlanks()
            return .filter(try condition())
        default: return try indexOrSlice()
        }
    }

    private mutating func indexOrSlice() throws(JSONPathError) -> JSONPath.Selector {
        let start = try index()
        let end = position
        skipBlanks()
        guard take(":") else {
            position = end
            guard let start else { throw unexpected("a name in quotes, an index, a slice, * or a filter") }
            return .index(start)
        }
        skipBlanks()
        let stop = try index()
        skipBlanks()
        var step: Int?
        if take(":") {
            skipBlanks()
            step = try index()
        }
        return .slice(start: start, end: stop, step: step ?? 1)
    }

    /// A whole number without leading zeros that JSON can interchange (RFC 7493 §2.2); nil where there is none.
    private mutating func index() throws(JSONPathError) -> Int? {
        let start = position
        let isNegative = take("-")
        let digits = takeAll(where: Self.isDigit)
        guard !digits.isEmpty else {
            if isNegative { throw unexpected("a digit") }
            return nil
        }
        guard digits == "0" ? !isNegative : !digits.hasPrefix("0"), digits.utf8.count <= 16, let value = Int(digits),
            value <= 9_007_199_254_740_991
        else { throw error("'\(isNegative ? "-" : "")\(digits)' is not an index", at: start) }
        return isNegative ? -value : value
    }

    // MARK: Characters

    var peek: Unicode.Scalar? { position < scalars.count ? scalars[position] : nil }

    func looksAt(_ word: String) -> Bool { scalars[position...].starts(with: word.unicodeScalars) }

    mutating func take(_ word: String) -> Bool {
        guard looksAt(word) else { return false }
        position += word.unicodeScalars.count
        return true
    }

    mutating func next() -> Unicode.Scalar? {
        guard let scalar = peek else { return nil }
        position += 1
        return scalar
    }

    mutating func takeAll(where predicate: (Unicode.Scalar) -> Bool) -> String {
        var text = String.UnicodeScalarView()
        while let scalar = peek, predicate(scalar) {
            text.append(scalar)
            position += 1
        }
        return String(text)
    }

    mutating func skipBlanks() {
        while let scalar = peek, scalar == " " || scalar == "\t" || scalar == "\n" || scalar == "\r" { position += 1 }
    }

    mutating func moveBack(to position: Int) { self.position = position }

    mutating func nest() throws(JSONPathError) {
        depth += 1
        guard depth <= Self.mostDepth else { throw error("more than \(Self.mostDepth) brackets are open") }
    }

    mutating func unnest() { depth -= 1 }

    static func isDigit(_ scalar: Unicode.Scalar) -> Bool { ("0"..."9").contains(scalar) }
    private static func isNameFirst(_ scalar: Unicode.Scalar) -> Bool {
        ("a"..."z").contains(scalar) || ("A"..."Z").contains(scalar) || scalar == "_" || scalar.value >= 0x80
    }

    // MARK: Errors

    func error(_ message: String, at position: Int? = nil) -> JSONPathError {
        JSONPathError(position: (position ?? self.position) + 1, message: message)
    }

    func unexpected(_ expected: String) -> JSONPathError {
        error("expected \(expected), found \(peek.map { "'\($0)'" } ?? "the end")")
    }
}
