import HTTPTypes
import SparringHTTP
import SparringLocks

/// What a call is answered with, once it is.
final class ReplayedAnswer: Sendable {
    /// As a client sees it.
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
            case .answer(let response): Self.outcome(response)
            case .disturbed(let response, let transmission):
                transmission.cut.map { $0.at != .end } ?? false ? .nothing : Self.outcome(response)
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
