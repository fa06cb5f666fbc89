import SparringEngine
import SparringJSON
import SparringJournal

/// The members of a tenant's configuration, read one by one; what cannot be used is refused with its place.
struct Members {
    let object: JSON.Object
    let pointer: JSONPointer

    /// - Parameter known: the names that may stand here; any other is refused, with the nearest known one.
    init(_ json: JSON, at pointer: JSONPointer = .root, known: [String]) throws(ConfigurationError) {
        guard let object = json.object else { throw ConfigurationError(pointer, "expected an object, not \(json.typeName)") }
        for name in object.keys where !known.contains(name) {
            throw ConfigurationError(pointer.appending(name), "unknown member \(name.quoted)" + Nearest.hint(for: name, in: known))
        }
        self.object = object
        self.pointer = pointer
    }

    func error(_ name: String, _ message: String) -> ConfigurationError { ConfigurationError(pointer.appending(name), message) }

    /// Nil where the member is missing or null.
    func string(_ name: String) throws(ConfigurationError) -> String? { try value(name, "a string") { $0.string } }
    func bool(_ name: String) throws(ConfigurationError) -> Bool? { try value(name, "true or false") { $0.bool } }
    func integer<Number: FixedWidthInteger>(_ name: String, in range: ClosedRange<Number>) throws(ConfigurationError) -> Number? {
        try value(name, "a whole number from \(range.lowerBound) to \(range.upperBound)") { $0.integer(in: range) }
    }
    func object(_ name: String) throws(ConfigurationError) -> JSON.Object? { try value(name, "an object") { $0.object } }
    func array(_ name: String) throws(ConfigurationError) -> [JSON]? { try value(name, "a list") { $0.array } }

    func strings(_ name: String) throws(ConfigurationError) -> [String]? {
        try value(name, "a list of strings") { json in
            json.array.flatMap { list in list.allSatisfy { $0.string != nil } ? list.compactMap(\.string) : nil }
        }
    }

    /// A duration's text, or whole seconds.
    func duration(_ name: String) throws(ConfigurationError) -> Duration? {
        try value(name, "a duration such as 60s, 10m or PT1H, or whole seconds, of ten years at most") { json in
            Duration(text: json.string ?? json.integer.map { "\($0)s" } ?? "")
        }
    }

    /// A duration that is added to times.
    ///
    /// - Throws: beyond ten years: what it is added to must stay a time.
    func lifetime(_ name: String) throws(ConfigurationError) -> Duration? {
        let duration = try duration(name)
        if let duration, duration > .longest { throw error(name, "more than ten years") }
        return duration
    }

    /// A URL that is called: an absolute `http` or `https` URL, or a path of this server.
    func endpoint(_ name: String) throws(ConfigurationError) -> String? {
        guard let text = try string(name) else { return nil }
        do throws(HTTPURL.Malformed) {
            if text.hasPrefix("/") { try HTTPURL.checkPath(text) } else { _ = try HTTPURL(text) }
        } catch {
            throw self.error(
                name,
                "'\(text.abbreviated(to: 200))' \(error); a URL such as https://brand.example/keys or a path of this server is expected")
        }
        return text
    }

    /// One of a fixed set of words.
    func word<Word: RawRepresentable<String> & CaseIterable>(_ name: String, _ type: Word.Type) throws(ConfigurationError) -> Word? {
        try value(name, Word.allCases.map { "'\($0.rawValue)'" }.joined(separator: " or ")) { $0.string.flatMap(Word.init(rawValue:)) }
    }

    private func value<Value>(_ name: String, _ expected: String, _ read: (JSON) -> Value?) throws(ConfigurationError) -> Value? {
        guard let json = object[name], !json.isNull else { return nil }
        guard let value = read(json) else { throw error(name, "\(json.text.abbreviated(to: 100)) is not \(expected)") }
        return value
    }
}
