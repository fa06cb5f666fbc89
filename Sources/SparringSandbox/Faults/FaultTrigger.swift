public import SparringJournal

extension Fault {
    public enum Scope: String, Sendable, CaseIterable {
        case sandbox, lane
    }

    /// Which of the calls that match it a fault strikes.
    public struct Trigger: Sendable, Equatable {
        /// Strikes at most this often.
        public var times: Int?
        /// Leaves this many matching calls alone first.
        public var skip = 0
        /// Strikes every *n*th matching call, starting with the first.
        public var every = 1
        /// Each of those with this chance, drawn from the seed.
        public var probability: Double?
        /// Whether ``times``, ``skip`` and ``every`` count the sandbox's calls or each lane's.
        public var per = Scope.sandbox
        /// Sandbox time from the arming on after which it is over.
        public var ttl: Duration?
        /// Sandbox time within which it is in force; calls outside of it are not counted.
        public var between: Window?
    }

    /// From one moment of sandbox time to another, the second not included.
    public struct Window: Sendable, Equatable {
        public enum Moment: Sendable, Equatable {
            case afterArming(Duration)
            case at(Timestamp)

            func time(armed: Timestamp) -> Timestamp {
                switch self {
                case .afterArming(let duration): armed + duration
                case .at(let time): time
                }
            }
        }

        public var from: Moment
        public var to: Moment
    }
}

extension Fault.Trigger {
    /// Whether a fault that was armed then is in force now.
    func isInForce(at now: Timestamp, armed: Timestamp) -> Bool {
        if isOver(at: now, armed: armed) { return false }
        return between.map { now >= $0.from.time(armed: armed) } ?? true
    }

    /// It will never be in force again, unless the clock is set back.
    func isOver(at now: Timestamp, armed: Timestamp) -> Bool {
        if let ttl, now >= armed + ttl { return true }
        return between.map { now >= $0.to.time(armed: armed) } ?? false
    }
}
