import SparringJSON

/// Several calls that are one attempt, such as the look-ups of all of an account's services, one after the other or side by side: they differ in what
/// they ask for, and one that asks again for the same begins another attempt.
///
/// ```yaml
/// attempt: { of: liveperson.DomainLookup.*, by: target:path }
/// ```
struct AttemptForm: Sendable {
    private let operations: [OperationName]
    private let by: [SourcePlace]

    static func optional(_ name: String, _ declaration: Declaration, _ vocabulary: Vocabulary) throws(ConfigurationError) -> AttemptForm? {
        guard let own = try declaration.mapping(name, known: ["of", "by"]) else { return nil }
        let form = AttemptForm(operations: try vocabulary.operations("of", own), by: try SourcePlace.read("by", own))
        guard !form.operations.isEmpty, !form.by.isEmpty else {
            throw ConfigurationError(
                own.pointer, "'of' and 'by' are needed: the calls that form an attempt, and the values that distinguish them")
        }
        return form
    }

    func has(_ event: Event) -> Bool { event.kind == .call && operations.contains(event.name) }
    fileprivate func value(_ event: Event) -> String { by.map { event.value(at: $0) ?? "" }.joined(separator: "\n") }
}

/// The attempt that is under way.
struct Attempts {
    enum Place {
        /// The call is none of those that make an attempt.
        case outside
        case first(afterSuccess: Bool)
        case further

        var isFurther: Bool { if case .further = self { true } else { false } }
        var isAfterSuccess: Bool { if case .first(afterSuccess: true) = self { true } else { false } }
    }

    private var seen: Set<String> = []
    /// A call of it failed.
    private var hasFailed = false

    /// Notes a call, and returns its place among the attempts.
    mutating func place(_ event: Event, _ form: AttemptForm?) -> Place {
        guard let form, form.has(event) else { return .outside }
        let value = form.value(event)
        guard seen.isEmpty || seen.contains(value) else {
            seen.insert(value)
            return .further
        }
        defer { (seen, hasFailed) = ([value], false) }
        return .first(afterSuccess: !seen.isEmpty && !hasFailed)
    }

    /// A call of the attempt failed.
    ///
    /// - Returns: whether it is the first that did.
    mutating func fail() -> Bool {
        defer { hasFailed = true }
        return !hasFailed
    }
}
