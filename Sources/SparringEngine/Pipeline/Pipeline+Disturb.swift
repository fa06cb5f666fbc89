import HTTPTypes
import SparringContract
import SparringHTTP
import SparringJSON
import SparringJournal
import SparringSandbox

/// **disturb**: which faults strike, and what becomes of the answer.
extension Pipeline {
    func disturb(_ incoming: Incoming, _ place: LocatedCall) -> Disturbance {
        let call = place.call
        let chosen = call.sandbox.faults.choose(FaultOccasion(call), at: FaultPoint(call.operation))
        let opensSocket = call.socket != nil && !call.operation.isMessage
        var disturbance = Disturbance(chosen, opensSocket: opensSocket).following(incoming.early)
        for ending in incoming.dueEndings { disturbance.add(ending) }
        return disturbance
    }

    /// What was decided, as the faults change it.
    func disturbed(_ settled: RenderedAnswer, _ step: InFlight, _ call: Call) -> RenderedAnswer {
        guard let response = settled.response, !step.disturbance.isCutBefore else { return settled }
        if let substitute = step.disturbance.substitute {
            var replaced = renderBare(substitute.status, step, call)
            let decided = settled.name.map { "decided '\($0)' and committed; " } ?? ""
            replaced.cause = Cause(decided + "fault \(substitute.by) answered \(substitute.status.code) in its place", code: Cause.fault)
            return replaced
        }
        guard !step.disturbance.alterations.isEmpty else { return settled }
        var altered = settled
        altered.response = step.disturbance.altered(response)
        altered.isAltered = true
        return altered
    }

    /// A status that a fault asked for: a gateway's page, or the body of the first unhappy answer that the contract declares with it, or
    /// none.
    func renderBare(_ status: Fault.StatusAnswer, _ step: InFlight, _ call: Call) -> RenderedAnswer {
        var settled: RenderedAnswer
        if status.type != nil || status.body != nil {
            let type = status.type ?? "text/plain"
            let page = status.body ?? Self.page(status.code, type)
            var headers: HTTPFields = [.contentType: type]
            Render.allowOrigin(call.request.headers, &headers)
            settled = RenderedAnswer(response: Response(status: status.code, headers: headers, body: .bytes(Array(page.utf8))))
        } else if let declared = call.operation.answers.first(where: { $0.isUnhappy && $0.status == status.code }) {
            settled = render(step.place.vendor.vendor.render(forced(declared.name, step), for: call), call)
        } else {
            var headers = HTTPFields()
            Render.allowOrigin(call.request.headers, &headers)
            settled = RenderedAnswer(response: Response(status: status.code, headers: headers))
        }
        settled.cause = step.disturbance.cause
        // Whole seconds (RFC 9110 §10.2.3), rounded up: a client that obeys must not come too early.
        if let retryAfter = status.retryAfter {
            settled.response?.headers[.retryAfter] = String((retryAfter.milliseconds + 999) / 1000)
        }
        return settled
    }

    /// What gateways show where nothing else was asked for.
    private static func page(_ code: Int, _ type: String) -> String {
        let title = "\(code) \(Render.title(of: code))"
        guard type.hasPrefix("text/html") else { return title }
        return "<html>\r\n<head><title>\(title)</title></head>\r\n<body>\r\n<center><h1>\(title)</h1></center>\r\n</body>\r\n</html>\r\n"
    }

    // MARK: On the wire

    /// Sandbox time passes while an answer is being sent.
    func pause(_ duration: Duration, _ step: InFlight, _ resume: @escaping @Sendable () -> Void) {
        let call = step.place.call
        let work = SandboxClock.Work()
        let what = "\(call.operation.qualifiedName) of \(call.lane), its answer paused by a fault"
        let alarm = call.sandbox.clock.alarm(at: call.sandbox.clock.now + duration, what: what, work: work) {
            resume()
            call.sandbox.clock.ended(work)
        }
        if alarm == nil { resume() }  // the process is ending
    }

    /// An answer that a client may not wait for, or that may find no room, is over.
    func transmitted(_ completion: Completion, _ step: InFlight) {
        if case .replaced(let reason) = completion { return noteReplaced(step, reason) }
        guard case .broken = completion, step.disturbance.mayBeGivenUp else { return }
        noteHangUp(
            step, after: Arrival.now.monotonic - step.incoming.head.arrival.monotonic,
            what: step.disturbance.isCutBefore ? "while stalled; nothing was decided" : "before it had all of the answer")
    }
}

extension Pipeline {
    /// The decision was committed, but the client got a different answer.
    private func noteReplaced(_ step: InFlight, _ reason: String) {
        let call = step.place.call
        var entry = call.sandbox.entry(.finding, cause: Cause("the answer could not be sent: \(reason)", code: Cause.failed))
        entry.operation = call.operation.qualifiedName
        entry.lane = call.lane
        entry.findings = [Finding(Cause.failed, "the answer could not be sent")]
        call.sandbox.note(entry)
    }
}

extension Delivery {
    /// The head may not fit beside the request's (``HTTPServer/Options/headLimit``).
    var hasLongHead: Bool {
        guard case .answer(let response) = self else { return false }
        return response.headers.reduce(0) { $0 + $1.name.rawName.utf8.count + $1.value.utf8.count } > 1024
    }
}

extension Disturbance {
    /// The client may leave while it is being disturbed, and that is told.
    var mayBeGivenUp: Bool {
        if case .stall = cut?.how { return true }
        return cut == nil && (pace != nil || delays[.onResponseBody] != nil)
    }
}

extension FaultOccasion {
    init(_ call: Call) {
        self.init(
            point: call.operation.qualifiedName, lane: call.lane, account: call.tenant.id, headers: call.request.headers, body: call.body,
            now: call.sandbox.clock.now)
    }
}
