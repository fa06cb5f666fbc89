import SparringJSON

/// After something has happened `times` times in a row, what `calls` means is left alone: for `pause`, or until something else comes.
struct StopsRule: RuleForm {
    static let word = "stops"
    static let members = ["after", "times", "calls", "pause", "until", "unless", "reset", "per"]

    let after: Selector
    let times: Int
    let calls: Selector
    let pause: Duration
    let until: Selector?
    /// As `until`, by other means: the user's doing.
    let unless: Selector?
    /// What ends the row; a success of what is counted where nothing is said.
    let reset: Selector?
    let scope: Scope

    init(_ declaration: Declaration, _ vocabulary: Vocabulary) throws(ConfigurationError) {
        after = try Selector.read("after", declaration, vocabulary)
        times = try declaration.count("times") ?? 1
        calls = try Selector.read("calls", declaration, vocabulary)
        pause = try declaration.duration("pause") ?? .seconds(60)
        until = try Selector.optional("until", declaration, vocabulary)
        unless = try Selector.optional("unless", declaration, vocabulary)
        reset = try Selector.optional("reset", declaration, vocabulary)
        scope = try Scope(declaration)
    }

    func concerns(_ place: EventPlace) -> Bool {
        [after, calls, until, reset, unless].contains { $0?.concerns(place) ?? false }
    }

    func judge(_ timing: Timing) -> any Judge { Follower(rule: self, timing: timing) }

    private struct Follower: Judge {
        struct Row {
            var count = 0
            /// From when on nothing should come.
            var stopped: Event?
        }

        let rule: StopsRule
        let timing: Timing
        var rows: [String: Row] = [:]
        var judgement = Judgement()

        mutating func take(_ event: Event) {
            guard !rows.isEmpty || rule.after.matches(event) else { return }
            let key = rule.scope.key(event)
            var row = rows[key] ?? Row()
            defer { rows[key] = row.count > 0 || row.stopped != nil ? row : nil }
            if rule.until?.matches(event) == true || rule.unless?.matches(event) == true {
                if row.stopped != nil { judgement.passes += 1 }
                row = Row()
                // A mark is about all that its lane calls.
                if rule.scope == .operation {
                    for other in rows.keys where other.hasPrefix(event.lane + " ") {
                        if rows[other]?.stopped != nil { judgement.passes += 1 }
                        rows[other] = nil
                    }
                }
            }
            if let stopped = row.stopped, rule.calls.matches(event) {
                guard let passed = timing.basis.seconds(from: stopped.end, to: event.begin) else {
                    judgement.cannotJudge =
                        "the pause after entry \(stopped.number) spans a restart of the server: judge it on the sandbox's clock"
                    return
                }
                if passed < timing.seconds(rule.pause) {
                    judgement.blame(
                        .init(
                            event.number,
                            "\(event.words) came \(max(0, passed).seconds) after entry \(stopped.number), \(stopped.words), where it should have stopped"
                        ))
                } else {
                    judgement.passes += 1
                }
                row = Row()
            }
            if let reset = rule.reset, reset.matches(event) { row.count = 0 }
            if rule.after.matches(event) {
                row.count += 1
                if row.count >= rule.times { row.stopped = event }
            }
        }

        mutating func finish(_ end: Instant) -> Judgement {
            judgement.wanted = rule.after.words + (rule.times > 1 ? ", \(rule.times) times in a row" : "")
            for stopped in rows.values.compactMap(\.stopped).sorted(by: { $0.number < $1.number }) {
                let watched = timing.basis.seconds(from: stopped.end, to: end) ?? 0
                if watched >= timing.seconds(rule.pause) {
                    judgement.passes += 1
                    judgement.favour.append(.init(stopped.number, "\(watched.seconds) of silence after \(stopped.words)"))
                } else {
                    judgement.leaveOpen(
                        "\(watched.seconds) of \(timing.seconds(rule.pause).seconds) watched after entry \(stopped.number)",
                        watched: watched,
                        due: timing.seconds(rule.pause) + timing.floor)
                }
            }
            return judgement
        }
    }
}
