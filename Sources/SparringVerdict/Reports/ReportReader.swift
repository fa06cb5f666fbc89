import SparringJSON

/// Reads a report back, member by member. Members that it does not know are left alone: a later version may have written them.
struct ReportReader {
    private static let counts = 0...9_007_199_254_740_991
    let json: JSON
    let pointer: JSONPointer

    init(_ json: JSON, _ pointer: JSONPointer) { (self.json, self.pointer) = (json, pointer) }

    func text(_ name: String) throws(ConfigurationError) -> String { try need(json[name]?.string, name, "a string") }
    func number(_ name: String) throws(ConfigurationError) -> Double { try need(json[name]?.double, name, "a number") }
    func count(_ name: String) throws(ConfigurationError) -> Int {
        try need(json[name]?.integer(in: Self.counts), name, "a count")
    }
    /// Nil where there is no such member.
    func optionalCount(_ name: String) throws(ConfigurationError) -> Int? { json[name] == nil ? nil : try count(name) }
    func count64(_ name: String) throws(ConfigurationError) -> Int64 { try need(json[name]?.integer, name, "a whole number") }

    func word<Word: RawRepresentable>(_ name: String, as: Word.Type) throws(ConfigurationError) -> Word where Word.RawValue == String {
        try need(json[name]?.string.flatMap { Word(rawValue: $0) }, name, "a word that this version of Sparring knows")
    }

    /// A list of texts; empty where there is none.
    func texts(_ name: String) throws(ConfigurationError) -> [String] {
        try items(name).map { item throws(ConfigurationError) in
            guard let text = item.json.string else { throw ConfigurationError(item.pointer, "expected a string") }
            return text
        }
    }

    func counts(_ name: String) throws(ConfigurationError) -> [Int] {
        try items(name).map { item throws(ConfigurationError) in
            guard let count = item.json.integer(in: Self.counts) else { throw ConfigurationError(item.pointer, "expected a count") }
            return count
        }
    }

    /// Empty where there is no such member.
    func items(_ name: String) throws(ConfigurationError) -> [ReportReader] {
        guard let value = json[name] else { return [] }
        let list = try need(value.array, name, "a list")
        return list.enumerated().map { ReportReader($1, pointer.appending(name).appending($0)) }
    }

    func member(_ name: String) throws(ConfigurationError) -> ReportReader {
        ReportReader(try need(json[name], name, "an object"), pointer.appending(name))
    }

    private func need<Value>(_ value: Value?, _ name: String, _ what: String) throws(ConfigurationError) -> Value {
        guard let value else {
            throw ConfigurationError(pointer.appending(name), "this is not a Sparring report: expected \(what)")
        }
        return value
    }
}
