package import HTTPTypes
package import SparringContract
import SparringHTTP
package import SparringJSON
package import SparringJournal
import SparringSandbox

extension RelayedAnswer {
    /// The answer that goes to the client and into the journal, with what in it breaks the contract.
    ///
    /// - Parameters:
    ///   - operation: nil: no contract has the call.
    ///   - carriesMessages: the body has messages of a channel, which the operation's contract does not describe.
    func rendered(for operation: ContractOperation?, carriesMessages: Bool = false) -> RenderedAnswer {
        let cause = Cause("relayed to \(host)")
        switch kind {
        case .sent: return RenderedAnswer(response: Response(status: 200), cause: cause, isUnanswered: true, isRelayed: true)
        case .failed(let reason):
            return RenderedAnswer(
                response: Response.problem(502, "\(host): \(reason)"), cause: Cause("\(host) did not answer: \(reason)"), isRelayed: true)
        case .answer(let status, let headers, let body):
            let response = Response(status: status, headers: headers, body: .bytes(body))
            guard let operation else { return RenderedAnswer(response: response, cause: cause, isAltered: true, isRelayed: true) }
            let json = AnswerBody.value(of: body, headers)
            let found = operation.recognise(status: status, headers: headers, body: json)
            let isChecked = operation.answer(Finding.notEmulated) == nil && !carriesMessages
            return RenderedAnswer(
                declared: found.answer, response: response, json: json, cause: cause,
                findings: isChecked ? (found.violations + found.undeclared).map { Finding(ofAnswer: $0) } : [], isAltered: true,
                isRelayed: true)
        }
    }
}

/// The body of somebody else's answer.
package enum AnswerBody {
    /// The value, as ``ContractOperation/checkAnswer(name:status:headers:body:)`` takes it; nil where there is none, or it is binary.
    package static func value(of body: [UInt8], _ headers: HTTPFields) -> JSON? {
        guard !body.isEmpty, let text = String(validating: body, as: UTF8.self) else { return nil }
        let essence = MediaTypes.essence(of: headers[.contentType] ?? "")
        if let json = try? JSON(parsing: text), MediaTypes.isJSON(essence) || json.object != nil || json.array != nil { return json }
        // JSON in the call of a function.
        if essence.hasSuffix("javascript"), let open = text.firstIndex(of: "("), let close = text.lastIndex(of: ")"), open < close,
            let json = try? JSON(parsing: String(text[text.index(after: open)..<close]))
        {
            return json
        }
        return .string(text)
    }
}

extension Finding {
    /// A difference between an answer and the declared one.
    package init(ofAnswer violation: Violation) {
        self.init(violation)
        place = place.map { "answer \($0)" }
        words = "answer: \(words)"
    }
}
