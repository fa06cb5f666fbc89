import HTTPTypes
import SparringContract
import SparringHTTP
import SparringJSON
import SparringJournal
import SparringSandbox

/// The step that changes a decision as the faults demand; a part of **decide**.
extension Pipeline {
    func altered(_ settled: consuming RenderedAnswer, _ flight: InFlight, _ call: Call) -> RenderedAnswer {
        if !flight.disturbance.isNone { settled = disturbed(settled, flight, call) }
        if !call.operation.isMessage, settled.response != nil {
            Isolation.add(to: &settled.response!)
            settled.varied?.isolate()
        }
        return settled
    }

    private func disturbed(_ settled: RenderedAnswer, _ flight: InFlight, _ call: Call) -> RenderedAnswer {
        guard let response = settled.sent, !flight.disturbance.isCutBefore else { return settled }
        if let substitute = flight.disturbance.substitute {
            var replaced = renderBare(substitute.status, flight, call)
            let decided = settled.name.map { "decided '\($0)' and committed; " } ?? ""
            replaced.cause = Cause(decided + "fault \(substitute.by) answered \(substitute.status.code) instead", code: Cause.fault)
            return replaced
        }
        guard !flight.disturbance.alterations.isEmpty else { return settled }
        var altered = settled
        altered.response = flight.disturbance.altered(response)
        altered.isAltered = true
        altered.varied?.isAltered(to: altered.response)
        return altered
    }

    /// A status that a fault asked for, as a gateway before the vendor would send it: with the page that was asked for, else with what the vendor has for a
    /// service that is unavailable, if that has the status; else without a body. A refusal of the vendor's that happens to have the status says something
    /// about the request, which no gateway does: it is armed by its name.
    func renderBare(_ status: Fault.StatusAnswer, _ flight: InFlight, _ call: Call) -> RenderedAnswer {
        var settled: RenderedAnswer
        if status.type != nil || status.body != nil {
            let type = status.type ?? "text/plain"
            let page = status.body ?? Self.page(status.code, type)
            var headers: HTTPFields = [.contentType: type]
            Render.allowOrigin(call.request.headers, &headers)
            settled = RenderedAnswer(response: Response(status: status.code, headers: headers, body: .bytes(Array(page.utf8))))
        } else if let declared = call.operation.answers.first(where: { $0.outcome == .unavailable && $0.status == status.code }) {
            settled = render(flight.place.vendor.vendor.render(forced(declared.name, flight), for: call), call)
        } else {
            var headers = HTTPFields()
            Render.allowOrigin(call.request.headers, &headers)
            settled = RenderedAnswer(response: Response(status: status.code, headers: headers))
        }
        settled.cause = flight.disturbance.cause
        for field in status.headers { settled.response?.headers[field.name] = field.value }
        return settled
    }

    /// The page that gateways show, for a fault that asks for no other.
    private static func page(_ code: Int, _ type: String) -> String {
        let title = "\(code) \(Response.reason(of: code))"
        guard type.hasPrefix("text/html") else { return title }
        return "<html>\r\n<head><title>\(title)</title></head>\r\n<body>\r\n<center><h1>\(title)</h1></center>\r\n</body>\r\n</html>\r\n"
    }
}
