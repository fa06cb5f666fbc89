import HTTPTypes
import SparringHTTP
import SparringJournal

/// A call that fits no sandbox or no operation.
struct UnplacedCall: Sendable {
    var arrival: Arrival
    var method: String?
    var target: String
    var host: String?
    var reason: String
    var nearest: [String] = []
    /// The command with which a sandbox would answer it.
    var stub: String?
    /// The sandbox whose tenant the path names, and whose journal has a finding about the call.
    var sandbox: String?
}

extension UnplacedCall {
    init(_ head: RequestHead, reason: String, nearest: [String] = []) {
        self.init(
            arrival: head.arrival, method: head.method.rawValue, target: head.target, host: head.headers[.host], reason: reason,
            nearest: nearest)
    }
}
