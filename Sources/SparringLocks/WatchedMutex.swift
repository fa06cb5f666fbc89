#if SANITIZE_THREAD
    import Glibc

    /// The `Mutex` of builds with the thread sanitizer (`make race`). The standard library's own takes its slow path in code that is not
    /// built with the sanitizer, which then sees two threads in what the lock keeps apart; it recognizes a pthread mutex.
    public struct Mutex<Value: ~Copyable>: ~Copyable, @unchecked Sendable {
        // Sendable: the value is only touched between lock and unlock.
        private let lock: UnsafeMutablePointer<pthread_mutex_t>
        private let value: UnsafeMutablePointer<Value>

        public init(_ initial: consuming sending Value, _ rank: LockRank = .leaf) {
            lock = .allocate(capacity: 1)
            pthread_mutex_init(lock, nil)
            value = .allocate(capacity: 1)
            value.initialize(to: initial)
        }

        deinit {
            value.deinitialize(count: 1)
            value.deallocate()
            pthread_mutex_destroy(lock)
            lock.deallocate()
        }

        public borrowing func withLock<Result: ~Copyable, Failure: Error>(
            _ body: (inout sending Value) throws(Failure) -> sending Result
        ) throws(Failure) -> sending Result {
            pthread_mutex_lock(lock)
            defer { pthread_mutex_unlock(lock) }
            return try body(&value.pointee)
        }
    }
#endif
