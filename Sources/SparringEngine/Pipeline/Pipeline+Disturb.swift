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
        let chosen = call.sandbox.faults.choose(
            FaultOccasion(call, onWire: place.checked.body, frame: incoming.body), at: FaultPoint.all(of: call))
        let opensSocket = call.socket != nil && !call.operation.isMessage
        var disturbance = Disturbance(chosen, opensSocket: opensSocket).following(incoming.early(in: call.sandbox))
        for ending in incoming.dueEndings { disturbance.add(ending) }
        return disturbance
    }
}

extension FaultOccasion {
    /// - Parameters:
    ///   - body: the body as the client sent it.
    ///   - frame: its bytes.
    init(_ call: Call, onWire body: JSON?, frame: [UInt8]) {
        let bodies = call.operation.hasStandIns ? [body, call.body] : [body]
        self.init(
            point: call.operation.qualifiedName, lane: call.lane, account: call.tenant.id, headers: call.request.headers,
            bodies: bodies.compactMap(\.self), now: call.now,
            socket: call.operation.isMessage ? call.socket?.opener.qualifiedName : nil, frame: call.operation.isMessage ? frame : nil)
    }
}

extension FaultPoint {
    /// The points of a call: a socket's message has two, that of its operation and that of its socket.
    static func all(of call: Call) -> [FaultPoint] {
        guard call.operation.isMessage, let socket = call.socket else { return [FaultPoint(call.operation)] }
        return [FaultPoint(call.operation), FaultPoint(socketsOf: socket.opener)]
    }
}
