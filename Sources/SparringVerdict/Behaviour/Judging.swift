import SparringJSON
package import SparringJournal

/// A run under judgement: takes the journal's entries in their order and, in the end, gives the verdicts. Memory is bounded by what the rules
/// keep, not by the length of the journal.
///
/// Reading the entries of a long journal is half of the work: it is done in another thread, a piece ahead of the judges.
package struct Judging {
    package struct Run: Sendable {
        package var sandbox: String
        package var seed: Int64
        /// The server that it was at; nil: the only one.
        package var node: String?
        /// The name of the test that the sandbox was made for.
        package var label: String?
        package var scenario: String?
        /// How many entries the journal has lost.
        package var pruned: Int
        /// The number of calls and events that could not be written and are not in the journal yet, with the words for a report.
        package var unrecorded: (count: Int, words: String)?
        /// The people behind the names in its calls.
        package var people: People
        /// Faults whose replay is uncertain when several clients call at once, one sentence each.
        package var caveats: [String]
        /// How many seconds of the sandbox's clock go by in one of the machine's; 0: it stands until it is advanced.
        package var rate: Double

        package init(
            sandbox: String, seed: Int64, node: String? = nil, label: String? = nil, scenario: String?, pruned: Int,
            unrecorded: (count: Int, words: String)? = nil,
            people: People = .unknown, caveats: [String] = [], rate: Double = 0
        ) {
            self.unrecorded = unrecorded
            self.rate = rate
            self.sandbox = sandbox
            self.seed = seed
            self.node = node
            self.label = label
            self.scenario = scenario
            self.pruned = pruned
            self.people = people
            self.caveats = caveats
        }
    }

    /// A rule to be judged, and why.
    package struct Wanted: Sendable {
        package var rule: Rule
        /// The scenario asks for it; with its reason.
        package var because: String?
        /// The flows of the clients that the scenario expects it of; empty: all.
        package var flows: [String]
        /// The platforms of the clients that the scenario expects it of; empty: all.
        package var platforms: [String]
        /// Whether it comes about is drawn from the seed.
        package var isDrawn = false
        /// It was asked for by name.
        package var isNamed = false

        package init(
            _ rule: Rule, because: String? = nil, flows: [String] = [], platforms: [String] = [], isDrawn: Bool = false,
            isNamed: Bool = false
        ) {
            (self.rule, self.because, self.flows, self.platforms) = (rule, because, flows, platforms)
            (self.isDrawn, self.isNamed) = (isDrawn, isNamed)
        }
    }

    /// The platform and flow that are given for the client; where none is given, what it shows decides.
    package struct Client: Sendable {
        package var platform: String?
        package var flow: String?

        package init(platform: String? = nil, flow: String? = nil) { (self.platform, self.flow) = (platform, flow) }
    }

    static let evidenceLimit = Judgement.limit
    private static let timelineLimit = 2000
    private static let pieceLimit = 1024

    let run: Run
    private let timing: Timing
    private let behaviours: Behaviours
    private let rules: [Wanted]
    private var judges: Judges
    private var piece: [[UInt8]] = []
    /// The piece before.
    private var reading: Sightings?
    private var entries = 0
    private var first: Instant?
    private var calls = 0
    private var newest: Sighting?
    /// The judges that each place is of interest to.
    private var interest: [EventPlace: [Int]] = [:]
    /// The vendors that something was asked of, or that told something.
    private var vendors: Set<Substring> = []
    private var timeline: [TimelineItem] = []
    private var isTimelineCut = false
    private var contract: ContractFindings
    private var ownFailures = OwnFailures()
    /// Nil where nobody asks how much of the contracts was met.
    private var meter: CoverageMeter?
    private var client: ClientKind
    /// Notifications are a vendor's, and held against the contract as well.
    package var isRecording = false
    private var hangUps = HangUps()
    private var resends: Resends
    private var kills = Kills()
    private(set) var areMarksTold = false
    /// The client's process has ended, and nothing has come from it since: it owes no response to what a vendor does now.
    private var hasEnded = false
    /// Callers seen so far; two are enough to know.
    private var callers: Set<String> = []

    package init(
        _ run: Run, _ rules: [Wanted], _ behaviours: Behaviours, _ timing: Timing, client: Client = Client(),
        contract: ContractFindings = ContractFindings(), measuresCoverage: Bool = false
    ) {
        self.run = run
        self.rules = rules
        self.behaviours = behaviours
        var timing = timing
        timing.rate = run.rate
        self.timing = timing
        resends = Resends(timing)
        self.client = ClientKind(behaviours.files.map(\.clients), platform: client.platform, flow: client.flow)
        self.contract = contract
        meter = measuresCoverage ? CoverageMeter() : nil
        judges = Judges(rules.map(\.rule), timing)
    }

    /// - Parameter record: an entry in the form that the journal keeps.
    package mutating func take(_ record: [UInt8]) {
        piece.append(record)
        guard piece.count == Self.pieceLimit else { return }
        let next = Sightings(piece, run.people, behaviours.renamed)
        piece.removeAll(keepingCapacity: true)
        for sighting in reading?.all ?? [] { judge(sighting) }
        reading = next
    }

    private mutating func judge(_ sighting: Sighting) {
        for released in hangUps.take(sighting) { judge(resends.take(released).flatMap { kills.take($0) }) }
    }

    private mutating func judge(_ all: [Kills.Released]) {
        for (released, isDoubtful) in all { judge(released, isDoubtful: isDoubtful) }
    }

    private mutating func judge(_ released: Resends.Released, isDoubtful: Bool) {
        let sighting = released.sighting
        entries += 1
        newest = sighting
        guard let event = sighting.event else { return }
        judges.note(event)
        first = first ?? event.begin
        if event.kind == .call {
            calls += 1
            if callers.count < 2 { callers.insert(event.lane) }
        }
        ownFailures.take(event)
        client.take(event, at: sighting.place)
        if event.isClientMark { areMarksTold = true }
        if event.kind == .mark { hasEnded = !event.isClientMark } else if event.kind == .call { hasEnded = false }
        switch event.kind {
        case .call, .other, .mark: contract.take(event, behaviours.fidelities)
        case .notification where isRecording: contract.take(event, behaviours.fidelities)
        default: break
        }
        meter?.take(event)
        if !released.isReplaced, !hasEnded || !event.isVendors || event.isAnsweredElsewhere {
            let listeners = sighting.isMark ? Array(judges.indices) : interested(in: sighting.place)
            judges.take(event, of: listeners, isOfEnd: released.isOfEnd, isDoubtful: isDoubtful)
        }
        if !isTimelineCut { chart(event) }
    }

    private mutating func interested(in place: EventPlace) -> [Int] {
        if let known = interest[place] { return known }
        let found = rules.indices.filter { rules[$0].rule.form.concerns(place) }
        interest[place] = found
        if let dot = place.operation.text.firstIndex(of: ".") { vendors.insert(place.operation.text[..<dot]) }
        return found
    }

    /// Those of the vendors that the client has to do with, and what was asked for: a client of one vendor hears nothing of another's rules.
    private var concerned: [Int] {
        let found = rules.indices.filter { index in
            let wanted = rules[index]
            return wanted.because != nil || wanted.isNamed || vendors.contains(wanted.rule.vendor[...])
        }
        return vendors.isEmpty || found.isEmpty ? Array(rules.indices) : found
    }

    /// - Parameter end: of the watch; nil: with the last entry, as of a run that nobody watches any more.
    package mutating func finish(at end: Instant?) -> VerdictReport {
        for sighting in reading?.all ?? [] { judge(sighting) }
        for sighting in piece.compactMap({ Sighting($0, run.people, behaviours.renamed) }) { judge(sighting) }
        for released in hangUps.finish().flatMap({ resends.take($0) }) + resends.finish() { judge(kills.take(released)) }
        judge(kills.finish())
        if let unrecorded = run.unrecorded { ownFailures.add(unrecorded: unrecorded.count, unrecorded.words) }
        let origin = Instant(sandbox: 0, monotonic: 0, process: 1)
        let end = end ?? newest?.event?.end ?? origin
        judges.finish(at: end)
        let names = RuleNames(rules.map(\.rule))
        var verdicts: [Verdict] = []
        var ofUnknownPlatform: [Int] = []
        var left = 0.0
        for index in concerned {
            let wanted = rules[index]
            var verdict: Verdict
            if let exemption = client.exemption(from: wanted.rule) {
                verdict = Verdict(rule: wanted.rule.summary, result: .notExercised, summary: exemption)
                if let because = wanted.because, client.known(.platform).isEmpty {
                    verdict.because = because
                    ofUnknownPlatform.append(verdicts.count)
                }
            } else {
                let judgement = judges.judgement(of: index, at: end)
                left = max(left, judgement.left)
                verdict = self.verdict(wanted.rule, judgement)
                let exemption = client.exemption(fromFlows: wanted.flows, orPlatforms: wanted.platforms)
                let hidden = verdict.result == .notExercised ? resends.hidden(from: wanted.rule.form) : nil
                if verdict.result == .notExercised, let why = exemption ?? hidden { verdict.summary = why }
                if verdict.result == .fail || verdict.isDoubt, !areMarksTold, verdict.evidence.first?.isAbsence == true {
                    verdict.summary += excuses(wanted.rule)
                }
                if wanted.rule.isDoubt, verdict.result == .undecided, hasEnded { verdict = doubted(wanted.rule, verdict) }
                verdict.because = wanted.because
                verdict.isExpected =
                    wanted.because != nil && exemption == nil && hidden == nil
                    && !(wanted.isDrawn && [.notExercised, .excused].contains(verdict.result))
                verdict.isNamed = wanted.isNamed
                if verdict.result == .fail, contract.knows(verdict.rule) {
                    (verdict.result, verdict.isKnown) = (.advice, true)
                    verdict.summary = "known, and fails nothing: " + verdict.summary
                }
            }
            verdict.shownName = names.shortName(of: wanted.rule)
            verdicts.append(verdict)
        }
        let isShown = verdicts.contains { $0.isExpected && $0.result == .pass }
        for index in verdicts.indices where isShown && verdicts[index].isDoubt { verdicts[index].result = .advice }
        if !ownFailures.isEmpty { verdicts = verdicts.map(ownFailures.doubting) }
        // All that the scenario expects applies to certain platforms, and the client's is unknown: nothing says that it did well.
        if !verdicts.contains(where: \.isExpected) { for index in ofUnknownPlatform { verdicts[index].isExpected = true } }
        var report = VerdictReport(
            sandbox: run.sandbox, seed: run.seed, scenario: run.scenario, timing: timing, verdicts: verdicts, entries: entries,
            pruned: run.pruned, watched: max(0, first.flatMap { timing.basis.seconds(from: $0, to: end) } ?? 0), timeline: timeline)
        report.node = run.node
        report.label = run.label
        report.ownFailures = ownFailures
        report.left = left
        report.calls = calls
        report.resent = resends.pairs.prefix(Self.evidenceLimit).map(\.words)
        report.isTimelineCut = isTimelineCut
        report.unobservable = behaviours.unobservable(beside: verdicts.map(\.rule.vendor))
        report.sources = behaviours.files.flatMap(\.sources)
        report.contract = contract
        report.coverage = meter?.coverage(of: behaviours.surface, verdicts)
        report.platforms = client.known(.platform).sorted()
        report.flows = client.known(.flow).sorted()
        if callers.count > 1 { report.caveats = run.caveats }
        return report
    }

    private mutating func chart(_ event: Event) {
        let kind: TimelineItem.Kind
        switch event.kind {
        case .call:
            switch event.outcome {
            case .success: kind = event.opensSocket ? .opened : .success
            case .failure(FailureClass.noAnswer, _): kind = .lost
            default: kind = .failure
            }
        case .notification: kind = .notification
        case .socketEnd, .socketFrozen: kind = .closed
        case .connection: kind = .lost
        case .mark: kind = .mark
        case .gaveUp, .vendorCall: return
        case .other:
            switch event.record.string("kind") {
            case "clock": kind = .clock
            case "fault": kind = .fault
            default: return
            }
        }
        // By the machine's clock what comes after a restart of the server has no place.
        guard let first, let begin = timing.basis.seconds(from: first, to: event.begin) else { return }
        guard timeline.count < Self.timelineLimit else { return isTimelineCut = true }
        let words =
            kind == .clock || kind == .fault ? event.record.string("cause") ?? "" : event.kind == .call ? event.operation : event.words
        var item = TimelineItem(
            entry: event.number, kind: kind, lane: event.lane, what: words, outcome: event.outcome?.words,
            faults: event.isStruck ? event.record.json("faults")?.array?.compactMap { $0.integer(in: 0...Int.max) } ?? [] : [],
            begin: begin, end: begin + max(0, timing.basis.seconds(from: event.begin, to: event.end) ?? 0))
        item.socket = event.socket
        timeline.append(item)
    }
}
