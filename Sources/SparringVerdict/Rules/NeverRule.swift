import SparringJSON

/// Something does not happen, unless a fault forced it; with `given`, once that has; after `until`, it may (until `given` happens again). It is exercised by what `of` means (where there is a `given`, once that
/// has happened), by `given`, or else by any call.
struct NeverRule: RuleForm {
    static let word = "never"
    static let members = ["event", "of", "always", "given", "until", "allowedBy", "timed", "lasting", "oneDevice", "marked", "per"]

    /// Any of them.
    let event: [Selector]
    let of: [Selector]
    /// Events that exercise the rule as those of `of` do, even where `given` has not happened.
    let always: [Selector]
    let given: Selector?
    let until: [Selector]
    /// Each of these, before `given` too, allows it once on each device.
    let allowedBy: [Selector]
    /// Those of `event` that come of time on the sandbox's clock, such as an idle limit: no client is blamed for them whose own clock is slower.
    let timed: [Selector]
    /// How long the socket that `given` opens must stay open until the rule is exercised; nil: `given` alone exercises it.
    let lasting: Duration?
    /// Only of a person with one device: the calls of several cannot be distinguished.
    let isOfOneDevice: Bool
    /// Only of an app that reports marks: of another, what `until` means cannot be seen.
    let isOfMarkedApps: Bool
    let scope: Scope
    /// Nanoseconds until an app has a notification.
    private static let onItsWay: Int64 = 20_000_000

    init(_ declaration: Declaration, _ vocabulary: Vocabulary) throws(ConfigurationError) {
        event = try Selector.list("event", declaration, vocabulary, needed: "the event that must not happen").map { $0.unlessForced() }
        of = try Selector.list("of", declaration, vocabulary)
        always = try Selector.list("always", declaration, vocabulary)
        given = try Selector.optional("given", declaration, vocabulary)
        until = try Selector.list("until", declaration, vocabulary)
        allowedBy = try Selector.list("allowedBy", declaration, vocabulary)
        timed = try Selector.list("timed", declaration, vocabulary)
        lasting = try declaration.duration("lasting")
        isOfOneDevice = try declaration.flag("oneDevice") ?? false
        isOfMarkedApps = try declaration.flag("marked") ?? false
        scope = try Scope(declaration)
    }

    var selectors: [Selector?] { [given] + until + of + always + event + allowedBy + timed }
    func concerns(_ place: EventPlace) -> Bool { of.isEmpty && given == nil || follows(place) }
    var wanted: String {
        let words = (of.first ?? given)?.words ?? "a call of a client"
        return lasting.map { "\(words), and a socket that stays open for \($0.words)" } ?? words
    }

    func judge(_ timing: Timing) -> any Judge { Follower(rule: self, timing: timing) }

    private struct Follower: Judge {
        let rule: NeverRule
        let timing: Timing
        /// Since when the client could know it.
        var inForce: [String: Instant] = [:]
        /// When it began, before the client could know it.
        var begun: [String: Instant] = [:]
        /// The keys in which `until` has happened, for a rule without a `given`.
        var over: Set<String> = []
        /// When it was allowed, and by device how often it has happened.
        var allowed: [String: [Instant]] = [:], used: [String: Int] = [:]
        /// Events that are held against the client unless they were allowed so often by then: what allows one may be journalled later than it began.
        var doubtful: [(key: String, count: Int, event: Event)] = []
        var marks = MarksTold()
        /// The first event that came of the sandbox's clock, while that ran faster than the client's.
        var outrun: Event?
        var complaints: [Verdict.Evidence] = []
        /// When each open socket was opened, for a rule that asks how long one lasts.
        var opened: [Int: Instant] = [:]
        var judgement = Judgement()

        /// Sockets are counted from 1 in each process.
        mutating func serverEnded(_ process: Int, by end: Instant) {
            for socket in opened.keys { close(socket, at: end) }
        }

        /// A socket that was open long enough has exercised the rule.
        private mutating func close(_ socket: Int, at end: Instant) {
            guard let limit = rule.lasting, let began = opened.removeValue(forKey: socket),
                timing.basis.seconds(from: began, to: end) ?? 0 >= timing.seconds(limit)
            else { return }
            judgement.passes += 1
        }

        mutating func take(_ event: Event) {
            marks.take(event)
            if event.kind == .socketEnd, let socket = event.socket { close(socket, at: event.begin) }
            let key = rule.scope.key(event)
            let isAny = rule.of.isEmpty && rule.given == nil && event.kind == .call
            // What was under way when it began was not done in spite of it.
            func isAfter(_ instant: Instant?) -> Bool {
                instant.map { TimeBasis.wall.seconds(from: $0, to: event.begin) ?? 0 >= 0 } ?? false
            }
            let isInForce = rule.given == nil ? !over.contains(key) : isAfter(inForce[key])
            // What crosses a notification is good if it is right.
            let isRight = isInForce || isAfter(begun[key]) && !rule.event.contains { $0.matches(event) }
            let isExercise = isRight && rule.of.contains { $0.matches(event) } || rule.always.contains { $0.matches(event) }
            if isAny || isExercise { judgement.passes += 1 }
            if rule.allowedBy.contains(where: { $0.matches(event) }) { allowed[key, default: []].append(event.begin) }
            let hasHappened = (isInForce || !rule.allowedBy.isEmpty) && rule.event.contains { $0.matches(event) }
            if hasHappened, timing.lead != nil, rule.timed.contains(where: { $0.matches(event) }) {
                outrun = outrun ?? event
            } else if hasHappened, rule.allowedBy.isEmpty {
                blame(event)
            } else if hasHappened {
                let device = key + "\n" + Scope.device.key(event)
                used[device, default: 0] += 1
                if isInForce { doubtful.append((key, used[device] ?? 0, event)) }
            }
            if let given = rule.given, given.matches(event) {
                inForce[key] = inForce[key] ?? known(event)
                begun[key] = begun[key] ?? event.end
                if rule.lasting != nil {
                    if let socket = event.socket { opened[socket] = event.end }
                } else if rule.of.isEmpty {
                    judgement.passes += 1
                }
            } else if rule.until.contains(where: { $0.matches(event) }) {
                (inForce[key], begun[key]) = (nil, nil)
                if rule.given == nil { over.insert(key) }
            }
        }

        /// When the client could know it: a notification takes a while to get there, and what the client sends meanwhile crosses it.
        private func known(_ event: Event) -> Instant {
            var known = event.end
            if event.kind == .notification { known.monotonic += NeverRule.onItsWay }
            return known
        }

        private mutating func blame(_ event: Event) {
            // A storm may break a rule 100,000 times, and hiding credentials in each reason takes a while.
            let reason = judgement.hasEnough ? "" : event.reason
            let complaint = Verdict.Evidence(event.number, event.words + reason)
            if rule.isOfOneDevice || rule.isOfMarkedApps { complaints.append(complaint) } else { judgement.blame(complaint) }
        }

        mutating func finish(_ end: Instant) -> Judgement {
            for socket in opened.keys { close(socket, at: end) }
            for (key, count, event) in doubtful {
                // By the machine's clock: a call out has the sandbox's time of its end.
                let before = (allowed[key] ?? []).count { TimeBasis.wall.seconds(from: $0, to: event.begin) ?? 0 >= 0 }
                if before < count { blame(event) }
            }
            if let outrun, let lead = timing.lead {
                judgement.passes = 0
                judgement.excuse(outrun, by: lead)
            }
            if rule.isOfMarkedApps, !marks.areTold, let complaint = complaints.first {
                let excuse = rule.until.first(where: \.isMark)?.words ?? "a mark"
                judgement.passes = 0
                judgement.open.append("\(complaint.words): right after \(excuse), and the app reports no marks")
            } else if !(rule.isOfOneDevice && marks.nameSeveralDevices) {
                for complaint in complaints { judgement.blame(complaint) }
            }
            return judgement
        }
    }
}
