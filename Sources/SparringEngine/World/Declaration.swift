import SparringJSON

/// An object in a file or a request that people write by hand, read member by member; what is wrong is told with its place.
struct Declaration {
    let json: JSON
    let pointer: JSONPointer

    /// - Throws: ``ConfigurationError`` where there is no object, or a member that nobody knows.
    init(_ json: JSON, at pointer: JSONPointer, known: [String]) throws(ConfigurationError) {
        self.json = json
        self.pointer = pointer
        guard let members = json.object else { throw ConfigurationError(pointer, "a mapping should stand here") }
        for name in members.keys where !known.contains(name) {
            let nearest = Nearest.words(to: name, in: known).first.map { " (did you mean '\($0)'?)" } ?? ""
            throw ConfigurationError(pointer.appending(name), "unknown member '\(name)'" + nearest)
        }
    }

    func error(_ name: String, _ message: String) -> ConfigurationError { ConfigurationError(pointer.appending(name), message) }

    func text(_ name: String) throws(ConfigurationError) -> String {
        guard let text = try optionalText(name) else { throw ConfigurationError(pointer, "'\(name)' is missing: a text") }
        return text
    }

    func optionalText(_ name: String) throws(ConfigurationError) -> String? {
        guard let value = json[name] else { return nil }
        guard let text = value.string, text.contains(where: { !$0.isWhitespace }) else { throw error(name, "'\(name)' is a text") }
        return text
    }

    /// Empty where there is none.
    func list(_ name: String) throws(ConfigurationError) -> [JSON] {
        guard let value = json[name] else { return [] }
        guard let list = value.array else { throw error(name, "'\(name)' is a list") }
        return list
    }
}
