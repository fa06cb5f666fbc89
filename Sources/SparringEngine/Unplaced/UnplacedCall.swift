import HTTPTypes
import SparringHTTP
import SparringJournal

/// A call that fits no sandbox or no operation.
struct UnplacedCall: Sendable {
    var arrival: Arrival
    var method: String?
    var target: String?
    var host: String?
    var reason: String
    var nearest: [String] = []

    init(_ head: RequestHead, reason: String, nearest: [String] = []) {
        self.init(arrival: head.arrival, target: head.target, reason: reason)
        method = head.method.rawValue
        host = head.headers[.host]
        self.nearest = nearest
    }

    init(arrival: Arrival, target: String, reason: String) {
        self.arrival = arrival
        self.target = target
        self.reason = reason
    }
}
