import HTTPTypes
import SparringHTTP
import SparringLocks

/// The answer to a call, once it is there.
final class ReplayedAnswer: Sendable {
    /// The answer as a client sees it.
    enum Outcome: Sendable {
        case answer(status: Int, HTTPFields, [UInt8])
        case socket(ReplayWire)
        /// Nothing that is an answer.
        case nothing
    }

    private let state = Mutex<Outcome?>(nil)

    var outcome: Outcome? { state.withLock(\.self) }

    func end(_ delivery: Delivery) {
        let outcome: Outcome =
            switch delivery {
            // Of an answer that is cut off a recording of Sparring's has all.
            case .answer(let response), .disturbed(let response, _): Self.outcome(response)
            case .upgrade(let upgrade): .socket(ReplayWire(upgrade))
            case .reset, .empty, .raw, .stall: .nothing
            }
        state.withLock { $0 = outcome }
    }

    private static func outcome(_ response: Response) -> Outcome {
        guard case .bytes(let bytes) = response.body else { return .nothing }
        return .answer(status: response.status, response.headers, bytes)
    }
}
