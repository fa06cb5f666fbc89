internal import SparringJSON

/// Filters (RFC 9535 §2.3.5) and functions (§2.4).
extension JSONPathParser {
    mutating func condition() throws(JSONPathError) -> JSONPath.Condition {
        try nest()
        defer { unnest() }
        var alternatives = [try conjunction()]
        while takeOperator("||") { alternatives.append(try conjunction()) }
        return alternatives.count == 1 ? alternatives[0] : .either(alternatives)
    }

    private mutating func conjunction() throws(JSONPathError) -> JSONPath.Condition {
        var conditions = [try basic()]
        while takeOperator("&&") { conditions.append(try basic()) }
        return conditions.count == 1 ? conditions[0] : .all(conditions)
    }

    /// With blanks around it; nothing is taken where it does not come.
    private mutating func takeOperator(_ word: String) -> Bool {
        let start = position
        skipBlanks()
        guard take(word) else {
            moveBack(to: start)
            return false
        }
        skipBlanks()
        return true
    }

    private mutating func basic() throws(JSONPathError) -> JSONPath.Condition {
        let isNegated = take("!")
        if isNegated { skipBlanks() }
        if take("(") {
            skipBlanks()
            let condition = try condition()
            skipBlanks()
            guard take(")") else { throw unexpected("')'") }
            return isNegated ? .not(condition) : condition
        }
        let start = position
        let term = try term()
        if !isNegated, let comparison = takeComparison() {
            let left = try comparable(term, at: start)
            let place = position
            return .compare(left, comparison, try comparable(try self.term(), at: place))
        }
        let test = try test(term, at: start)
        return isNegated ? .not(test) : test
    }

    private mutating func takeComparison() -> JSONPath.Comparison? {
        for comparison in JSONPath.Comparison.allCases where takeOperator(comparison.rawValue) { return comparison }
        return nil
    }

    /// A side of a comparison, a test by itself, or an argument of a function.
    private enum Term {
        case literal(JSON)
        case query(JSONPath.FilterQuery)
        /// A function that gives a value.
        case value(JSONPath.Operand)
        /// A function that gives true or false.
        case logical(JSONPath.Condition)
    }

    private func comparable(_ term: Term, at start: Int) throws(JSONPathError) -> JSONPath.Operand {
        switch term {
        case .literal(let json): return .literal(json)
        case .value(let operand): return operand
        case .query(let query):
            guard query.isSingular else { throw error("a query that is compared selects one value at most", at: start) }
            return .query(query)
        case .logical: throw error("the function gives no value that can be compared", at: start)
        }
    }

    private func test(_ term: Term, at start: Int) throws(JSONPathError) -> JSONPath.Condition {
        switch term {
        case .query(let query): return .exists(query)
        case .logical(let condition): return condition
        case .literal: throw error("a literal must be compared", at: start)
        case .value: throw error("the function's value must be compared", at: start)
        }
    }

    private mutating func term() throws(JSONPathError) -> Term {
        switch peek {
        case "@", "$":
            let isRelative = next() == "@"
            return .query(JSONPath.FilterQuery(isRelative: isRelative, segments: try segments()))
        case "'", "\"": return .literal(.string(try string()))
        case let scalar? where scalar == "-" || Self.isDigit(scalar): return .literal(try number())
        default: return try word()
        }
    }

    private mutating func word() throws(JSONPathError) -> Term {
        let start = position
        let name = takeAll { ("a"..."z").contains($0) || $0 == "_" || Self.isDigit($0) }
        guard !name.isEmpty else { throw unexpected("a query, a literal or a function") }
        if take("(") { return try function(name, at: start) }
        switch name {
        case "true": return .literal(.bool(true))
        case "false": return .literal(.bool(false))
        case "null": return .literal(.null)
        default: throw error("'\(name)' is neither a literal nor a function", at: start)
        }
    }

    /// A number of JSON.
    private mutating func number() throws(JSONPathError) -> JSON {
        let start = position
        let text = takeAll { Self.isDigit($0) || "+-.eE".unicodeScalars.contains($0) }
        guard let number = try? JSON(parsing: Array(text.utf8)) else { throw error("'\(text)' is not a number", at: start) }
        return number
    }

    // MARK: Functions

    private mutating func function(_ name: String, at start: Int) throws(JSONPathError) -> Term {
        try nest()
        defer { unnest() }
        var arguments: [(term: Term, place: Int)] = []
        skipBlanks()
        if !looksAt(")") {
            repeat {
                skipBlanks()
                let place = position
                arguments.append((try term(), place))
                skipBlanks()
            } while take(",")
        }
        guard take(")") else { throw unexpected("',' or ')'") }
        let wanted = name == "match" || name == "search" ? 2 : 1
        guard ["length", "count", "value", "match", "search"].contains(name) else {
            throw error("there is no function '\(name)'; there are length, count, match, search and value", at: start)
        }
        guard arguments.count == wanted else {
            throw error("\(name)() takes \(wanted == 1 ? "one argument" : "two arguments")", at: start)
        }
        func value(_ index: Int) throws(JSONPathError) -> JSONPath.Operand {
            try comparable(arguments[index].term, at: arguments[index].place)
        }
        func nodes() throws(JSONPathError) -> JSONPath.FilterQuery {
            guard case .query(let query) = arguments[0].term else { throw error("\(name)() takes a query", at: arguments[0].place) }
            return query
        }
        switch name {
        case "length": return .value(.length(try value(0)))
        case "count": return .value(.count(try nodes()))
        case "value": return .value(.value(try nodes()))
        default: return .logical(.matches(try value(0), try value(1), isWhole: name == "match"))
        }
    }
}
