import HTTPTypes
import SparringJSON
import SparringJournal

/// A step of a script that is done at the fresh sandbox only, for the vendor's credentials come from elsewhere.
struct ProbeSupply: Sendable {
    private let step: ProbeStep
    /// What names stand for at the vendor.
    private let names: ProbeNames
    /// The credentials that the vendor is sent, by their names.
    let given: [String: String]

    init(_ step: ProbeStep, _ names: ProbeNames, given: [String: String]) { (self.step, self.names, self.given) = (step, names, given) }

    /// - Parameter own: what names stand for in the sandbox.
    func call(_ own: ProbeNames) -> Archive.Call? {
        func resolved(_ text: String) -> String { names.resolve(own.resolve(text)) }
        let isAct = if case .act = step.deed { true } else { false }
        guard case .call(let request) = isAct ? step.asCall : step.deed else { return nil }
        var headers = HTTPFields()
        for (name, value) in request.headers {
            if let name = HTTPField.Name(name) { headers.append(HTTPField(name: name, value: resolved(value))) }
        }
        if headers[.contentType] == nil, request.body.hasPrefix("{") { headers[.contentType] = "application/json" }
        return Archive.Call(
            index: 0, started: Timestamp(milliseconds: 0), took: 0, method: request.method, scheme: "http", authority: "localhost",
            target: (isAct ? "/__admin/sandboxes/\(Probe.sandbox)/" : "") + resolved(request.target), headers: headers,
            body: Archive.Body(bytes: Array(resolved(request.body).utf8)), status: nil, answerHeaders: [:], answerBody: Archive.Body())
    }

    func learn(from headers: HTTPFields, _ body: [UInt8], in names: inout ProbeNames) {
        names.learn(step.expected, headers, body)
    }
}

extension ProbeStep {
    fileprivate var asCall: Deed { if case .act(let request) = deed { .call(request) } else { deed } }
}

extension ProbeNames {
    /// Finds what names stand for in an answer.
    mutating func learn(_ expected: ProbeStep.Expected, _ headers: HTTPFields, _ body: [UInt8]) {
        for (name, template) in expected.headers {
            if let value = HTTPField.Name(name).flatMap({ headers[$0] }) { learn(template, value) }
        }
        learn(expected.body, String(decoding: body, as: UTF8.self))
    }
}
