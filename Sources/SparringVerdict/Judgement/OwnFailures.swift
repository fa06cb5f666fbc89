import SparringJSON
import SparringJournal

/// Sparring's own failures during a run. What a client did then says nothing about it, and what was not recorded cannot be judged.
package struct OwnFailures: Sendable {
    /// How many calls and events could not be recorded.
    package var unrecorded = 0
    /// How often Sparring answered with an error of its own, or did not do what was due.
    package var internalErrors = 0
    /// The first of them.
    package var evidence: [Verdict.Evidence] = []

    package init() {}

    package var isEmpty: Bool { unrecorded == 0 && internalErrors == 0 }

    /// EX_IOERR or EX_SOFTWARE of sysexits(3).
    package var exitStatus: Int32 { unrecorded > 0 ? 74 : 70 }

    /// `Sparring itself failed: 3 calls or events could not be recorded, 1 internal error`.
    var headline: String {
        var parts: [String] = []
        if unrecorded > 0 { parts.append("\(unrecorded) \(unrecorded == 1 ? "call or event" : "calls or events") could not be recorded") }
        if internalErrors > 0 { parts.append("\(internalErrors) internal \(internalErrors == 1 ? "error" : "errors")") }
        return "Sparring itself failed, so the client cannot be judged: " + parts.joined(separator: ", ")
    }

    /// One sentence each.
    var lines: [String] { evidence.map { item in (item.entry.map { "entry \($0): " } ?? "") + item.words } }

    mutating func add(unrecorded count: Int, _ words: String, entry: Int? = nil) {
        unrecorded = unrecorded.addingClamped(count)
        add(words, entry)
    }

    mutating func take(_ event: Event) {
        switch event.kind {
        case .call, .vendorCall:
            guard event.outcome?.failureClass != nil, event.causeCode == Cause.failed else { return }
        case .other:
            switch event.causeCode {
            case Cause.unrecorded:
                let count = event.record.object("details")?.object("unrecorded")?.integer("count") ?? 1
                return add(unrecorded: Int(count), event.record.string("cause") ?? "", entry: event.number)
            // An answer that breaks the contract was given all the same; it is counted with the contract.
            case Cause.failed
            where ["finding", "due"].contains(event.record.string("kind") ?? "") && event.findings.allSatisfy({ $0.basis == nil }):
                break
            default: return
            }
        default: return
        }
        internalErrors += 1
        add("\(event.operation): \(event.record.string("cause") ?? "")", event.number)
    }

    private mutating func add(_ words: String, _ entry: Int?) {
        if evidence.count < Judgement.limit { evidence.append(Verdict.Evidence(entry, words)) }
    }

    /// A verdict that what was recorded would have led to.
    func doubting(_ verdict: Verdict) -> Verdict {
        guard verdict.result != .notExercised else { return verdict }
        var doubted = verdict
        doubted.result = .inconclusive
        doubted.summary = "Sparring itself failed; by what was recorded: \(verdict.label), \(verdict.summary)"
        return doubted
    }
}
