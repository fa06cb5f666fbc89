import SparringContract
import SparringJSON

/// All that is wrong with a declaration: a scenario, the sandboxes of a configuration file, or a request for one. Reading and checking stop
/// at the first error: the review takes what is wrong out of a copy, and begins again.
struct DeclarationReview {
    /// The declaration as it was given.
    private let json: JSON
    private let check: (JSON) throws(ConfigurationError) -> Void
    /// The copy, without what was found.
    private var copy: JSON
    /// Elements of lists that were taken out, by their places in what was given.
    private var removed: [JSONPointer] = []
    /// All places of what was given that were changed in the copy.
    private var touched: [JSONPointer] = []
    /// The errors with their places in what was given.
    private(set) var errors: [ConfigurationError] = []

    /// Errors that are worth reading at once: each costs a reading of the whole.
    private static let mostErrors = 100

    /// Values that let what is missing or wrong be passed over, by the member's name.
    private static let stopgaps: [String: JSON] = [
        "scenario": "a", "title": "a", "about": "a", "because": "a", "fault": "* delay by=1ms", "faults": "* delay by=1ms",
    ]

    init(of json: JSON, _ check: @escaping (JSON) throws(ConfigurationError) -> Void) {
        self.check = check
        self.json = json
        copy = json
        while errors.count < Self.mostErrors, let error = next() {
            let pointer = error.missing.map { error.pointer.appending($0) } ?? error.pointer
            let place = original(of: pointer)
            if !follows(place) {
                errors.append(ConfigurationError(original(of: error.pointer), error.message, missing: error.missing))
            }
            guard pass(over: pointer, place) else { break }
        }
    }

    /// All that is wrong with a file, line by line.
    ///
    /// - Throws: ``ContractError`` for a file that is not YAML, which nothing more can be said of.
    static func errors(
        in text: String, file: String, _ check: @escaping (JSON) throws(ConfigurationError) -> Void
    ) throws(ContractError) -> [ContractError] {
        errors(in: try YAMLDocument(parsing: text, file: file), check)
    }

    static func errors(in document: YAMLDocument, _ check: @escaping (JSON) throws(ConfigurationError) -> Void) -> [ContractError] {
        let errors = DeclarationReview(of: document.json, check).errors
        return errors.map { document.error(at: $0.pointer, $0.message) }.sorted { ($0.line, $0.column) < ($1.line, $1.column) }
    }

    /// The first error of the copy.
    private func next() -> ConfigurationError? {
        do throws(ConfigurationError) {
            try check(copy)
            return nil
        } catch { return error }
    }

    /// Whether an error comes of what was taken out before: something is missing where it was, or the faults have other numbers.
    private func follows(_ place: JSONPointer) -> Bool {
        if touched.contains(where: { $0.tokens.starts(with: place.tokens) }) { return true }
        let isNumber =
            place.tokens.first == "timeline" && place.tokens.suffix(2) == ["with", "fault"] && json[place]?.integer != nil
        return isNumber && removed.contains { $0.tokens.first == "timeline" }
    }

    // MARK: The copy

    /// - Returns: whether the copy is another one now.
    private mutating func pass(over pointer: JSONPointer, _ place: JSONPointer) -> Bool {
        let before = copy
        let isKnown = touched.contains(place)
        touched.append(place)
        let tokens = pointer.tokens
        guard let last = tokens.last else { return false }
        // What is still wrong after it was passed over goes with all that it belongs to: each round leaves less, and the review ends.
        if isKnown {
            guard let element = tokens.lastIndex(where: { Self.index($0) != nil }) else { return false }
            remove(Array(tokens[...element]), JSONPointer(tokens: Array(place.tokens[...element])))
            return copy != before
        }
        if tokens.first == "timeline", last == "at", tokens.count == 3, let index = Self.index(tokens[1]) {
            let earlier = index > 0 ? copy[["timeline", String(index - 1), "at"]] : nil
            copy = Self.with(earlier ?? "0s", at: tokens[...], in: copy)
        } else if let stopgap = stopgap(at: tokens), copy[pointer] != stopgap {
            copy = Self.with(stopgap, at: tokens[...], in: copy)
        } else if copy[pointer] != nil, !["do", "rule"].contains(last) {
            remove(tokens, place)
        } else {
            // Without it, what it belongs to cannot be read.
            remove(Array(tokens.dropLast()), JSONPointer(tokens: Array(place.tokens.dropLast())))
        }
        return copy != before
    }

    /// A value with which the rest can be read; nil: it can be read without one.
    private func stopgap(at tokens: [String]) -> JSON? {
        let last = tokens.last ?? ""
        if tokens.first == "sandboxes", tokens.count == 3 {
            // Each sandbox of a file has another name. No scenario is known to be there, and faults are a list.
            if last == "name" { return .string("sparring-review-\(touched.count)") }
            if ["scenario", "faults"].contains(last) { return nil }
        }
        return Self.stopgaps[last] ?? (tokens.dropLast().last == "faults" ? Self.stopgaps["faults"] : nil)
    }

    private mutating func remove(_ tokens: [String], _ place: JSONPointer) {
        guard !tokens.isEmpty else { return }
        if Self.index(tokens.last ?? "") != nil { removed.append(place) }
        copy = Self.with(nil, at: tokens[...], in: copy)
    }

    /// The index of an element of a list; nil for a member's name.
    private static func index(_ token: String) -> Int? { token.integer(in: 0...1_000_000) }

    private static func with(_ value: JSON?, at tokens: ArraySlice<String>, in json: JSON) -> JSON {
        guard let first = tokens.first else { return value ?? json }
        let rest = tokens.dropFirst()
        switch json {
        case .object(var members):
            members[first] = rest.isEmpty ? value : members[first].map { with(value, at: rest, in: $0) }
            return .object(members)
        case .array(var elements):
            guard let index = index(first), elements.indices.contains(index) else { return json }
            if rest.isEmpty, value == nil {
                elements.remove(at: index)
            } else {
                elements[index] = with(value, at: rest, in: elements[index])
            }
            return .array(elements)
        default: return json
        }
    }

    /// The place in what was given of a place in the copy.
    private func original(of pointer: JSONPointer) -> JSONPointer {
        pointer.tokens.reduce(into: JSONPointer.root) { place, token in
            guard var index = Self.index(token) else { return place = place.appending(token) }
            let gone = removed.filter { $0.tokens.dropLast().elementsEqual(place.tokens) }.compactMap { $0.tokens.last.flatMap(Self.index) }
            for gone in gone.sorted() where gone <= index { index += 1 }
            place = place.appending(index)
        }
    }
}
