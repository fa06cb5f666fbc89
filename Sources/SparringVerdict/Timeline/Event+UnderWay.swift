import SparringJSON

extension Event {
    /// Whether the client sent this before it could know how another call ended: several may be under way at once. That is judged by the machine's clock, by
    /// which a connection that was opened for a request says when the client decided on it.
    func wasUnderWay(when other: Event) -> Bool {
        guard begin.process == other.end.process else { return false }
        let waited = begin.monotonic - begin.opening - other.end.monotonic
        if waited < 0 { return true }
        // On a connection that was open already it may have been on its way.
        return begin.opening == 0 && waited < Self.onItsWay && connection != nil && other.connection != nil
            && connection != other.connection
    }

    /// Whether it came on another connection, so soon after another call had ended that a second device may have decided on it at the same time.
    func mayBeBeside(_ other: Event) -> Bool {
        guard begin.process == other.end.process, let connection, let others = other.connection else { return false }
        return connection != others && begin.monotonic - begin.opening - other.end.monotonic < Self.apart
    }

    /// By how much, in nanoseconds, two devices that do the same at once may be apart where one process plays both.
    private static let apart: Int64 = 10_000_000

    /// How long a request may be on its way, in nanoseconds: less than what a client needs that sends it because of the answer.
    private static let onItsWay: Int64 = 2_000_000

    private var connection: Int64? { record.object("request")?.integer("connection") }
}
