import SparringContract
import SparringHTTP
import SparringJSON
import SparringJournal
import SparringLocks
import SparringSandbox

/// Calls that cannot be decided: something failed, or their sandbox is gone.
extension Pipeline {
    /// Something unexpected: what the call wrote has been rolled back, alone. It is journalled and answered as an internal error.
    func fail(_ flight: InFlight, _ error: any Error) {
        if error is SandboxGone { return takeAgain(flight) }
        let call = flight.place.call
        let cause = Cause.failed(error)
        let reason = cause.words
        // Only messages that the contract declares may be sent over a socket.
        var settled = RenderedAnswer(
            response: call.operation.isMessage ? Response(status: 500) : Response.problem(500, reason), cause: cause)
        if call.operation.answer("internal-error") != nil {
            settled = render(flight.place.vendor.vendor.render(Refusal("internal-error", reason), for: call), call)
            settled.cause = cause
        }
        let final = settled
        var entry = call.sandbox.entry(call.operation.isMessage ? .message : .exchange, cause: cause)
        entry.operation = call.operation.qualifiedName
        entry.lane = call.lane
        entry.ordinal = call.ordinal
        entry.arrival = call.sandbox.moment(flight.incoming.head.arrival)
        entry.request = JournalEntry.Request(flight.incoming)
        entry.answer = final.recorded(nil)
        (entry.faults, entry.effects) = (flight.disturbance.numbers, flight.disturbance.effects)
        entry.details = call.socket.map { ["socket": .integer(Int64($0.number))] }
        let failed = entry
        let touched = flight.disturbance.touched
        store.submit { [store] db in
            try call.sandbox.journal.append(failed, db)
            try call.sandbox.faults.write(touched, sandbox: call.sandbox.id, store, db)
        } finished: { [self] result in
            if case .failure(let second) = result {
                if second is SandboxGone { return takeAgain(flight) }
                // Nothing can be written. The client gets Sparring's own problem document, and the call is not counted in its lane.
                call.sandbox.missed(second)
                call.sandbox.faults.takeBack(touched)
                call.sandbox.takeBack(call.ordinal, of: call.lane)
                deliver(flight, RenderedAnswer(response: Response.problem(500, reason)))
            } else {
                call.sandbox.journal.committed()
                deliver(flight, final)
            }
        }
    }

    /// The sandbox was deleted or reset while the call was under way: it is as if the call had come after that. Its socket is being closed.
    private func takeAgain(_ flight: InFlight) {
        flight.endWork()
        guard flight.incoming.socket == nil else { return flight.incoming.deliver(Incoming.Ending(delivery: .stall)) }
        // Half a request stays cut off. It is not journalled: its sandbox is gone.
        if flight.place.isCutShort {
            return flight.incoming.deliver(Incoming.Ending(delivery: flight.disturbance.delivery(nil) { _, resume in resume() }))
        }
        var incoming = flight.incoming
        incoming.chosen = nil  // faults of the sandbox that is gone
        take(incoming)
    }
}
