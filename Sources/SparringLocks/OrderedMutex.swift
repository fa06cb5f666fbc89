#if DEBUG && !SANITIZE_THREAD
    import Synchronization

    /// Guards a value that several threads use; in debug builds the order in which locks are taken is checked.
    public struct Mutex<Value: ~Copyable>: ~Copyable, Sendable {
        private let lock: Synchronization.Mutex<Value>
        private let rank: LockRank

        public init(_ initial: consuming sending Value, _ rank: LockRank = .leaf) {
            lock = Synchronization.Mutex(initial)
            self.rank = rank
        }

        public borrowing func withLock<Result: ~Copyable, Failure: Error>(
            _ body: (inout sending Value) throws(Failure) -> sending Result
        ) throws(Failure) -> sending Result {
            HeldLocks.take(rank)
            defer { HeldLocks.release() }
            return try lock.withLock(body)
        }
    }
#endif
