// What the reports for people have in common.

extension Verdict {
    /// The scenario expects it, or it was requested by name, and the run does not show what the client does.
    package var isMissed: Bool { (isExpected || isNamed) && [.notExercised, .undecided, .excused].contains(result) }

    /// The first evidence is what the summary says, so that only its entry is news.
    var firstIsSummary: Bool { evidence.first.map { summary == $0.words || summary.hasPrefix($0.words + " (and ") } ?? false }

    /// The evidence to show below the summary: where some of it counts against the client, only that, as the rest reads like further accusations.
    var shownEvidence: [Evidence] {
        let against = evidence.filter(\.isAgainst)
        return Array((against.isEmpty ? evidence : against).dropFirst(firstIsSummary ? 1 : 0))
    }

    /// The word for the result, in capitals where it must not be overlooked.
    var label: String { result.label(isMissed: isMissed) }
}

extension Verdict.Result {
    /// The word for it, in capitals where it must not be overlooked.
    func label(isMissed: Bool) -> String {
        switch self {
        case .fail: "FAIL"
        case .inconclusive: "INCONCLUSIVE"
        case .notExercised: isMissed ? "NOT EXERCISED" : "not exercised"
        case .undecided: isMissed ? "UNDECIDED" : "undecided"
        case .excused: isMissed ? "EXCUSED" : "excused"
        case .advice: "advice"
        case .pass: "pass"
        }
    }

    /// The sign for it: a question mark where what was wanted is open.
    func sign(isMissed: Bool) -> String { isMissed ? Self.inconclusive.sign : sign }

    /// Something happened that the rule is about, and nothing came of it: undecided, or excused.
    var isUnsettled: Bool { self == .undecided || self == .excused }
}

extension VerdictReport {
    /// Those that keep the run from being good, the worst first.
    var wanting: [Verdict] {
        verdicts.filter { $0.result == .fail } + verdicts.filter { $0.result == .inconclusive } + verdicts.filter(\.isMissed)
    }

    /// `2 of 17 rules failed, 3 not exercised`.
    var headline: String {
        if !ownFailures.isEmpty { return ownFailures.headline }
        guard !verdicts.isEmpty else {
            return switch subject {
            case .run: "no rules were judged"
            case .recording: contract.isBroken ? "the recording breaks the contract" : "nothing in the recording breaks the contract"
            case .replay: contract.isBroken ? "the replay differs from the recording" : "the replay is as the recording"
            }
        }
        let failed = count(.fail)
        let told = failed > 0 ? "\(failed) of \(verdicts.count)" : "\(count(.pass)) of \(verdicts.count)"
        var parts = ["\(told) \(verdicts.count == 1 ? "rule" : "rules") \(failed > 0 ? "failed" : "passed")"]
        if count(.inconclusive) > 0 { parts.append("\(count(.inconclusive)) inconclusive") }
        for (result, words) in [(Verdict.Result.undecided, "undecided"), (.excused, "excused"), (.notExercised, "not exercised")]
        where count(result) > 0 {
            let missed = verdicts.count { $0.isMissed && $0.result == result }
            parts.append("\(count(result)) \(words)" + (missed > 0 ? " (\(missed) expected)" : ""))
        }
        if contract.isBroken { parts.append("the contract was broken") }
        return parts.joined(separator: ", ")
    }

    /// Headings, each with its sentences.
    var remarks: [(heading: String, sentences: [String])] {
        [
            ("Sent again by the client's HTTP library, and counted as one call", resent),
            ("A replay may turn out differently, even on a clock that stands", caveats),
        ].filter { !$0.1.isEmpty }
    }

    /// `wall clock × 1`, with the rate of the sandbox's clock where that is not the machine's.
    var clockWords: String {
        let words = "\(timing.basis.rawValue) clock × \(timing.scale.rounded(to: 6))"
        return [0, 1].contains(timing.rate) ? words : words + ", sandbox clock at rate \(timing.rate.rounded(to: 6))"
    }
}

extension RetryChain {
    /// The subject of the chain, and how it ended.
    var words: String {
        what + (lane.isEmpty ? "" : " of \(lane)") + (watched.map { ", then nothing for \($0.seconds)" } ?? "")
    }

    static let columns = ["attempt", "entries", "waited", "due", "off by", "answer", "judged"]

    /// The cells of the columns, attempt by attempt.
    var rows: [[String]] {
        attempts.map { attempt in
            [
                String(attempt.number), attempt.entryWords, waitedWords(attempt), attempt.dueWords, attempt.offByWords, attempt.outcome,
                attempt.judged.rawValue,
            ]
        }
    }

    /// The wait before an attempt; for one that did not come, only a lower bound is known: the time that was watched.
    private func waitedWords(_ attempt: Attempt) -> String {
        if let waited = attempt.waited { return waited.seconds }
        guard attempt.isAwaited, let watched else { return "" }
        return "> \(watched.seconds)"
    }
}

extension RetryChain.Attempt {
    /// None came.
    var isAwaited: Bool { judged == .missing || judged == .open }

    var entryWords: String {
        guard entries.count > 4, let first = entries.first, let last = entries.last else {
            return entries.map(String.init).joined(separator: ", ")
        }
        return "\(first) … \(last) (\(entries.count))"
    }

    var dueWords: String {
        guard let due else { return judged == .surplus ? "none" : "" }
        guard let earliest else { return due.seconds }
        guard let latest else { return "\(due.seconds) or later" }
        return "\(due.seconds) (\(earliest.seconds) to \(latest.seconds))"
    }

    /// Seconds; negative where it came before it was due.
    var offBy: Double? {
        guard let waited, let due else { return nil }
        return waited - due
    }

    var offByWords: String { offBy.map { ($0 < 0 ? "−" : "+") + abs($0).seconds } ?? "" }
}

extension RetryChain.Judged {
    /// It counts against the client.
    var isBad: Bool {
        switch self {
        case .early, .late, .surplus, .missing: true
        case .first, .good, .open: false
        }
    }
}

extension VerdictReport {
    /// The report's parts about the contract, each a heading and the rows below it. Of what the baseline has, text names the first few.
    var contractParts: [ContractPart] {
        ContractFindings.Weight.allCases.compactMap { weight in
            let (rows, count) = (contract.rows(weight), contract.count(weight))
            guard count > 0 else { return nil }
            let times = count == 1 ? "once" : count == 2 ? "twice" : "\(count) times"
            let heading =
                switch weight {
                case .fail where subject == .recording: "The recording breaks the contract \(times)"
                case .fail where subject == .replay: "The replay differs from the recording \(times)"
                case .fail where contract.gate.fails: "The client broke the contract \(times), and the run fails for it"
                case .fail: "The client broke the contract \(times)"
                case .warn: "Against the contract, but no reason to fail, \(times)"
                case .notEmulated: "Not in the contract, or not emulated, \(times)"
                case .refused: "Refused by the vendor on a socket, \(times)"
                case .own: "Sparring's own answers broke the contract \(times), which is no fault of the client's"
                case .known: "Against the contract, known and not counted, \(times)"
                }
            return ContractPart(weight: weight, heading: heading, rows: rows)
        }
    }

    /// The first violation for which the contract counts as broken, and how many further ones there are, on one line; nil where the contract is kept.
    var brokenWords: String? {
        let rows = contract.rows(.fail)
        guard contract.isBroken, let first = rows.first else { return nil }
        return first.words.clipped(to: 160) + (rows.count > 1 ? " and \(rows.count - 1) more" : "")
    }

    /// The same with what it means for the run: `liveperson.login: body.a: required (the client broke the contract once, and the run fails for it)`.
    var brokenSentence: String? {
        guard contract.isBroken, let heading = contractParts.first?.heading else { return nil }
        let clause = String(heading.prefix(1)).lowercased() + String(heading.dropFirst())
        return brokenWords.map { "\($0) (\(clause))" } ?? heading
    }

    /// `ios, code flow`; empty where nothing is known.
    var clientWords: String { (platforms + flows.map { $0 + " flow" }).joined(separator: ", ") }
}

/// A section of the report about the contract.
struct ContractPart {
    let weight: ContractFindings.Weight
    let heading: String
    let rows: [ContractFinding]

    /// Known rows that have a line: a baseline may be long.
    private static let mostKnown = 5

    /// A line for each row; of those that the baseline has, for the first few.
    var lines: [String] {
        guard weight == .known, rows.count > Self.mostKnown else { return rows.map(\.line) }
        return rows.prefix(Self.mostKnown).map(\.line) + ["and \(rows.count - Self.mostKnown) more"]
    }

    /// The same for a terminal: with the overlay that would turn a near miss into a call, and the stub that would answer it.
    var textLines: [String] {
        guard weight == .notEmulated else { return lines }
        return rows.flatMap { row in
            let overlay = row.overlayText.split(separator: "\n").map { "    \($0)" }
            return [row.line] + (overlay.isEmpty ? [] : ["  an overlay with which it would have matched:"] + overlay)
                + (row.stub.map { ["  a stub would answer it: \($0)"] } ?? [])
        }
    }
}
