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

    /// How long a request may be on its way, in nanoseconds: less than what a client needs that sends it because of the answer.
    private static let onItsWay: Int64 = 2_000_000

    /// The number of the connection that a call came on.
    var connection: Int64? { record.object("request")?.integer("connection") }
}
