#if DEBUG && !SANITIZE_THREAD
    import Glibc

    /// The ranks of the locks that a thread holds, the last one taken last.
    enum HeldLocks {
        private static let deepest = 16

        private static let key: pthread_key_t = {
            var key = pthread_key_t()
            pthread_key_create(&key) { free($0) }
            return key
        }()

        /// A count, then the ranks.
        private static var ofThread: UnsafeMutablePointer<Int> {
            if let known = pthread_getspecific(key) { return known.assumingMemoryBound(to: Int.self) }
            let new = calloc(deepest + 1, MemoryLayout<Int>.size)!.bindMemory(to: Int.self, capacity: deepest + 1)
            pthread_setspecific(key, new)
            return new
        }

        static func take(_ rank: LockRank) {
            let held = ofThread
            let count = held[0]
            if count > 0, held[count] >= rank.rawValue {
                fatalError("a lock of rank \(rank) is taken inside one of rank \(LockRank(rawValue: held[count]) ?? .leaf)")
            }
            held[0] = count + 1
            held[count + 1] = rank.rawValue
        }

        static func release() { ofThread[0] -= 1 }
    }
#endif
