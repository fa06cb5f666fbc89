import GRDB
import SparringContract
import SparringHTTP
import SparringJSON
import SparringJournal
import SparringSandbox

/// **record**: the journal's entry, what is sent to sockets, and the faults' counts, in the transaction of the decision.
extension Pipeline {
    func record(_ step: InFlight, _ call: Call, _ settled: RenderedAnswer, _ db: Database) throws {
        let outbound = call.calls.all
        let details = JSON.members([
            "socket": call.socket.map { .integer(Int64($0.number)) }, "outbound": outbound.isEmpty ? nil : .array(outbound),
            "people": call.people.all.isEmpty ? nil : .array(call.people.all),
        ])
        var entry = JournalEntry(
            kind: call.operation.isMessage ? .message : .exchange, operation: call.operation.qualifiedName, lane: call.lane,
            ordinal: call.ordinal, cause: settled.cause,
            causedBy: step.incoming.origin, sandboxTime: call.now, arrival: call.sandbox.moment(step.incoming.head.arrival),
            request: JournalEntry.Request(step.incoming), answer: settled.recorded(step.disturbance.words, step.disturbance.received),
            findings: step.place.findings + settled.findings,
            faults: step.disturbance.numbers, details: details.object?.isEmpty == true ? nil : details)
        let (delays, clock) = (step.disturbance.delays, call.sandbox.clock)
        let held = (delays[.onResponseStart] ?? .zero) + (delays[.onResponseBody] ?? .zero)
        let ended = clock.now + held
        entry.effects = step.disturbance.effects
        if step.began != entry.sandboxTime { entry.began = step.began }
        if ended != entry.sandboxTime { entry.ended = ended }
        entry.answered = Arrival.now.monotonic.addingClamped(held.milliseconds.multipliedClamped(by: 1_000_000))
        try call.sandbox.journal.append(entry, db)
        try call.sandbox.record(call.outbox, causedBy: call.origin, db)
        call.sandbox.faults.write(step.disturbance.touched, sandbox: call.sandbox.id, store)
    }
}
