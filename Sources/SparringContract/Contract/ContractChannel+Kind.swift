internal import HTTPTypes
package import SparringJSON

extension ContractChannel {
    /// Whether it is as one of the replies to what clients send.
    package func isReply(_ message: JSON) -> Bool {
        received.contains { !$0.answers.isEmpty && $0.recognise(status: nil, headers: [:], body: message).violations.isEmpty }
    }

    /// The kind of a message that a vendor sent unasked, with what in it breaks the contract; nil where it is like none.
    ///
    /// - Parameter heeding: what of the violations counts, given the message.
    package func kind(
        of json: JSON, isText: Bool, heeding: ([Violation], JSON) -> [Violation] = { violations, _ in violations }
    ) -> (message: ContractMessage, violations: [Violation])? {
        let candidates = sent.filter { $0.isText == isText }
        let best = candidates.map { ($0, heeding($0.check(json), json)) }.min { $0.1.count < $1.1.count }
        // One that shares nothing with what the channel has is no variant of it.
        guard let best, best.1.count < 3 || best.0.name == name(of: json) else { return nil }
        return best
    }
}
