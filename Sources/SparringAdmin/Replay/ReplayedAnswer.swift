import HTTPTypes
import SparringHTTP
import SparringLocks

/// The answer to a call, once it is there.
final class ReplayedAnswer: Sendable {
    /// The answer as a client sees it.
    enum Outcome: Sendable {
        case answer(status: Int, HTTPFields, [UInt8], name: String?)
        case socket(ReplayWire)
        /// Nothing that is an answer.
        case nothing
    }

    private let state = Mutex<Outcome?>(nil)

    var outcome: Outcome? { state.withLock(\.self) }

    /// - Parameter name: of the answer in the contract.
    func end(_ delivery: Delivery, _ name: String?) {
        let outcome: Outcome =
            switch delivery {
            // Of an answer that is cut off a recording of Sparring's has all.
            case .answer(let response), .disturbed(let response, _), .formed(let response, _): Self.outcome(response, name)
            case .upgrade(let upgrade): .socket(ReplayWire(upgrade))
            case .reset, .empty, .raw, .stall: .nothing
            }
        state.withLock { $0 = outcome }
    }

    private static func outcome(_ response: Response, _ name: String?) -> Outcome {
        guard case .bytes(let bytes) = response.body else { return .nothing }
        return .answer(status: response.status, response.headers, bytes, name: name)
    }
}
