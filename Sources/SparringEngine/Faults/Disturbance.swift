import SparringHTTP
import SparringJournal

/// What the faults that strike one call amount to together: delays add up, of the others the one armed first counts.
struct Disturbance: Sendable {
    /// In place of a decision.
    enum Replacement: Sendable {
        case refusal(String)
        case status(code: Int, retryAfter: Duration?)
    }

    var strikes: [FaultTable.Strike] = []
    /// Faults whose counts the call has moved, whether or not they struck.
    var touched: [FaultTable.Armed] = []
    /// Sandbox time before anything is decided, and between the commit and the answer.
    var delayBefore = Duration.zero
    var delayAfter = Duration.zero
    var replacement: (by: Int, with: Replacement)?
    var cut: (by: Int, delivery: Delivery, phase: Fault.Phase)?

    init(_ chosen: (strikes: [FaultTable.Strike], touched: [FaultTable.Armed])) {
        strikes = chosen.strikes
        touched = chosen.touched
        for strike in strikes {
            switch strike.fault.effect {
            case .delay(let by) where strike.fault.phase == .onRequestEnd: delayBefore += by
            case .delay(let by): delayAfter += by
            case .refusal(let name): replacement = replacement ?? (strike.number, .refusal(name))
            case .status(let code, let retryAfter):
                replacement = replacement ?? (strike.number, .status(code: code, retryAfter: retryAfter))
            case .reset: cut = cut ?? (strike.number, .reset, strike.fault.phase)
            case .emptyResponse: cut = cut ?? (strike.number, .empty, strike.fault.phase)
            }
        }
    }

    var numbers: [Int] { strikes.map(\.number) }

    /// Nothing is decided: the connection is cut before.
    var isCutBefore: Bool { cut?.phase == .onRequestEnd }

    /// Why there is no decision, where there is none.
    var cause: String? {
        if let cut, isCutBefore { return "fault \(cut.by)" }
        return replacement.map { "fault \($0.by) forced it" }
    }

    /// What the client got instead of a plain answer, for the journal.
    var words: String? {
        var words: [String] = []
        if delayBefore > .zero { words.append("delayed by \(delayBefore.words) before the decision") }
        if let cut {
            let what = if case .reset = cut.delivery { "reset" } else { "closed without an answer" }
            words.append(
                cut.phase == .onRequestEnd ? "\(what): nothing was decided" : "\(what): decided and committed, the answer was lost")
        }
        if delayAfter > .zero { words.append("delayed by \(delayAfter.words) after the decision") }
        return words.isEmpty ? nil : words.joined(separator: "; ")
    }
}
