import SparringJSON
public import SparringJournal

extension Socket {
    /// The cause for closing a socket on which nothing came in for its idle limit. A clock that is advanced by the whole limit at once, or set that
    /// far ahead, leaves a client no chance to send anything: that is another cause, for which no client is blamed.
    public func idleCause(_ limit: Duration) -> Cause {
        max(sandbox.clock.stride, sandbox.clock.leap(since: lastTraffic)) >= limit
            ? Cause(
                "the clock was moved past the idle limit of \(limit.words): `clock advance --keep-sockets` keeps sockets open",
                code: "idle-by-advance")
            : Cause("nothing came in for \(limit.words)", code: "idle")
    }
}
