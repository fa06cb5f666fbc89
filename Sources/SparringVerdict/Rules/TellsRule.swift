import SparringJSON

/// A mark has one of the latest values that its sources gave the client.
///
/// ```yaml
/// tells:
///   event: { mark: badge }
///   value: mark:/value
///   from:
///     - { event: { calls: liveperson.readUnread, answered: ok }, value: answer:/total }
///     - { event: { calls: liveperson.readUnread, answered: failed }, is: "0" }
/// ```
struct TellsRule: RuleForm {
    static let word = "tells"
    static let members = ["event", "value", "from"]

    struct Source: Sendable {
        let event: Selector
        /// Where the value stands; empty where it is always the same.
        let value: [SourcePlace]
        let constant: String?
    }

    let event: Selector
    let value: [SourcePlace]
    let sources: [Source]

    init(_ declaration: Declaration, _ vocabulary: Vocabulary) throws(ConfigurationError) {
        event = try Selector.read("event", declaration, vocabulary)
        value = try SourcePlace.read("value", declaration)
        guard !value.isEmpty else { throw ConfigurationError(declaration.pointer, "'value' is missing: the place of the value") }
        var sources: [Source] = []
        for (index, json) in try declaration.list("from").enumerated() {
            let source = try Declaration(json, at: declaration.pointer.appending("from").appending(index), known: ["event", "value", "is"])
            let (value, constant) = (try SourcePlace.read("value", source), try source.optionalText("is"))
            guard value.isEmpty != (constant == nil) else {
                throw ConfigurationError(source.pointer, "a source has either 'value', the place of the value, or 'is', the value itself")
            }
            sources.append(Source(event: try Selector.read("event", source, vocabulary), value: value, constant: constant))
        }
        guard !sources.isEmpty else {
            throw ConfigurationError(declaration.pointer, "'from' is missing: the sources of the value")
        }
        self.sources = sources
    }

    func concerns(_ place: EventPlace) -> Bool { ([event] + sources.map(\.event)).contains { $0.concerns(place) } }

    func judge(_ timing: Timing) -> any Judge { Teller(rule: self) }

    private struct Teller: Judge {
        let rule: TellsRule
        /// The latest value of each source and lane: a push names a device, and several devices of a person hear at different times.
        var told: [Place: (value: String, entry: Int)] = [:]
        /// Marks with values that nothing had given by then.
        var unexplained: [(mark: Event, value: String, known: String)] = []
        var judgement = Judgement()

        struct Place: Hashable {
            var source: Int
            var lane: String
        }

        mutating func take(_ event: Event) {
            for (index, source) in rule.sources.enumerated() where source.event.matches(event) {
                guard let value = source.constant ?? event.value(at: source.value) else { continue }
                told[Place(source: index, lane: event.lane)] = (value, event.number)
                explain(value, by: event)
            }
            guard rule.event.matches(event), let value = event.value(at: rule.value), !told.isEmpty else { return }
            if told.values.contains(where: { $0.value == value }) {
                judgement.passes += 1
            } else {
                let known = told.values.sorted { $0.entry < $1.entry }.map { "\($0.value) (entry \($0.entry))" }
                unexplained.append((event, value, known.joined(separator: ", ")))
            }
        }

        /// A call to a push endpoint is journalled when it is answered; the endpoint may have reached the client before.
        private mutating func explain(_ value: String, by event: Event) {
            guard event.kind == .vendorCall else { return }
            let count = unexplained.count
            unexplained.removeAll { $0.value == value && (TimeBasis.wall.seconds(from: event.begin, to: $0.mark.begin) ?? -1) >= 0 }
            judgement.passes += count - unexplained.count
        }

        mutating func finish(_ end: Instant) -> Judgement {
            judgement.wanted = rule.event.words
            for (mark, value, known) in unexplained {
                judgement.blame(.init(mark.number, "\(mark.words) with \(value); the client was given \(known)"))
            }
            return judgement
        }
    }
}
