import SparringContract
import SparringHTTP
import SparringJSON
import SparringJournal
import SparringLocks
import SparringSandbox

/// Waiting, and clients that do not wait.
extension Pipeline {
    /// Lets sandbox time pass; ends early if the client leaves.
    func wait(_ duration: Duration, _ flight: InFlight, then: @escaping @Sendable (SandboxClock.Wake) -> Void) {
        let call = flight.place.call
        // What is held up keeps nobody else's body waiting.
        flight.incoming.exchange?.finishBody()
        let what =
            "\(call.operation.qualifiedName) of \(call.lane), delayed by fault \(flight.disturbance.numbers.map(String.init).joined(separator: ", "))"
        let watch: (@escaping @Sendable () -> Void) -> Void = { flight.incoming.exchange?.onHangUp($0) }
        call.sandbox.clock.wait(for: duration, what: what, work: flight.work, onSleep: watch, then: then)
    }

    /// Notices a hang-up during a preparation, which goes on all the same, as a server's work does.
    ///
    /// - Returns: where the nanoseconds after which the client left will stand.
    func watchForHangUp(_ flight: InFlight) -> HangUp {
        let hangUp = HangUp()
        let start = flight.incoming.head.arrival.monotonic
        flight.incoming.exchange?.onHangUp { hangUp.set(Arrival.monotonicNow - start) }
        return hangUp
    }

    final class HangUp: Sendable {
        private let after = Mutex<Int64?>(nil)
        func set(_ nanoseconds: Int64) { after.withLock { $0 = nanoseconds } }
        func withLock<Value>(_ body: (inout Int64?) -> Value) -> Value { after.withLock { body(&$0) } }
    }

    /// The client left during a delay that came before the decision: nothing is decided.
    func abandon(_ flight: InFlight) {
        noteHangUp(
            flight, after: Arrival.monotonicNow - flight.incoming.head.arrival.monotonic,
            what: "while its request was held back; nothing was decided")
        deliver(flight, RenderedAnswer(cause: Cause("client gave up", code: Cause.gaveUp)))
    }

    /// - Parameter after: nanoseconds since the request arrived.
    func noteHangUp(_ flight: InFlight, after: Int64, what: String) {
        let call = flight.place.call
        let cause = Cause("client gave up after \(Duration.nanoseconds(after).words) \(what)", code: Cause.gaveUp)
        var entry = call.sandbox.entry(.hangUp, cause: cause)
        entry.operation = call.operation.qualifiedName
        entry.lane = call.lane
        entry.ordinal = call.ordinal
        (entry.faults, entry.effects) = (flight.disturbance.numbers, flight.disturbance.effects)
        entry.arrival = call.sandbox.moment(flight.incoming.head.arrival)
        entry.answered = flight.incoming.head.arrival.monotonic + after
        if flight.began != entry.sandboxTime { entry.began = flight.began }
        entry.request = JournalEntry.Request(flight.incoming)
        let touched = flight.disturbance.touched
        let noted = entry
        store.submit { db in
            try call.sandbox.journal.append(noted, db)
            try call.sandbox.faults.write(touched, sandbox: call.sandbox.id, self.store, db)
        } finished: { result in
            if case .failure(let error) = result {
                call.sandbox.faults.takeBack(touched)
                call.sandbox.missed(error)
            }
            call.sandbox.journal.committed()
        }
    }
}
