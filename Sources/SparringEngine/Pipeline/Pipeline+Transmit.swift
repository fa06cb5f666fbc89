import HTTPTypes
import SparringContract
import SparringHTTP
import SparringJSON
import SparringJournal
import SparringSandbox

/// While an answer is being sent, and after; a part of **deliver**.
extension Pipeline {
    /// Sandbox time passes while an answer is being sent.
    func pause(_ duration: Duration, _ flight: InFlight, _ resume: @escaping @Sendable () -> Void) {
        let call = flight.place.call
        let work = SandboxClock.Work()
        let what = "\(call.operation.qualifiedName) of \(call.lane), its answer paused by a fault"
        let due = call.sandbox.clock.now + duration
        let alarm = call.sandbox.clock.alarm(at: due, what: what, work: work, onRelease: resume) {
            resume()
            call.sandbox.clock.ended(work)
        }
        if alarm == nil { resume() }
    }

    /// An answer that a client may not wait for, or that may find no room, is over.
    func transmitted(_ completion: Completion, _ flight: InFlight) {
        if case .replaced(let reason) = completion { return noteReplaced(flight, reason) }
        guard case .broken = completion, flight.disturbance.mayBeGivenUp else { return }
        noteHangUp(
            flight, after: Arrival.monotonicNow - flight.incoming.head.arrival.monotonic,
            what: flight.disturbance.isCutBefore ? "while stalled; nothing was decided" : "before it had all of the answer")
    }

    /// The decision was committed, but the client got a different answer.
    private func noteReplaced(_ flight: InFlight, _ reason: String) {
        metrics.failed()
        let call = flight.place.call
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
    /// The client may leave before it has all of the answer; the journal then says so.
    var mayBeGivenUp: Bool {
        if case .stall = cut?.how { return true }
        return cut == nil && (pace != nil || delays[.onResponseBody] != nil)
    }
}
