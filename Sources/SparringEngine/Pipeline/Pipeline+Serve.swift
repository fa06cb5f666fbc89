import HTTPTypes
import SparringContract
import SparringHTTP
import SparringJournal
import SparringSandbox

/// Conditional and partial requests for files; a part of **decide**.
extension Pipeline {
    /// The rendered answer; for a file, as the request's conditions and range demand.
    func served(_ answer: Answer, _ flight: InFlight, _ call: Call) -> RenderedAnswer {
        if let relayed = answer.relayed {
            let channels = vendors[call.operation.vendor]?.contract.channels ?? []
            return relayed.rendered(for: call.operation, carriesMessages: channels.contains { $0.pollers.contains(call.operation) })
        }
        var whole = render(answer, call)
        guard let file = answer.file, let declared = whole.declared, declared.status == 200, case .bytes(let body)? = whole.response?.body,
            [.get, .head].contains(call.request.method)
        else { return whole }
        let validators = file.validators(of: body)
        var derived = answer
        for field in validators { derived.headers[field.name] = field.value }

        func declaration(of status: Int) -> DeclaredAnswer? {
            call.operation.answers.first { $0.status == status && (status != 206 || $0.mediaType == declared.mediaType) }
        }
        func add(_ words: String) { derived.cause = [derived.cause, words].compactMap(\.self).joined(separator: "; ") }

        let names = call.operation.parameters.filter { $0.location == .header }.compactMap { HTTPField.Name($0.name) }
        let fields = HTTPFields(call.request.headers.filter { names.contains($0.name) })
        let selection = Selection(fields: fields, isGet: call.request.method == .get, now: call.now)
        switch selection.outcome(validators, size: body.count) {
        case .part(let range):
            guard let part = declaration(of: 206) else { break }
            derived.name = part.name
            derived.body = .bytes(Array(body[range]))
            derived.headers[.contentRange] = "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(body.count)"
            derived.headers[.acceptRanges] = "bytes"
            add("of these the bytes \(range.lowerBound)-\(range.upperBound - 1)")
            return render(derived, call)
        case .unmodified(let reason):
            guard let unmodified = declaration(of: 304) else { break }
            derived.name = unmodified.name
            derived.body = .none
            add("not sent again: \(reason)")
            var rendered = render(derived, call)
            rendered.response?.body = .bytes(body)
            return rendered
        case .failed(let reason):
            guard let refusal = declaration(of: 412) else { break }
            return render(refused(Refusal(refusal.name, reason), flight, call), call)
        case .unsatisfiable(let reason):
            guard let refusal = declaration(of: 416) else { break }
            var rendered = render(refused(Refusal(refusal.name, reason), flight, call), call)
            rendered.response?.headers[.contentRange] = "bytes */\(body.count)"
            return rendered
        case .whole(let remark):
            if let remark { add(remark) }
        }
        for field in validators { whole.response?.headers[field.name] = field.value }
        if declaration(of: 206) != nil { whole.response?.headers[.acceptRanges] = "bytes" }
        whole.cause = derived.cause.map { Cause($0) }
        return whole
    }
}
