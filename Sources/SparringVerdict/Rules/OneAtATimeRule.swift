import SparringJSON

/// No call of the kind while another is under way.
struct OneAtATimeRule: RuleForm {
    static let word = "oneAtATime"
    static let members = ["calls", "within", "until", "marked", "clients", "per"]

    let calls: Selector
    /// After so long a call counts as abandoned; nil: never.
    let within: Duration?
    /// Events that end a call for the client though its answer is still to come: it was abandoned, and another may begin.
    let until: [Selector]
    /// Only of an app that reports marks: of another, what `until` means cannot be seen.
    let isOfMarkedApps: Bool
    /// Calls that name the client. Where they show several, calls that name nobody may be of any of them, and are not judged.
    let clients: Selector?
    let scope: Scope

    init(_ declaration: Declaration, _ vocabulary: Vocabulary) throws(ConfigurationError) {
        calls = try Selector.read("calls", declaration, vocabulary)
        within = try declaration.duration("within")
        until = try Selector.list("until", declaration, vocabulary)
        isOfMarkedApps = try declaration.flag("marked") ?? false
        clients = try Selector.optional("clients", declaration, vocabulary)
        scope = try Scope(declaration)
    }

    var selectors: [Selector?] { [calls, clients] + until }
    var wanted: String { "a second or a slow call of \(calls.words)" }

    func judge(_ timing: Timing) -> any Judge { Follower(rule: self, timing: timing) }

    private struct Follower: Judge {
        let rule: OneAtATimeRule
        let timing: Timing
        /// The call of each key that was over last, and when it was.
        var last: [String: (event: Event, end: Instant)] = [:]
        /// When calls were abandoned.
        var abandoned: [Event] = []
        var marks = MarksTold()
        var names: Set<String> = []
        /// Each with its lane: two devices of a person may call at once.
        var complaints: [(lane: String, isNameless: Bool, complaint: Verdict.Evidence)] = []
        var judgement = Judgement()

        mutating func take(_ event: Event) {
            marks.take(event)
            if rule.clients?.matches(event) == true { names.insert(event.device ?? event.lane) }
            let key = rule.scope.key(event)
            if rule.until.contains(where: { $0.matches(event) }) { abandoned.append(event) }
            if event.kind == .gaveUp, var under = last[key], under.event.ordinal == event.ordinal {
                under.end = event.end
                last[key] = under
                return
            }
            // Of a call that was given up before anything was decided the journal has the hang-up only.
            guard rule.calls.matches(event) || rule.calls.isGivenUp(event) else { return }
            guard let (other, end) = last[key] else {
                last[key] = (event, event.end)
                return
            }
            // The journal lists calls in the order in which they ended, so a long call comes after the short ones that overlapped it.
            let isLonger = timing.basis.isBefore(event.begin, other.begin)
            if !timing.basis.isBefore(event.end, end) { last[key] = (event, event.end) }
            compare(isLonger ? (event, event.end) : (other, end), with: isLonger ? other : event)
        }

        private mutating func compare(_ before: (event: Event, end: Instant), with call: Event) {
            guard let (gap, floor) = gap(from: before, to: call.begin) else { return }
            let isLate = rule.within.map { after(call.begin, since: before.event.begin) >= timing.seconds($0) - timing.floor } ?? false
            let isAbandoned =
                isLate
                || abandoned.contains {
                    (rule.scope == .sandbox || $0.lane == call.lane || call.lane == call.operation)
                        && after($0.begin, since: before.event.begin) >= 0
                        && after(call.begin, since: $0.begin) >= 0
                }
            if gap < -floor, !isAbandoned {
                let words = "\(call.words) came \((-gap).seconds) before entry \(before.event.number), \(before.event.words), had ended"
                let complaint = Verdict.Evidence(call.number, words)
                if complaints.count < Judgement.limit { complaints.append((call.lane, call.lane == call.operation, complaint)) }
            } else {
                judgement.passes += 1
            }
        }

        /// Seconds between two calls, and what counts as none. On a clock that stands all calls are at one instant: then the machine's clock says whether
        /// they overlapped. It cannot say when an answer came that a fault held back until the sandbox's clock was advanced.
        private func gap(from before: (event: Event, end: Instant), to begin: Instant) -> (seconds: Double, floor: Double)? {
            guard let gap = timing.basis.seconds(from: before.end, to: begin) else { return nil }
            guard gap == 0, before.event.begin.sandbox == before.end.sandbox, let wall = TimeBasis.wall.seconds(from: before.end, to: begin)
            else { return (gap, timing.floor) }
            return (wall, Timing().floor)
        }

        /// How many seconds after another a moment is; 0 where a restart of the server lies between them.
        private func after(_ moment: Instant, since other: Instant) -> Double {
            timing.basis.seconds(from: other, to: moment) ?? 0
        }

        mutating func finish(_ end: Instant) -> Judgement {
            if rule.isOfMarkedApps, !marks.areTold, let complaint = complaints.first?.complaint {
                let excuse = rule.until.first(where: \.isMark)?.words ?? "a mark"
                judgement.open.append("\(complaint.words): right after \(excuse), and the app reports no marks")
            } else {
                for (lane, isNameless, complaint) in complaints where !(isNameless && (names.count > 1 || marks.areOfSeveral)) {
                    if [.sandbox, .device].contains(rule.scope) || !marks.nameSeveralDevices(of: lane) { judgement.blame(complaint) }
                }
            }
            // A slow call beside which no other came is what is asked for, too.
            for (event, over) in last.values {
                let took = timing.basis.seconds(from: event.begin, to: over) ?? 0
                if took >= timing.seconds(.seconds(5)) { judgement.passes += 1 }
            }
            return judgement
        }
    }
}
