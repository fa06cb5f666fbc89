package import SparringContract
import SparringJSON
package import SparringVariation

/// A preview of variation by a contract's examples: a sandbox sends other members and items, and so has other places, but varies them alike.
package enum VariationForecast {
    /// - Parameter subject: how often the lane has got an answer of this operation, this one included.
    package static func changes(of answer: DeclaredAnswer, of operation: ContractOperation, _ subject: VariationSubject) -> [VariedPlace] {
        var changes: [VariedPlace] = []
        if let example = answer.example, answer.isJSON {
            changes += body(answer.onWire(example) ?? example, SchemaView(answer.schema), subject)
        }
        guard !operation.isMessage else {
            return changes + AnswerVariation(ofMessage: subject).changes + [FrameVariation.drawn(subject)?.change].compactMap(\.self)
        }
        let way = AnswerVariation(subject, contentType: answer.mediaType, hasBody: answer.example != nil, mayChunk: true)
        return changes + way.changes
    }

    /// The changes of a message that is sent unprompted on a channel.
    package static func changes(of message: ContractMessage, on channel: ContractChannel, _ subject: VariationSubject) -> [VariedPlace] {
        let sent = message.onWire(message.example)
        let company = CompanyVariation(
            subject, sent, by: SchemaView(message.schema), unasked: message.isText ? [] : channel.unasked)
        return (message.isText ? [] : body(sent, SchemaView(message.schema), subject)) + company.changes
            + [FrameVariation.drawn(subject)?.change].compactMap(\.self)
    }

    private static func body(_ body: JSON, _ view: SchemaView, _ subject: VariationSubject) -> [VariedPlace] {
        VariedBody.drawn(body, by: view, subject, addresses: ["127.0.0.1:8080", "localhost:8443"])?.changes ?? []
    }
}

extension Variations {
    /// Draws as sandboxes do.
    package init(_ plan: VariationPlan) { self.init(plan) { [seed = plan.seed] in Draw(seed: seed, "vary", $0).bytes } }
}
