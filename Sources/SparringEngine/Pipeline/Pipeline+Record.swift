import GRDB
import SparringContract
import SparringHTTP
import SparringJSON
import SparringJournal
import SparringSandbox

/// **record**: the journal's entry, what is sent to sockets, and the faults' counts, in the transaction of the decision.
extension Pipeline {
    func record(_ flight: InFlight, _ call: Call, _ settled: RenderedAnswer, _ db: Database) throws {
        try call.sandbox.journal.append(entry(of: flight, call, settled), db)
        try call.sandbox.record(call.outbox, causedBy: call.origin, db)
        try call.sandbox.faults.write(flight.disturbance.touched, sandbox: call.sandbox.id, store, db)
    }

    private func entry(of flight: InFlight, _ call: Call, _ settled: RenderedAnswer) -> JournalEntry {
        var entry = JournalEntry(
            kind: call.operation.isMessage ? .message : .exchange, operation: call.operation.qualifiedName, lane: call.lane,
            ordinal: call.ordinal, cause: settled.cause,
            causedBy: flight.incoming.origin, sandboxTime: call.now, arrival: call.sandbox.moment(flight.incoming.head.arrival),
            request: JournalEntry.Request(flight.incoming), answer: settled.recorded(flight.disturbance.words, flight.disturbance.received),
            findings: flight.place.findings + settled.findings,
            details: details(call, settled))
        let (delays, clock) = (flight.disturbance.delays, call.sandbox.clock)
        let held = (delays[.onResponseStart] ?? .zero) + (delays[.onResponseBody] ?? .zero)
        let ended = held > .zero ? clock.now + held : clock.now
        if !flight.disturbance.isNone {
            (entry.faults, entry.effects) = (flight.disturbance.numbers, flight.disturbance.effects)
        }
        entry.varied = settled.varied?.changes.recorded ?? []
        if flight.began != entry.sandboxTime { entry.began = flight.began }
        if ended != entry.sandboxTime { entry.ended = ended }
        let answered = Arrival.monotonicNow
        entry.answered =
            held > .zero
            ? answered.addingClamped(clock.machineTime(of: held).milliseconds.multipliedClamped(by: 1_000_000)) : answered
        return entry
    }

    private func details(_ call: Call, _ settled: RenderedAnswer) -> JSON? {
        let (outbound, people) = (call.notes.calls, call.notes.people)
        let socket = call.socket ?? settled.carried?.socket
        if socket == nil, outbound.isEmpty, people.isEmpty, !settled.isRelayed { return nil }
        return JSON.members([
            "source": settled.isRelayed ? "vendor" : nil,
            "socket": socket.map { .integer(Int64($0.number)) }, "outbound": outbound.isEmpty ? nil : .array(outbound),
            "people": people.isEmpty ? nil : .array(people),
        ])
    }
}
