import SparringJSON
package import SparringJournal

extension Disturbance {
    /// A description, for the journal, of what the client got instead of a plain answer.
    package var words: String? {
        var words: [String] = []
        if let delay = delays[.onRequestStart] { words.append("delayed by \(delay.words) before its body was read") }
        if let delay = delays[.onRequestBody] { words.append("delayed by \(delay.words) while its body was read") }
        if let delay = delays[.onRequestEnd] { words.append("delayed by \(delay.words) before the decision") }
        if let lostBy { words.append("the message was lost on its way here by fault \(lostBy): nothing was decided") }
        if let cut, cut.isBefore { words.append("\(cut.words): nothing was decided") }
        if let ending, ending.phase == .onRequestEnd { words.append("\(ending.words): nothing was decided") }
        for plan in plans { words.append("the socket is \(plan.words) \(plan.later)") }
        if isCutBefore { return words.joined(separator: "; ") }
        if let substitute { words.append("answered \(substitute.status.code) by fault \(substitute.by): decided and committed") }
        words += alterations.map(\.words)
        words += messageChanges.map { "the response: \($0.words)" }
        if let delay = delays[.onResponseStart] { words.append("delayed by \(delay.words) after the decision") }
        if let delay = delays[.onResponseBody] { words.append("delayed by \(delay.words) within the answer") }
        if let pace { words.append(pace.words) }
        if let cut { words.append("\(cut.words): decided and committed, \(Self.lost(cut.phase))") }
        if let ending {
            let response = ending.phase == .onResponseEnd ? "the response was sent" : "the response was lost"
            words.append("\(ending.words): decided and committed, \(response)")
        }
        return words.isEmpty ? nil : words.joined(separator: "; ")
    }

    /// How much of the answer a client could make use of.
    package var received: JournalEntry.Answer.Received? {
        if isCutBefore { return .nothing }
        if let cut, cut.phase == .onResponseStart { return .nothing }
        if let ending, ending.phase < .onResponseEnd { return .nothing }
        if messageChanges.contains(where: { $0.received == .nothing }) { return .nothing }
        if let cut, cut.phase == .onResponseBody { return .part }
        if messageChanges.contains(where: { $0.received == .unusable }) || !alterations.isEmpty { return .unusable }
        return nil
    }

    /// A description of what became of a message that answers nothing.
    var sendingWords: String? {
        var words = messageChanges.map(\.words)
        if let delay = delays[.onResponseStart] { words.append("delayed by \(delay.words)") }
        if let cut { words.append("\(cut.words) instead") }
        if let ending { words.append("\(ending.words) instead") }
        return words.isEmpty ? nil : words.joined(separator: "; ")
    }

    private static func lost(_ phase: Fault.Phase) -> String {
        switch phase {
        case .onResponseBody: "the answer was sent in part"
        case .onResponseEnd: "the answer was sent"
        default: "the answer was lost"
        }
    }
}
