import SparringJSON

/// Follows what a ``ReconnectRule`` asks for.
struct ReconnectJudge: Judge {
    struct State {
        var lost: Event?
        /// With which the lost one was opened.
        var lostCredential: Int?
        /// Opened again, and not subscribed yet.
        var opened: Event?
        /// Opened again, and not signed in yet: what was lost before.
        var unsigned: Event?
        /// When something last excused the person from reconnecting: a socket that is lost right after that is nobody's loss.
        var left: Instant?
        /// The credential of each socket, as a hash.
        var credentials: [Int: Int] = [:]
        var lastCredential: Int?
        /// The socket that was opened last, while it is open.
        var newest: Int?
        /// There is something to be followed again.
        var hasSubscribed = false
        /// The highest sequence of a dialog that the client was sent, or got for a message of its own.
        var sequence: Int64?
    }

    let rule: ReconnectRule
    let timing: Timing
    /// The names of what opens a socket, which stand for the lane of one that names nobody yet.
    private let openings: [String]
    private var states: [String: State] = [:]
    /// Sockets that ended before a message named their owner: whose lost socket each was opened for.
    private var heirs: [Int: String] = [:]
    private var marks = MarksTold()
    /// Complaints that do not hold if the user left and came back, which a client without marks does not report.
    private var suspects: [Verdict.Evidence] = []
    private(set) var judgement = Judgement()

    init(rule: ReconnectRule, timing: Timing) {
        self.rule = rule
        self.timing = timing
        openings = rule.operations.map(\.text)
    }

    mutating func take(_ event: Event) {
        marks.take(event)
        let key = place(of: event)
        var state = states[key] ?? State()
        defer { states[key] = state }
        if isExcuse(event) {
            state.left = event.begin
            if let due = state.lost ?? state.opened, let waited = timing.basis.seconds(from: due.end, to: event.begin) {
                if waited > timing.seconds(rule.within) + timing.floor {
                    // It came too late to excuse what was due before it.
                    missing(due, event.begin, state.lost == nil ? unsubscribed : unopened)
                } else {
                    judgement.excuse(due, by: event, after: waited, of: timing.seconds(rule.within))
                }
            }
            (state.lost, state.opened, state.unsigned) = (nil, nil, nil)
        }
        if event.kind == .socketEnd, state.newest == event.socket { state.newest = nil }
        if rule.after.matches(event) {
            // A client that noticed the end before the server did has opened another socket already.
            // The newer one may be another device's.
            if let newest = state.newest, let ended = event.socket, newest > ended, !marks.nameSeveralDevices(of: event.lane) { return }
            (state.opened, state.unsigned) = (nil, nil)
            if let left = state.left, let since = timing.basis.seconds(from: left, to: event.begin), since <= timing.seconds(Self.leaving) {
                return
            }
            if state.lost == nil, rule.resubscribes.isEmpty || state.hasSubscribed {
                (state.lost, state.lostCredential) = (event, event.socket.flatMap { state.credentials[$0] } ?? state.lastCredential)
            }
            return
        }
        if event.isReceived, event.kind == .notification || event.kind == .call && rule.toldIn.contains(event.name) {
            // One message may tell of several.
            for told in rule.told.flatMap({ event.values(at: $0) }).compactMap({ $0.integer(in: 0...Int64.max) }) {
                state.sequence = max(state.sequence ?? told, told)
            }
        }
        guard event.kind == .call else { return }
        if rule.operations.contains(event.name) {
            state.left = nil
            open(event, &state)
        }
        if rule.signIns.contains(event.name), let credential = event.value(at: rule.at)?.hashValue {
            if let socket = event.socket { state.credentials[socket] = credential }
            if let lost = state.unsigned {
                state.unsigned = nil
                if isOfAnotherDevice(event, credential, state) { state.lost = lost } else { opened(event, credential, lost, &state) }
            }
            state.lastCredential = credential
        }
        guard rule.resubscribes.contains(event.name), event.outcome?.isSuccess == true else { return }
        state.hasSubscribed = true
        if let opened = state.opened {
            state.opened = nil
            resubscribed(event, opened, state)
        }
    }

    /// Sockets are counted from 1 in each process.
    mutating func serverEnded(_ process: Int, by end: Instant) {
        states = states.mapValues { state in
            var state = state
            (state.newest, state.credentials) = (nil, [:])
            return state
        }
        heirs = [:]
    }

    mutating func serverKilled(after end: Instant) {
        for (key, var state) in states.sorted(by: { $0.key < $1.key }) {
            if let due = state.lost ?? state.opened ?? state.unsigned {
                let waited = timing.basis.seconds(from: due.end, to: end) ?? 0
                if waited > timing.seconds(rule.within) + timing.floor, state.unsigned == nil {
                    missing(due, end, state.lost == nil ? unsubscribed : unopened)
                } else {
                    judgement.leaveOpen(atKillAfter: due.number)
                }
            }
            (state.lost, state.opened, state.unsigned) = (nil, nil, nil)
            states[key] = state
        }
    }

    private func isExcuse(_ event: Event) -> Bool { rule.unless.contains { $0.matches(event) } }

    /// A user who leaves may be reported so long before the socket is closed.
    private static let leaving = Duration.seconds(5)

    /// The key of the state that an event belongs to. Until its first message a socket may name nobody: its lane is then the operation's
    /// own name, and it is taken for one that somebody owes. A lost nameless socket is owed by the next person who opens one, or need not.
    private mutating func place(of event: Event) -> String {
        let key = rule.scope.key(event)
        guard rule.scope == .lane else { return key }
        guard openings.contains(event.lane) else {
            let isAnswer = event.kind == .call && rule.operations.contains(event.name)
            guard isAnswer || isExcuse(event) else { return key }
            if states[key]?.lost == nil, let nameless = openings.first(where: { states[$0]?.lost != nil }),
                let left = states.removeValue(forKey: nameless)
            {
                var own = states[key] ?? State()
                (own.lost, own.lostCredential) = (left.lost, left.lostCredential)
                states[key] = own
            }
            return key
        }
        if let socket = event.socket, let heir = heirs[socket] { return heir }
        guard event.kind == .call, rule.operations.contains(event.name) else { return key }
        let credential = rule.credential == .same ? event.value(at: rule.at)?.hashValue : nil
        let owing = states.filter { $0.value.lost != nil && (credential == nil || $0.value.lostCredential == credential) }
        guard let heir = owing.max(by: { $0.value.lost?.number ?? 0 < $1.value.lost?.number ?? 0 })?.key else { return key }
        if let socket = event.socket { heirs[socket] = heir }
        return heir
    }

    private mutating func open(_ event: Event, _ state: inout State) {
        let credential = event.value(at: rule.at)?.hashValue
        if let socket = event.socket { state.credentials[socket] = credential }
        state.lastCredential = credential ?? state.lastCredential
        if event.outcome?.isSuccess == true { state.newest = event.socket }
        guard let lost = state.lost else { return }
        if isOfAnotherDevice(event, credential, state) { return }
        state.lost = nil
        if rule.credential != nil, credential == nil, !rule.signIns.isEmpty {
            state.unsigned = lost
            return
        }
        opened(event, credential, lost, &state)
    }

    /// Another of the person's devices has a token of its own.
    private func isOfAnotherDevice(_ event: Event, _ credential: Int?, _ state: State) -> Bool {
        guard rule.credential == .same, let before = state.lostCredential, let credential else { return false }
        return before != credential && marks.nameSeveralDevices(of: event.lane)
    }

    private mutating func opened(_ event: Event, _ credential: Int?, _ lost: Event, _ state: inout State) {
        guard let waited = timing.basis.seconds(from: lost.end, to: event.begin) else {
            return judgement.cannotJudge =
                "the socket of entry \(lost.number) was lost before a restart of the server: judge it on the sandbox's clock"
        }
        if waited > timing.seconds(rule.within) + timing.floor + timing.grace(from: lost.end, to: event.begin)
            + timing.workGrace(from: lost.end, to: event.begin)
        {
            suspect(
                .init(
                    event.number,
                    "the next socket was opened \(waited.seconds) after \(lost.words): more than \(timing.seconds(rule.within).seconds)"))
        } else if let wait = rule.wait, waited < timing.seconds(wait) - timing.floor {
            judgement.blame(
                event.number,
                "the next socket was opened \(max(0, waited).seconds) after \(lost.words): before \(timing.seconds(wait).seconds) had passed"
            )
        } else if let wanted = rule.credential, let before = state.lostCredential, let now = credential,
            (before == now) != (wanted == .same)
        {
            let said = wanted == .same ? "another credential, although nothing was wrong with the last" : "the same credential again"
            suspect(.init(event.number, "the next socket after \(lost.words) was opened with \(said)"))
        } else if rule.resubscribes.isEmpty {
            judgement.pass(event.number, "opened again \(max(0, waited).seconds) after \(lost.words)")
        }
        if !rule.resubscribes.isEmpty {
            if event.outcome?.isSuccess == true { state.opened = event } else { state.lost = event }
        }
    }

    /// Notes a complaint that holds unless the user left and came back, which only a mark reports.
    private mutating func suspect(_ complaint: Verdict.Evidence) {
        guard rule.unless.contains(where: \.isMark) else { return judgement.blame(complaint) }
        if suspects.count < Judgement.limit { suspects.append(complaint) }
    }

    private mutating func resubscribed(_ event: Event, _ opened: Event, _ state: State) {
        let waited = timing.basis.seconds(from: opened.end, to: event.begin) ?? 0
        if waited > timing.seconds(rule.within) + timing.floor {
            return judgement.blame(
                event.number,
                "\(event.words) came \(waited.seconds) after the socket was opened again: more than \(timing.seconds(rule.within).seconds)")
        }
        if let asked = event.value(at: rule.asks).flatMap({ $0.integer(in: 0...Int64.max) }),
            asked > state.sequence?.addingClamped(1) ?? 0
        {
            let sent =
                state.sequence.map { "the last that was sent is \($0): those in between are lost" }
                ?? "none was sent before: those before it are lost"
            return judgement.blame(event.number, "\(event.words) asks from sequence \(asked) on, and \(sent)")
        }
        judgement.pass(event.number, "\(event.words) on the socket of entry \(opened.number)")
    }

    private var unopened: String { "no socket was opened" }
    private var unsubscribed: String { "none of \(rule.resubscribes.map(\.text).sorted().joined(separator: ", ")) came" }

    mutating func finish(_ end: Instant) -> Judgement {
        if let first = suspects.first, !marks.areTold {
            judgement.open.append("\(first.words), which is right if the user left meanwhile, and the app reports no marks")
        } else {
            for suspect in suspects { judgement.blame(suspect) }
        }
        for state in states.values.sorted(by: { ($0.lost ?? $0.opened)?.number ?? 0 < ($1.lost ?? $1.opened)?.number ?? 0 }) {
            if let lost = state.lost {
                missing(lost, end, unopened)
            } else if let opened = state.opened {
                missing(opened, end, unsubscribed)
            }
        }
        return judgement
    }

    private mutating func missing(_ event: Event, _ end: Instant, _ what: String) {
        guard let watched = timing.basis.seconds(from: event.end, to: end) else { return }
        if watched > timing.seconds(rule.within) + timing.floor {
            judgement.blame(.absence(event.number, "after \(event.words) \(what) within \(watched.seconds)"))
        } else {
            judgement.leaveOpen(after: event.number, watched: watched, of: timing.seconds(rule.within), slack: 2 * timing.floor)
        }
    }
}
