/// An object in a file or a request that people write by hand, read member by member; each error comes with its place.
public struct Declaration: Sendable {
    public let json: JSON
    public let pointer: JSONPointer

    /// - Throws: ``ConfigurationError`` where there is no object, or an unknown member.
    public init(_ json: JSON, at pointer: JSONPointer, known: [String]) throws(ConfigurationError) {
        self.json = json
        self.pointer = pointer
        guard let members = json.object else { throw ConfigurationError(pointer, "expected a mapping") }
        for name in members.keys where !known.contains(name) {
            let nearest = Nearest.hint(for: name, in: known)
            throw ConfigurationError(pointer.appending(name), Self.unknown(name) + nearest)
        }
    }

    /// The words for a member that is not known, with which each error about one begins, or goes on after its place.
    public static func unknown(_ name: String) -> String { "unknown member \(name.quoted)" }

    public func error(_ name: String, _ message: String) -> ConfigurationError { ConfigurationError(pointer.appending(name), message) }

    /// - Parameter kind: what it must be, in words.
    public func text(_ name: String, as kind: String = Self.usualText) throws(ConfigurationError) -> String {
        guard let text = try optionalText(name, as: kind) else {
            throw ConfigurationError(pointer, "'\(name)' is missing; it must be \(kind)", missing: name)
        }
        return text
    }

    /// The usual kind of text, in words.
    public static let usualText = "a non-empty string"

    public func optionalText(_ name: String, as kind: String = Self.usualText) throws(ConfigurationError) -> String? {
        try value(name, kind) { json in json.string.flatMap { $0.contains { !$0.isWhitespace } ? $0 : nil } }
    }

    /// Nil where there is none.
    public func flag(_ name: String) throws(ConfigurationError) -> Bool? { try value(name, "true or false", \.bool) }

    /// Nil where there is none.
    public func number(_ name: String) throws(ConfigurationError) -> Double? { try value(name, "a number", \.double) }

    /// Empty where there is none.
    public func list(_ name: String) throws(ConfigurationError) -> [JSON] { try value(name, "a list", \.array) ?? [] }

    /// - Parameter text: what stands in the member.
    package func duration(_ text: String, in name: String) throws(ConfigurationError) -> Duration {
        guard let duration = Duration(text: text) else {
            throw error(name, "'\(text)' is not a duration such as 200ms, 31s, 10m or PT10M")
        }
        return duration
    }

    /// Nil where there is none.
    ///
    /// - Parameter kind: what it must be, in words.
    package func value<Value>(_ name: String, _ kind: String, _ read: (JSON) -> Value?) throws(ConfigurationError) -> Value? {
        guard let member = json[name] else { return nil }
        guard let value = read(member) else { throw error(name, "'\(name)' must be \(kind)") }
        return value
    }

    /// The items of a list of objects; empty where there is none.
    public func items(_ name: String, known: [String]) throws(ConfigurationError) -> [Declaration] {
        try list(name).enumerated().map { index, item throws(ConfigurationError) in
            try Declaration(item, at: pointer.appending(name).appending(index), known: known)
        }
    }

    /// - Throws: where there is something else than one of `known`, with the nearest of them.
    public func word(_ name: String, among known: [String]) throws(ConfigurationError) -> String? {
        guard let text = try optionalText(name) else { return nil }
        guard known.contains(text) else {
            let nearest = Nearest.hint(for: text, in: known)
            throw error(name, "\(text.quoted) is not one of \(known.joined(separator: ", "))\(nearest)")
        }
        return text
    }

    /// One text, or a list of them; empty where there is none.
    public func texts(_ name: String) throws(ConfigurationError) -> [String] {
        guard let value = json[name] else { return [] }
        if let text = value.string { return [text] }
        guard let list = value.array, !list.isEmpty else { throw error(name, "'\(name)' must be a string or a list of strings") }
        return try list.enumerated().map { index, item throws(ConfigurationError) in
            guard let text = item.string else { throw ConfigurationError(pointer.appending(name).appending(index), "expected a string") }
            return text
        }
    }

    /// Nil where there is none.
    public func mapping(_ name: String, known: [String]) throws(ConfigurationError) -> Declaration? {
        guard let value = json[name] else { return nil }
        return try Declaration(value, at: pointer.appending(name), known: known)
    }
}
