import SparringJSON

/// The values given for parameters, or their defaults, in the order of the text form.
struct FaultValues: Sendable {
    private var all: [(name: String, value: any Sendable, text: String, isWritten: Bool)] = []

    var names: [String] { all.map(\.name) }
    /// The values that the text form shows.
    var written: [(name: String, value: String)] { all.filter(\.isWritten).map { ($0.name, $0.text) } }

    mutating func add(_ text: String, as name: String, for parameter: FaultParameter) throws(FaultRefused) {
        let (value, text) = try parameter.value(text, of: name)
        all.append((name, value, text, text != parameter.unwritten))
    }

    mutating func rename(_ name: String, to other: String) {
        for index in all.indices where all[index].name == name { all[index].name = other }
    }

    subscript<Value>(_ name: String) -> Value? { all.first { $0.name == name }?.value as? Value }

    /// Those whose names begin so, without that beginning.
    func texts(prefix: String) -> [(rest: String, text: String)] {
        all.filter { $0.name.hasPrefix(prefix) }.map { (String($0.name.dropFirst(prefix.count)), $0.text) }
    }
}

/// Reads what stands behind a fault's effect, `key=value`.
struct FaultParameters {
    private let effect: String
    private let given: [String: String]

    init(effect: String, _ given: [(String, String)]) throws(FaultRefused) {
        self.effect = effect
        var parameters: [String: String] = [:]
        for (name, value) in given {
            guard parameters.updateValue(value, forKey: name) == nil else { throw FaultRefused("'\(name)' is given twice") }
        }
        self.given = parameters
    }

    func read(_ parameters: [FaultParameter]) throws(FaultRefused) -> FaultValues {
        var values = FaultValues()
        for parameter in parameters {
            let names = parameter.isPrefix ? given.keys.filter { $0.hasPrefix(parameter.name) }.sorted() : [parameter.name]
            for name in names {
                if let text = given[name] ?? parameter.fallback {
                    try values.add(text, as: name, for: parameter)
                } else if parameter.isRequired {
                    throw missing(parameter, of: parameters)
                }
            }
        }
        for parameter in parameters where given[parameter.name] != nil {
            if let other = parameter.excludes, given[other] != nil {
                throw FaultRefused("\(parameter.name)= and \(other)= cannot be used together")
            }
            if let needs = parameter.needs, given[needs.name] == nil {
                throw FaultRefused("'\(effect)' has \(parameter.name)= without \(needs.name)=: \(needs.because)")
            }
        }
        return values
    }

    private func missing(_ parameter: FaultParameter, of all: [FaultParameter]) -> FaultRefused {
        let required = all.filter(\.isRequired)
        let what =
            switch parameter.form {
            case .declared(let words): "\(parameter.name)=, one of \(words.joined(separator: ", "))"
            case .number(let range) where required.count == 1: "\(parameter.name)=, a number \(range.words)"
            default:
                required.map { $0.name + "=" }.joined(separator: " and ") + ", such as " + required.map(\.usage).joined(separator: " ")
            }
        return FaultRefused("'\(effect)' needs \(what)")
    }

    /// Refuses a name that none of these parameters has.
    func requireKnown(among parameters: [FaultParameter]) throws(FaultRefused) {
        func isKnown(_ name: String) -> Bool { parameters.contains { $0.isPrefix ? name.hasPrefix($0.name) : name == $0.name } }
        guard let unknown = given.keys.sorted().first(where: { !isKnown($0) }) else { return }
        let known = parameters.map { $0.isPointer ? $0.name + "/" : $0.name }
        throw FaultRefused("'\(effect)' has no parameter '\(unknown)'", nearest: Nearest.words(to: unknown, in: known))
    }
}
