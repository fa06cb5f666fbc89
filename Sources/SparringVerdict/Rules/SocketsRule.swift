import SparringJSON
import SparringJournal

/// A socket is open while it is needed and no longer, and one is enough: after what `after` means the person's sockets are closed, until `until` none
/// stays open, and no second one is opened with the same credential beside one that works.
struct SocketsRule: RuleForm {
    static let word = "sockets"
    static let members = ["of", "signsIn", "after", "until", "reset", "within", "credential", "single"]

    let operations: [OperationName]
    /// The message that brings the credential where the opening has none.
    let signIns: [OperationName]
    /// The event after which the sockets are closed; nil: it is the number of them that is judged.
    let after: Selector?
    /// After this a socket may be open again. Where it never comes in a run, nothing is held against one that is opened later: the client does not report it.
    let until: Selector?
    /// The same as ``until``, but it does not show that the client reports it.
    let reset: Selector?
    let within: Duration
    /// The places of the credential in openings and messages.
    let credential: [SourcePlace]
    /// It is the sockets with other credentials that count: only of an app that reports marks, as another's may be those of a second device.
    let isSingle: Bool

    init(_ declaration: Declaration, _ vocabulary: Vocabulary) throws(ConfigurationError) {
        operations = try vocabulary.operations("of", declaration, needed: "the calls that open the socket") { $0.opensSocket }
        signIns = try vocabulary.operations("signsIn", declaration)
        after = try Selector.optional("after", declaration, vocabulary)
        until = try Selector.optional("until", declaration, vocabulary)
        reset = try Selector.optional("reset", declaration, vocabulary)
        within = try declaration.duration("within") ?? .seconds(5)
        credential = try SourcePlace.read("credential", declaration)
        isSingle = try declaration.flag("single") ?? false
        guard after != nil || !credential.isEmpty else {
            throw ConfigurationError(
                declaration.pointer,
                "'after' or 'credential' is missing: the event after which the sockets are closed, or the credential that they share")
        }
    }

    var selectors: [Selector?] { [after, until, reset] }
    var operationSets: [[OperationName]] { [operations, signIns] }
    var wanted: String { after.map { $0.words + " while a socket is open" } ?? "a socket that is opened" }
    func judge(_ timing: Timing) -> any Judge { SocketsJudge(rule: self, timing: timing) }
}

private struct SocketsJudge: Judge {
    struct Open {
        var opened: Event
        var credential: Int?
        /// The event after which it was to be closed.
        var leaving: Event?
        /// It was opened after that.
        var isLate = false
        /// Another was opened beside it.
        var beside: Event?
        /// The server froze it: its end is not visible.
        var isFrozen = false
    }

    struct Change {
        var from: Event
        var to: Event
    }

    let rule: SocketsRule
    let timing: Timing
    /// The open sockets, by process and number.
    var open: [String: Open] = [:]
    /// Sockets whose end comes before their opening in the journal.
    var over: Set<String> = []
    /// The event after which a lane's sockets are closed, by lane, until they may be open again.
    var left: [String: Event] = [:]
    /// Whether ``SocketsRule/until`` was ever reported.
    var isReturnReported = false
    var marks = MarksTold()
    /// Sockets that took the place of others in time, as far as is known.
    var changes: [Change] = []
    /// The entries that show that a socket is beside another, by those that opened it.
    var latecomers: [Int: Int] = [:]
    /// For how many seconds such a socket was open, by the former entries, if the client has ended it.
    var lives: [Int: Double] = [:]
    /// Complaints that hold only of a person with one device; `isLate`: of a socket that was opened while none was needed.
    var suspects: [(lane: String, isLate: Bool, complaint: Verdict.Evidence)] = []
    var judgement = Judgement()

    mutating func take(_ event: Event) {
        marks.take(event)
        if let after = rule.after, after.matches(event) {
            left[event.lane] = event
            for (key, socket) in open where socket.opened.lane == event.lane && socket.leaving == nil { open[key]?.leaving = event }
        } else if let isReset = isReturn(event) {
            if !isReset { isReturnReported = true }
            left[event.lane] = nil
            for (key, socket) in open where socket.opened.lane == event.lane { stay(key, socket, event) }
        }
        guard let number = event.socket else { return }
        let key = "\(event.begin.process) \(number)"
        if event.kind == .call, event.outcome?.isSuccess == true, rule.signIns.contains(event.name) { signedIn(event, key) }
        guard rule.operations.contains(event.name) else { return }
        switch event.kind {
        case .call where event.outcome?.isSuccess == true: opened(event, key)
        case .socketFrozen: open[key]?.isFrozen = true
        case .socketEnd:
            if let socket = open.removeValue(forKey: key) {
                ended(socket, event.begin, isByClient: event.endedBy != "server")
            } else {
                over.insert(key)
            }
        default: break
        }
    }

    private mutating func opened(_ event: Event, _ key: String) {
        if over.remove(key) != nil { return }
        open[key] = Open(opened: event)
        if rule.until != nil, let leaving = left[event.lane], timing.basis.seconds(from: leaving.begin, to: event.begin) ?? -1 >= 0 {
            open[key]?.leaving = leaving
            open[key]?.isLate = true
        }
        signedIn(event, key)
    }

    /// Whether the user has come back, and only by the way; nil: nothing says so.
    private func isReturn(_ event: Event) -> Bool? {
        rule.until?.matches(event) == true ? false : rule.reset?.matches(event) == true ? true : nil
    }

    /// The user has come back: the socket is needed again.
    private mutating func stay(_ key: String, _ socket: Open, _ event: Event) {
        left(by: event.begin, socket)
        open[key]?.leaving = nil
        open[key]?.isLate = false
    }

    private mutating func signedIn(_ event: Event, _ key: String) {
        guard rule.after == nil, let credential = event.value(at: rule.credential)?.hashValue, open[key]?.credential == nil else { return }
        open[key]?.credential = credential
        let others = open.filter {
            $0.key != key && ($0.value.credential == credential) != rule.isSingle && $0.value.credential != nil && !$0.value.isFrozen
                && $0.value.opened.lane == event.lane
        }
        if let oldest = others.min(by: { $0.value.opened.number < $1.value.opened.number }) {
            // The first that was opened beside it counts.
            open[oldest.key]?.beside = oldest.value.beside ?? event
            open[key].map { latecomers[$0.opened.number] = event.number }
        } else {
            judgement.passes += 1
        }
    }

    private mutating func ended(_ socket: Open, _ end: Instant, isByClient: Bool = false) {
        left(by: end, socket)
        if let beside = socket.beside, !socket.isFrozen, let open = timing.basis.seconds(from: beside.end, to: end) {
            if open > timing.seconds(rule.within) + timing.floor {
                suspects.append(
                    (
                        beside.lane, false,
                        .init(
                            beside.number,
                            "another socket was opened, and the socket of entry \(socket.opened.number) stayed open for \(open.seconds) at the same time"
                        )
                    ))
            } else {
                changes.append(Change(from: socket.opened, to: beside))
            }
        }
        if isByClient, let entry = latecomers[socket.opened.number] {
            lives[entry] = timing.basis.seconds(from: socket.opened.end, to: end)
        }
    }

    /// A change of sockets, both of which were closed before it had to be over: whether the client would have gone on with one is not known.
    private func doubt(_ change: Change) -> String? {
        guard let life = lives[change.to.number], life <= timing.seconds(rule.within) + timing.floor else { return nil }
        return
            "entry \(change.to.number) opened another socket beside the one of entry \(change.from.number), and the client closed both within "
            + "\(life.seconds): a change of sockets may take \(timing.seconds(rule.within).seconds)"
    }

    /// Whether a socket was closed in time, or needed again, once the user had left.
    private mutating func left(by end: Instant, _ socket: Open) {
        guard let leaving = socket.leaving,
            let open = timing.basis.seconds(from: socket.isLate ? socket.opened.end : leaving.begin, to: end)
        else { return }
        guard open > timing.seconds(rule.within) + timing.floor else {
            if !socket.isLate { judgement.passes += 1 }
            return
        }
        let words =
            socket.isLate
            ? "\(socket.opened.words) came after \(leaving.words) (entry \(leaving.number)), and the socket stayed open for \(open.seconds)"
            : "the socket of entry \(socket.opened.number) stayed open for \(open.seconds) after \(leaving.words)"
        suspects.append((leaving.lane, socket.isLate, .init(socket.isLate ? socket.opened.number : leaving.number, words)))
    }

    mutating func serverEnded(_ process: Int, by end: Instant) {
        for (key, socket) in open where socket.opened.end.process == process {
            open[key] = nil
            if !socket.isFrozen { ended(socket, end) }
        }
    }

    mutating func finish(_ end: Instant) -> Judgement {
        for socket in open.values.sorted(by: { $0.opened.number < $1.opened.number }) where !socket.isFrozen {
            if let since = socket.isLate ? socket.opened : socket.leaving ?? socket.beside,
                let watched = timing.basis.seconds(from: since.end, to: end),
                watched <= timing.seconds(rule.within) + timing.floor
            {
                judgement.leaveOpen(after: since.number, watched: watched, of: timing.seconds(rule.within), slack: 2 * timing.floor)
            } else {
                ended(socket, end)
            }
        }
        for suspect in suspects where !marks.nameSeveralDevices(of: suspect.lane) && (marks.areTold || !rule.isSingle) {
            if suspect.isLate, !isReturnReported { continue }
            judgement.blame(suspect.complaint)
        }
        for change in changes where !marks.nameSeveralDevices(of: change.to.lane) && (marks.areTold || !rule.isSingle) {
            if let doubt = doubt(change) { judgement.open.append(doubt) }
        }
        return judgement
    }
}
