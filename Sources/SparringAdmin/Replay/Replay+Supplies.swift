import HTTPTypes
import SparringEngine
import SparringHTTP
import SparringJSON
import SparringJournal

/// Steps that yield the credentials which a client brought to a vendor from elsewhere.
extension Replay {
    /// Does it, and lets the sandbox's credentials stand for the vendor's.
    mutating func perform(_ supply: ProbeSupply) async {
        guard let call = supply.call(ownNames),
            case .answer(let response) = await server.engine.answer(ReplayedCall(correspondence).request(call)),
            case .bytes(let bytes) = response.body
        else { return }
        ownNames.learn(supply.step.expected, response.headers, bytes)
        for (name, value) in supply.given { if let own = ownNames[name] { correspondence.note(value, own) } }
    }
}

extension ProbeSupply {
    /// - Parameter own: what names stand for in the sandbox.
    fileprivate func call(_ own: ProbeNames) -> Archive.Call? {
        let request: ProbeStep.Request
        var prefix = ""
        switch step.deed {
        case .call(let call): request = call
        case .act(let act):
            request = act
            prefix = "/__admin/sandboxes/\(Replay.probed)/"
        case .open, .message, .close: return nil
        }
        func resolved(_ text: String) -> String { names.resolve(own.resolve(text)) }
        var headers = HTTPFields()
        for (name, value) in request.headers {
            if let name = HTTPField.Name(name) { headers.append(HTTPField(name: name, value: resolved(value))) }
        }
        if headers[.contentType] == nil, request.body.hasPrefix("{") { headers[.contentType] = "application/json" }
        return Archive.Call(
            index: 0, started: Timestamp(milliseconds: 0), took: 0, method: request.method, scheme: "http", authority: "localhost",
            target: prefix + resolved(request.target), headers: headers, body: Archive.Body(bytes: Array(resolved(request.body).utf8)),
            status: nil, answerHeaders: [:], answerBody: Archive.Body())
    }
}
