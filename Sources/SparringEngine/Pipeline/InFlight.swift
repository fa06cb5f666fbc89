import SparringJournal
import SparringSandbox

/// A call on its way through the steps.
struct InFlight: Sendable {
    let incoming: Incoming
    var place: LocatedCall
    let disturbance: Disturbance
    /// Nil where something else takes the place of the decision.
    let handler: Handler?
    /// Sandbox time at which the request, or its head, arrived.
    let began: Timestamp
    var work: SandboxClock.Work { place.call.work }
    /// It can be decided at once.
    var isReady: Bool { disturbance.delays[.onRequestEnd] == nil && handler?.prepare == nil }

    init(incoming: Incoming, place: LocatedCall, disturbance: Disturbance) {
        self.incoming = incoming
        self.place = place
        self.disturbance = disturbance
        let isReplaced = disturbance.replacement != nil || disturbance.isCutBefore || place.refusal != nil
        handler = isReplaced ? nil : place.vendor.handler(of: place.call.operation)
        let struck = incoming.early(in: place.call.sandbox).delays
        let early = (struck[.onRequestStart] ?? .zero) + (struck[.onRequestBody] ?? .zero)
        self.place.call.vendorEffects = disturbance.vendorEffects
        began = place.call.now + (.zero - early)
    }
}
