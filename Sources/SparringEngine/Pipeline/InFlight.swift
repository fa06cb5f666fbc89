import SparringJournal
import SparringSandbox

/// A call on its way through the steps.
final class InFlight: Sendable {
    /// The party that decides the call.
    enum Decider: Sendable {
        /// Nobody: a fault cuts it off before.
        case nobody
        case fault(Disturbance.Replacement)
        case contract(ContractRefusal)
        case vendor(Handler)
    }

    let incoming: Incoming
    let place: LocatedCall
    let disturbance: Disturbance
    let decider: Decider
    /// Sandbox time at which the request, or its head, arrived.
    let began: Timestamp
    /// The result of preparing, where it is known already.
    let recalled: (any Sendable)?
    var work: SandboxClock.Work { place.call.work }
    /// It is over.
    func endWork() { place.call.notes.endWork(on: place.call.sandbox.clock) }
    /// The first half of the vendor's handler; nil where there is none, or where something else decides.
    var prepare: Handler.Prepare? {
        if case .vendor(let handler) = decider { handler.prepare } else { nil }
    }

    /// One statement writes all that there is to be written: its entry in the journal.
    var writesOnce: Bool {
        guard disturbance.touched.isEmpty, place.call.sandbox.variation == nil else { return false }
        return if case .vendor(let handler) = decider { !handler.mayWrite } else { true }
    }

    init(incoming: consuming Incoming, place: consuming LocatedCall, disturbance: consuming Disturbance) {
        if !disturbance.isNone { place.call.vendorEffects = disturbance.vendorEffects }
        decider =
            if disturbance.isCutBefore {
                .nobody
            } else if let replacement = disturbance.replacement?.with {
                .fault(replacement)
            } else if let refusal = place.refusal {
                .contract(refusal)
            } else {
                .vendor(place.relay ?? place.vendor.handler(of: place.call.operation))
            }
        recalled = if case .vendor(let handler) = decider { handler.recall?(place.call) } else { nil }
        let held = incoming.timeHeld(in: place.call.sandbox)
        began = held > .zero ? place.call.now + (.zero - held) : place.call.now
        self.incoming = incoming
        self.place = place
        self.disturbance = disturbance
    }

    /// The same after a delay: the sandbox's time is another.
    init(_ flight: InFlight, now: Timestamp) {
        var place = flight.place
        place.call.occasion.now = now
        (incoming, self.place, disturbance) = (flight.incoming, place, flight.disturbance)
        (decider, began, recalled) = (flight.decider, flight.began, flight.recalled)
    }
}
