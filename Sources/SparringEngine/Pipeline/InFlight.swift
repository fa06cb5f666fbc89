import SparringJournal
import SparringSandbox

/// A call on its way through the steps.
struct InFlight: Sendable {
    /// Who decides it.
    enum Decider: Sendable {
        /// Nobody: a fault cuts it off before.
        case nobody
        case fault(Disturbance.Replacement)
        case contract(ContractRefusal)
        case vendor(Handler)
    }

    let incoming: Incoming
    var place: LocatedCall
    let disturbance: Disturbance
    let decider: Decider
    /// Sandbox time at which the request, or its head, arrived.
    let began: Timestamp
    var work: SandboxClock.Work { place.call.work }
    /// The first half of the vendor's handler; nil where there is none, or where something else decides.
    var prepare: Handler.Prepare? {
        if case .vendor(let handler) = decider { handler.prepare } else { nil }
    }
    /// It can be decided at once.
    var isReady: Bool { disturbance.delays[.onRequestEnd] == nil && prepare == nil }

    init(incoming: Incoming, place: LocatedCall, disturbance: Disturbance) {
        self.incoming = incoming
        self.place = place
        self.disturbance = disturbance
        decider =
            if disturbance.isCutBefore {
                .nobody
            } else if let replacement = disturbance.replacement?.with {
                .fault(replacement)
            } else if let refusal = place.refusal {
                .contract(refusal)
            } else {
                .vendor(place.vendor.handler(of: place.call.operation))
            }
        let struck = incoming.early(in: place.call.sandbox).delays
        let early = (struck[.onRequestStart] ?? .zero) + (struck[.onRequestBody] ?? .zero)
        self.place.call.vendorEffects = disturbance.vendorEffects
        began = place.call.now + (.zero - early)
    }
}
