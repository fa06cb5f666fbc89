import SparringJSON

/// A mark has the latest value that its sources gave the client, or one that they gave it shortly before. Where several people or devices hear of it, any
/// source's latest will do: who has heard what by then is not visible.
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
        /// The place of the value; empty where it is always the same.
        let value: [SourcePlace]
        let constant: String?
    }

    /// How long after a newer value a mark may still have an older one.
    static let slack = Duration.seconds(10)
    /// The same of one source: two pushes may arrive in a burst, and each is shown.
    static let burst = Duration.seconds(2)

    let event: Selector
    let value: [SourcePlace]
    let sources: [Source]

    init(_ declaration: Declaration, _ vocabulary: Vocabulary) throws(ConfigurationError) {
        event = try Selector.read("event", declaration, vocabulary)
        value = try SourcePlace.read("value", declaration, needed: "the place of the value")
        let sources = try declaration.items("from", known: ["event", "value", "is"]).map { source throws(ConfigurationError) in
            let (value, constant) = (try SourcePlace.read("value", source), try source.optionalText("is"))
            guard value.isEmpty != (constant == nil) else {
                throw ConfigurationError(source.pointer, "a source has either 'value', the place of the value, or 'is', the value itself")
            }
            return Source(event: try Selector.read("event", source, vocabulary), value: value, constant: constant)
        }
        self.sources = try declaration.need(sources, "from", "the sources of the value")
    }

    var selectors: [Selector?] { [event] + sources.map(\.event) }
    var wanted: String { event.words }

    func judge(_ timing: Timing) -> any Judge { Teller(rule: self, timing: timing) }

    private struct Teller: Judge {
        let rule: TellsRule
        let timing: Timing
        /// The latest value of each source and lane: a push names a device, and several devices of a person hear at different times.
        var told: [Place: (value: String, entry: Int)] = [:]
        /// The latest value of all, and those of shortly before.
        var recent: [(value: String, event: Event)] = []
        /// Marks with values that nothing had given by then.
        var unexplained: [(mark: Event, value: String, known: String)] = []
        /// Marks with values that something else has replaced long since.
        var outdated: [(mark: Event, value: String)] = []
        /// The lanes that called or reported something.
        var lanes: Set<String> = []
        var marks = MarksTold()
        var judgement = Judgement()

        struct Place: Hashable {
            var source: Int
            var lane: String
        }

        mutating func take(_ event: Event) {
            marks.take(event)
            for (index, source) in rule.sources.enumerated() where source.event.matches(event) {
                guard let value = source.constant ?? event.value(at: source.value) else { continue }
                told[Place(source: index, lane: event.lane)] = (value, event.number)
                if Self.mayHaveArrived(event) { recent.append((value, event)) }
                forget(before: event)
                if event.kind != .vendorCall { lanes.insert(event.lane) }
                explain(value, by: event)
            }
            guard rule.event.matches(event), let value = event.value(at: rule.value), !told.isEmpty else { return }
            forget(before: event)
            lanes.insert(event.lane)
            let isOfBurst = recent.contains {
                $0.value == value && (timing.basis.seconds(from: $0.event.end, to: event.begin) ?? 0) <= timing.seconds(TellsRule.burst)
            }
            if isOfBurst || told.values.contains(where: { $0.value == value }) {
                judgement.passes += 1
                if !recent.contains(where: { $0.value == value }) { outdated.append((event, value)) }
            } else {
                let known = told.values.sorted { $0.entry < $1.entry }.map { "\($0.value) (entry \($0.entry))" }
                unexplained.append((event, value, known.joined(separator: ", ")))
            }
        }

        /// A push that was refused did not arrive; one whose answer was lost may have.
        private static func mayHaveArrived(_ event: Event) -> Bool {
            event.kind != .vendorCall || event.outcome?.isSuccess == true
                || event.outcome?.failureClass == FailureClass.noAnswer && event.outcome?.name != nil
        }

        /// Forgets values that a mark may no longer have. An app may show a value a little later, and a push may come while it does.
        private mutating func forget(before mark: Event) {
            func isOlder(_ value: (value: String, event: Event), than limit: Duration) -> Bool {
                (timing.basis.seconds(from: value.event.end, to: mark.begin) ?? 0) > timing.seconds(limit)
            }
            // A push whose answer was lost may have arrived, or not, and replaces nothing.
            func counts() -> Bool {
                recent[1].event.kind == .vendorCall
                    && (!isOlder(recent[1], than: TellsRule.burst) || recent[1].event.outcome?.isSuccess != true)
            }
            while recent.count > 1, isOlder(recent[0], than: TellsRule.slack), !counts() || recent.count > Judgement.limit {
                recent.removeFirst()
            }
        }

        /// A call to a push endpoint is journalled when it is answered; the endpoint may have reached the client before.
        private mutating func explain(_ value: String, by event: Event) {
            guard event.kind == .vendorCall else { return }
            let count = unexplained.count
            outdated.removeAll { $0.value == value && (TimeBasis.wall.seconds(from: event.begin, to: $0.mark.begin) ?? -1) >= 0 }
            unexplained.removeAll { $0.value == value && (TimeBasis.wall.seconds(from: event.begin, to: $0.mark.begin) ?? -1) >= 0 }
            judgement.passes += count - unexplained.count
        }

        mutating func finish(_ end: Instant) -> Judgement {
            for (mark, value, known) in unexplained {
                judgement.blame(mark.number, "\(mark.words) with \(value); the client was given \(known)")
            }
            if lanes.count <= 1, !marks.nameSeveralDevices {
                for (mark, value) in outdated {
                    judgement.blame(mark.number, "\(mark.words) with \(value), which is not the last that the client was given")
                }
            }
            return judgement
        }
    }
}
