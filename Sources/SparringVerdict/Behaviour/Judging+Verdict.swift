/// The step from a rule's judgement to its verdict.
extension Judging {
    func verdict(_ rule: Rule, _ judgement: Judgement) -> Verdict {
        func verdict(_ result: Verdict.Result, _ summary: String, _ evidence: [Verdict.Evidence]) -> Verdict {
            let chains = judgement.chains.filter { !$0.isGood } + judgement.chains.filter(\.isGood)
            return Verdict(
                rule: rule.summary, result: result, summary: summary, evidence: Array(evidence.prefix(Self.evidenceLimit)), chains: chains)
        }
        if let reason = judgement.cannotJudge { return verdict(.inconclusive, reason, judgement.favour) }
        if let worst = judgement.against.first {
            if run.pruned > 0, !Self.standsAlone.contains(rule.kind) { return verdict(.inconclusive, pruned, judgement.against) }
            let more = judgement.blames > 1 ? " (and \(judgement.blames - 1) more)" : ""
            let broken: Verdict.Result = rule.isDoubt ? .inconclusive : rule.isAdvice ? .advice : .fail
            var verdict = verdict(broken, worst.words + more, judgement.against + judgement.favour)
            verdict.isDoubt = rule.isDoubt
            return verdict
        }
        if run.pruned > 0 { return verdict(.inconclusive, pruned, judgement.favour) }
        if let open = judgement.open.first {
            if judgement.passes > 0 {
                let more = "\(judgement.open.count) more undecided: \(open)"
                return verdict(.pass, "\(judgement.passes.times); \(more)", judgement.favour)
            }
            guard judgement.left > 0 else { return verdict(.notExercised, open, judgement.favour) }
            let more = "it would be judged \(judgement.left.seconds) later: keep the client running, or use --settle"
            return verdict(.undecided, "\(open); \(more)", judgement.favour)
        }
        if judgement.passes == 0, let excused = judgement.excused.first {
            let more = judgement.excused.count > 1 ? " (and \(judgement.excused.count - 1) more)" : ""
            return verdict(.excused, excused.words + more, judgement.excused)
        }
        guard judgement.passes > 0 else { return verdict(.notExercised, "not seen: \(rule.form.wanted)", []) }
        return verdict(.pass, judgement.passes.times, judgement.favour)
    }

    func excuses(_ rule: Rule) -> String {
        let marks = rule.excuses.map { "'\($0)'" }
        return marks.isEmpty ? "" : " (the client sends no marks: \(marks.joined(separator: " or ")) may excuse it)"
    }

    private var pruned: String { "\(run.pruned) entries have left the journal: --journal-limit keeps more" }
    /// The kinds of rules whose breach stands, whatever came before.
    private static let standsAlone: Set<String> = [NeverRule.word, NoReuseRule.word, OnceRule.word, RateRule.word]

    /// An undecided verdict becomes a doubt once the client's process has ended: the call that would settle it cannot come.
    func doubted(_ rule: Rule, _ undecided: Verdict) -> Verdict {
        var verdict = undecided
        (verdict.result, verdict.isDoubt) = (.inconclusive, true)
        let open = undecided.summary.split(separator: ";")[0]
        verdict.summary = "the client's process ended, and nothing came of it: \(open)" + (areMarksTold ? "" : excuses(rule))
        return verdict
    }
}

extension Int {
    /// `done once`, `done 3 times`.
    fileprivate var times: String { self == 1 ? "done once" : "done \(self) times" }
}
