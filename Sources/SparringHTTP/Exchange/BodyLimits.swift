import SparringLocks

/// Limits the room that the long bodies of requests take, over all connections of a server. A body beyond it waits.
final class BodyLimits: Sendable {
    private struct State {
        var underWay = 0
        var inHand = 0
        /// Whole, and not given to the handler yet, in the order of their coming.
        var waiting: [(exchange: Exchange, count: Int)] = []
    }

    private let underWay: Int
    private let inHand: Int
    private let state = Mutex(State())

    /// - Parameters:
    ///   - underWay: ``HTTPServer/Options/bodiesUnderWay``.
    ///   - inHand: ``HTTPServer/Options/bodiesInHand``.
    init(underWay: Int, inHand: Int) { (self.underWay, self.inHand) = (underWay, inHand) }

    /// - Returns: whether there is room for so many further bytes under way, which it then takes.
    func admit(_ count: Int) -> Bool {
        state.withLock { state in
            guard state.underWay + count <= underWay else { return false }
            state.underWay += count
            return true
        }
    }

    func drop(_ count: Int) { state.withLock { $0.underWay -= count } }

    /// Gives a whole request to the handler, when it is its turn.
    func hand(_ exchange: Exchange, _ count: Int) {
        guard count > ReceivedBody.shortLimit else { return exchange.listener.shared.handler.handle(exchange) }
        handNext { $0.waiting.append((exchange, count)) }
    }

    /// The handler does not need so many bytes any more.
    func leaveHand(_ count: Int) { handNext { $0.inHand -= count } }

    /// Makes the change, and gives the handler those whose turn it is then.
    private func handNext(_ change: (inout State) -> Void) {
        let turn = state.withLock { state in
            change(&state)
            var turn: [(exchange: Exchange, count: Int)] = []
            while let first = state.waiting.first, state.inHand == 0 || state.inHand + first.count <= inHand {
                state.waiting.removeFirst()
                state.inHand += first.count
                turn.append(first)
            }
            return turn
        }
        for (exchange, count) in turn {
            if exchange.enterHand(count) { exchange.listener.shared.handler.handle(exchange) } else { leaveHand(count) }
        }
    }
}
