import SparringContract
import SparringHTTP
import SparringJSON
import SparringJournal
import SparringLocks
import SparringSandbox

/// Waiting, and clients that do not wait.
extension Pipeline {
    /// Lets sandbox time pass; ends early if the client leaves.
    func wait(_ duration: Duration, _ step: InFlight) async -> SandboxClock.Wake {
        let call = step.place.call
        let what =
            "\(call.operation.qualifiedName) of \(call.lane), delayed by fault \(step.disturbance.numbers.map(String.init).joined(separator: ", "))"
        return await call.sandbox.clock.sleep(for: duration, what: what, work: step.work) { abandon in
            step.incoming.exchange?.onHangUp(abandon)
        }
    }

    /// Notices a hang-up during a preparation, which goes on all the same, as a server's work does.
    ///
    /// - Returns: where the nanoseconds after which the client left will stand.
    func watchForHangUp(_ step: InFlight) -> HangUp {
        let hangUp = HangUp()
        let start = step.incoming.head.arrival.monotonic
        step.incoming.exchange?.onHangUp { hangUp.set(Arrival.now.monotonic - start) }
        return hangUp
    }

    final class HangUp: Sendable {
        private let after = Mutex<Int64?>(nil)
        func set(_ nanoseconds: Int64) { after.withLock { $0 = nanoseconds } }
        func withLock<Value>(_ body: (inout Int64?) -> Value) -> Value { after.withLock { body(&$0) } }
    }

    /// The client left during a delay that came before the decision: nothing is decided.
    func abandon(_ step: InFlight) {
        noteHangUp(
            step, after: Arrival.now.monotonic - step.incoming.head.arrival.monotonic,
            what: "while its request was held back; nothing was decided")
        deliver(step, RenderedAnswer(cause: Cause("client gave up", code: Cause.gaveUp)))
    }

    /// - Parameter after: nanoseconds since the request arrived.
    func noteHangUp(_ step: InFlight, after: Int64, what: String) {
        let call = step.place.call
        let cause = Cause("client gave up after \(Duration.nanoseconds(after).words) \(what)", code: Cause.gaveUp)
        var entry = call.sandbox.entry(.hangUp, cause: cause)
        entry.operation = call.operation.qualifiedName
        entry.lane = call.lane
        entry.ordinal = call.ordinal
        (entry.faults, entry.effects) = (step.disturbance.numbers, step.disturbance.effects)
        entry.arrival = call.sandbox.moment(step.incoming.head.arrival)
        entry.answered = step.incoming.head.arrival.monotonic + after
        if step.began != entry.sandboxTime { entry.began = step.began }
        entry.request = JournalEntry.Request(step.incoming)
        let touched = step.disturbance.touched
        let noted = entry
        store.submit { db in
            try call.sandbox.journal.append(noted, db)
            call.sandbox.faults.write(touched, sandbox: call.sandbox.id, self.store)
        } finished: { result in
            if case .failure = result { call.sandbox.faults.takeBack(touched) }
            call.sandbox.journal.committed()
        }
    }

    /// Something unexpected: what the call wrote has been rolled back, alone. It is journalled and answered as an internal error.
    func fail(_ step: InFlight, _ error: any Error) {
        if error is SandboxGone { return takeAgain(step) }
        let call = step.place.call
        let cause = Cause.failed(error)
        let reason = cause.words
        // Over a socket go messages of the contract's alone.
        var settled = RenderedAnswer(response: call.operation.isMessage ? Response(status: 500) : Render.problem(500, reason), cause: cause)
        if call.operation.answer("internal-error") != nil {
            settled = render(step.place.vendor.vendor.render(Refusal("internal-error", reason), for: call), call)
            settled.cause = cause
        }
        let final = settled
        var entry = call.sandbox.entry(call.operation.isMessage ? .message : .exchange, cause: cause)
        entry.operation = call.operation.qualifiedName
        entry.lane = call.lane
        entry.ordinal = call.ordinal
        entry.arrival = call.sandbox.moment(step.incoming.head.arrival)
        entry.request = JournalEntry.Request(step.incoming)
        entry.answer = final.recorded(nil)
        (entry.faults, entry.effects) = (step.disturbance.numbers, step.disturbance.effects)
        entry.details = call.socket.map { ["socket": .integer(Int64($0.number))] }
        let failed = entry
        let touched = step.disturbance.touched
        store.submit { [store] db in
            try call.sandbox.journal.append(failed, db)
            call.sandbox.faults.write(touched, sandbox: call.sandbox.id, store)
        } finished: { [self] result in
            if case .failure = result {
                // Nothing can be written: the client is told so, in words that no vendor uses, and nothing more. It is as if it had not called.
                call.sandbox.faults.takeBack(touched)
                call.sandbox.takeBack(call.ordinal, of: call.lane)
                deliver(step, RenderedAnswer(response: Render.problem(500, reason)))
            } else {
                call.sandbox.journal.committed()
                deliver(step, final)
            }
        }
    }

    /// The sandbox was deleted or reset while the call was under way: it is as if the call had come after that. Its socket is being closed.
    private func takeAgain(_ step: InFlight) {
        step.place.call.sandbox.clock.ended(step.work)
        guard step.incoming.socket == nil else { return step.incoming.deliver(Incoming.Ending(delivery: .stall)) }
        var incoming = step.incoming
        incoming.chosen = nil
        take(incoming)
    }
}
