import HTTPTypes
import SparringContract
import SparringHTTP
import SparringJSON
import SparringJournal
import SparringSandbox

/// **disturb**: which faults strike.
extension Pipeline {
    func disturb(_ incoming: Incoming, _ place: LocatedCall) -> Disturbance {
        let call = place.call
        let chosen = call.sandbox.faults.choose(FaultOccasion(call, onWire: place.checked.body), at: FaultPoint(call.operation))
        let opensSocket = call.socket != nil && !call.operation.isMessage
        var disturbance = Disturbance(chosen, opensSocket: opensSocket).following(incoming.early(in: call.sandbox))
        for ending in incoming.dueEndings { disturbance.add(ending) }
        return disturbance
    }
}

extension FaultOccasion {
    /// - Parameter body: what came.
    init(_ call: Call, onWire body: JSON?) {
        let bodies = call.operation.hasStandIns ? [body, call.body] : [body]
        self.init(
            point: call.operation.qualifiedName, lane: call.lane, account: call.tenant.id, headers: call.request.headers,
            bodies: bodies.compactMap(\.self), now: call.sandbox.clock.now)
    }
}
