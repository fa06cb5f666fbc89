import SparringLocks
import Testing

/// The order in which locks are taken, which debug builds check.
@Suite struct LockOrderTests {
    /// A lock that can be put into a variable.
    private final class Lock: Sendable {
        private let value = Mutex(1, .leaf)
        private let first = Mutex(1, .first)
        private let second = Mutex(1, .second)
        private let clock = Mutex(1, .clock)

        func take(_ rank: LockRank) -> Int { take(rank) { 0 } }

        func take(_ rank: LockRank, _ body: () throws -> Int) rethrows -> Int {
            switch rank {
            case .first: try first.withLock { try $0 + body() }
            case .second: try second.withLock { try $0 + body() }
            case .clock: try clock.withLock { try $0 + body() }
            case .leaf: try value.withLock { try $0 + body() }
            }
        }
    }

    @Test func `locks nest from the first rank to the last`() {
        let lock = Lock()
        let nested = lock.take(.first) { lock.take(.second) { lock.take(.clock) { lock.take(.leaf) } } }
        // One after the other is no nesting.
        let apart = lock.take(.leaf) + lock.take(.first)
        #expect(nested == 4 && apart == 2)
    }

    #if !SANITIZE_THREAD  // which watches the order itself
        @Test func `the other way round, or two of a rank, ends the process`() async {
            await #expect(processExitsWith: .failure) {
                let lock = Lock()
                _ = lock.take(.clock) { lock.take(.second) }
            }
            await #expect(processExitsWith: .failure) {
                let (one, other) = (Lock(), Lock())
                _ = one.take(.leaf) { other.take(.leaf) }
            }
        }
    #endif

    @Test func `a lock that a failing body held is released`() {
        struct Failure: Error {}
        let lock = Lock()
        #expect(throws: Failure.self) { try lock.take(.leaf) { throw Failure() } }
        let again = lock.take(.leaf)
        #expect(again == 1)
    }
}
