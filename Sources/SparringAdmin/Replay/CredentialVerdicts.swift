import HTTPTypes
import SparringContract
import SparringJournal

/// The credentials that a recorded vendor took, and those that it refused.
///
/// A call that fails says nothing about the credential that came with it, unless the contract gives its answer that meaning: the vendor may
/// have been down, or something else in the call wrong. So all calls that bring a credential decide, and not the first.
struct CredentialVerdicts {
    private var taken: Set<String> = []
    private var refused: Set<String> = []

    /// None are known.
    init() {}

    init(_ reader: RecordingReader) {
        var answers: [Int: JournalEntry.Answer] = [:]
        for entry in reader.entries { answers[entry.number] = entry.answer }
        for placed in reader.placed {
            let call = placed.call
            let credentials = WantedCredential.all(call.headers, call.target, call.body.bytes)
            note(credentials, answers[placed.entry], placed.operation.answers, at: call.own?.time ?? call.started)
            for (index, message) in (call.messages ?? []).enumerated() where message.isSent {
                note(
                    WantedCredential.all([:], "", message.bytes), placed.messages[index].flatMap { answers[$0] }, nil,
                    at: message.own?.time ?? message.time)
            }
        }
    }

    /// One that was taken once is sound: what refused it another time, such as its end, does so in a replay too.
    func refuse(_ credential: String) -> Bool { refused.contains(credential) && !taken.contains(credential) }

    /// - Parameter declared: the answers that the operation has; nil: those of a message.
    private mutating func note(
        _ credentials: [WantedCredential], _ answer: JournalEntry.Answer?, _ declared: [DeclaredAnswer]?, at time: Timestamp
    ) {
        guard let answer, let outcome = Self.outcome(of: answer) else { return }
        for credential in credentials {
            if outcome == .ok {
                // An operation that never refuses one does not look at it.
                let isChecked = declared.map { answers in answers.contains { credential.refusals.contains($0.outcome) } } ?? true
                if isChecked { taken.insert(credential.recorded) }
            } else if credential.refusals.contains(outcome), !credential.isOutOfTime(at: time) {
                refused.insert(credential.recorded)
            }
        }
    }

    /// Reads the contract; an answer that is not in it and blames the client is taken for a refusal of the credential.
    private static func outcome(of answer: JournalEntry.Answer) -> AnswerOutcome? {
        if let outcome = answer.outcome.flatMap(AnswerOutcome.init(rawValue:)) { return outcome }
        switch answer.status {
        case nil, 404, 408, 425, 429: return nil
        case .some(let status): return (400..<500).contains(status) ? .authentication : AnswerOutcome(status: status)
        }
    }
}
