import SparringJSON

/// After something has happened so many times in a row, something else is let be for a while. A client that stops earlier than it must does well too.
struct StopsRule: RuleForm {
    static let word = "stops"
    static let members = [
        "after", "slower", "times", "attempt", "calls", "same", "pause", "until", "unless", "gaveUp", "reset", "oneDevice", "per",
    ]

    let after: Selector
    /// Only what took longer counts; nil: however long it took.
    let slower: Duration?
    let times: Int
    /// Calls that are one attempt together; a failed attempt counts once. Nil: each call is one.
    let attempt: AttemptForm?
    let calls: Selector
    /// Only calls with the same values are to be let be.
    let same: [SourcePlace]
    let pause: Duration
    /// Events each of which ends the pause: the user's or the app's start.
    let until: [Selector]
    /// The event that excuses a call, even if it is reported only afterwards: the user's doing. Where it is a mark, a client that sends no
    /// marks is not judged.
    let unless: Selector?
    /// The event that ends the row; with `attempt`, an attempt without a failure ends it too.
    let reset: Selector?
    /// The client says that it gives up, however few failures there were: what comes later is the user's doing.
    let gaveUp: Selector?
    /// Only of one person with one device, or with a scope of one person of those with one: the calls of several clients cannot be distinguished.
    let isOfOneDevice: Bool
    let scope: Scope

    init(_ declaration: Declaration, _ vocabulary: Vocabulary) throws(ConfigurationError) {
        after = try Selector.read("after", declaration, vocabulary)
        slower = try declaration.duration("slower")
        times = try declaration.count("times") ?? 1
        attempt = try AttemptForm.optional("attempt", declaration, vocabulary)
        calls = try Selector.read("calls", declaration, vocabulary)
        same = try SourcePlace.read("same", declaration)
        pause = try declaration.duration("pause") ?? .seconds(60)
        until = try Selector.list("until", declaration, vocabulary)
        unless = try Selector.optional("unless", declaration, vocabulary)
        gaveUp = try Selector.optional("gaveUp", declaration, vocabulary)
        reset = try Selector.optional("reset", declaration, vocabulary)
        isOfOneDevice = try declaration.flag("oneDevice") ?? false
        scope = try Scope(declaration)
    }

    var selectors: [Selector?] { [after, calls, reset, unless, gaveUp] + until }
    var wanted: String { after.words + (times > 1 ? ", \(times) times in a row" : "") }

    func judge(_ timing: Timing) -> any Judge { StopsJudge(rule: self, timing: timing) }
}

private struct StopsJudge: Judge {
    struct Row {
        var lane: String
        var attempts = Attempts()
        var count = 0
        /// The last of what counts.
        var last: Event?
        /// From when on nothing should come.
        var stopped: Event?
        /// Came too soon, and may be excused yet.
        var accused: (by: Event, complaint: Verdict.Evidence)?

        /// Whether the row may be that lane's. A call that named nobody, such as a socket's that was refused, may be anybody's.
        func isOf(_ lane: String) -> Bool { self.lane == lane || last?.operation == self.lane }

        /// Nothing that came before counts any more.
        mutating func end() { (stopped, last, count) = (nil, nil, 0) }

        var isIdle: Bool { last == nil && stopped == nil && accused == nil }
    }

    let rule: StopsRule
    let timing: Timing
    var rows: [String: Row] = [:]
    /// When each lane's last ``StopsRule/until`` was.
    var released: [String: Instant] = [:]
    var marks = MarksTold()
    /// The lanes that call, where the calls name their callers.
    var callers: Set<String> = []
    /// Accusations that hold of one client only, or of one that reports marks.
    var complaints: [Verdict.Evidence] = []
    var judgement = Judgement()

    /// How long after the call an excuse may be reported.
    private var grace: Double { timing.seconds(.seconds(5)) }

    mutating func take(_ event: Event) {
        marks.take(event)
        if rule.isOfOneDevice, event.kind == .call, event.lane != event.operation { callers.insert(event.lane) }
        let isExcuse = rule.unless?.matches(event) == true
        let isAfter = rule.after.matches(event) && rule.slower.map { isTooSlow(event, $0) } ?? true
        let isUntil = rule.until.contains { $0.matches(event) }
        if isUntil, rule.slower != nil { released[event.lane] = event.begin }
        guard !rows.isEmpty || isAfter || rule.attempt?.has(event) == true else { return }
        if rule.gaveUp?.matches(event) == true { giveUp(event) }
        if isExcuse || isUntil { release(event, isExcuse: isExcuse) }
        let key = rule.scope.key(event) + rule.same.map { "\n" + (event.value(at: $0) ?? "") }.joined()
        var row = rows[key] ?? Row(lane: event.lane)
        defer { rows[key] = row.isIdle && rule.attempt == nil ? nil : row }
        let place = row.attempts.place(event, rule.attempt)
        if !rule.same.isEmpty, rule.calls.matches(event) { goOn(event, besides: key) }
        if let stopped = row.stopped, rule.calls.matches(event), !place.isFurther {
            if let passed = timing.basis.seconds(from: stopped.end, to: event.begin) {
                // What was under way when it failed was not called in spite of it.
                if passed >= 0, !event.wasUnderWay(when: stopped) { came(event, passed, stopped, &row) }
            } else {
                judgement.cannotJudge =
                    "the pause after entry \(stopped.number) spans a restart of the server: judge it on the sandbox's clock"
            }
        }
        if rule.reset?.matches(event) == true || place.isAfterSuccess { (row.count, row.last) = (0, nil) }
        guard isAfter else { return }
        // Of several at once, none was tried because another had failed.
        let isBeside = row.last.map { event.wasUnderWay(when: $0) } ?? false
        if !isBeside, rule.attempt == nil || row.attempts.fail() { row.count += 1 }
        row.last = event
        if row.count >= rule.times { row.stopped = event }
    }

    /// Whether a call took too long. One during which ``StopsRule/until`` came does not count: nobody waits for it any more.
    private func isTooSlow(_ event: Event, _ limit: Duration) -> Bool {
        let since = released[event.lane].flatMap { timing.basis.seconds(from: event.begin, to: $0) } ?? 0
        return since <= 0 && timing.took(event, longerThan: limit)
    }

    private mutating func came(_ event: Event, _ passed: Double, _ stopped: Event, _ row: inout Row) {
        if passed < timing.seconds(rule.pause) {
            accuse(&row)
            row.accused = (
                event,
                .init(
                    event.number,
                    "\(event.words) came \(passed.seconds) after entry \(stopped.number), \(stopped.words): nothing more should come for \(timing.seconds(rule.pause).seconds)"
                )
            )
        } else {
            judgement.passes += 1
        }
        row.end()
    }

    /// The user, or a new start, is the reason for whatever comes.
    private mutating func release(_ event: Event, isExcuse: Bool) {
        for (key, row) in rows where rule.scope == .sandbox || row.isOf(event.lane) {
            var row = row
            if isExcuse, let accused = row.accused, let since = timing.basis.seconds(from: accused.by.end, to: event.begin), since <= grace
            {
                row.accused = nil
            }
            if row.stopped != nil { judgement.passes += 1 }
            row.end()
            rows[key] = row
        }
    }

    private mutating func giveUp(_ event: Event) {
        for (key, row) in rows where row.last != nil && (rule.scope == .sandbox || row.isOf(event.lane)) {
            judgement.pass(event.number, "the client gave up after \(row.last?.words ?? "")")
            rows[key]?.end()
        }
    }

    /// The user is about something else now, and may come back to the first.
    private mutating func goOn(_ event: Event, besides key: String) {
        for (other, row) in rows where other != key && row.stopped != nil && (rule.scope == .sandbox || row.lane == event.lane) {
            judgement.passes += 1
            rows[other]?.end()
        }
    }

    private mutating func accuse(_ row: inout Row) {
        if let accused = row.accused {
            if !rule.isOfOneDevice, rule.unless?.isMark != true {
                judgement.blame(accused.complaint)
            } else if complaints.count < Judgement.limit {
                complaints.append(accused.complaint)
            }
        }
        row.accused = nil
    }

    mutating func finish(_ end: Instant) -> Judgement {
        let needsMarks = rule.unless?.isMark == true && !marks.areTold
        for var row in rows.values.sorted(by: { ($0.stopped ?? $0.last)?.number ?? 0 < ($1.stopped ?? $1.last)?.number ?? 0 }) {
            accuse(&row)
            guard let last = row.stopped ?? row.last else { continue }
            let watched = timing.basis.seconds(from: last.end, to: end) ?? 0
            if watched >= timing.seconds(rule.pause) {
                judgement.passes += 1
                judgement.favour.append(.init(last.number, "\(watched.seconds) of silence after \(last.words)"))
            } else {
                judgement.leaveOpen(after: last.number, watched: watched, of: timing.seconds(rule.pause), slack: timing.floor)
            }
        }
        if needsMarks, !complaints.isEmpty {
            judgement.open.append("the client sends no marks, so \(rule.unless?.words ?? "") cannot be ruled out")
        } else if rule.isOfOneDevice, rule.scope == .sandbox && callers.count > 1 || marks.nameSeveralDevices {
            if let first = complaints.first { judgement.open.append("\(first.words), which is right if it was another client's") }
        } else {
            for complaint in complaints { judgement.blame(complaint) }
        }
        return judgement
    }
}
