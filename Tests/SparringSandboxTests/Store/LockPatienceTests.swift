@testable import SparringSandbox
import Testing

/// How long another program's lock is waited for.
@Suite struct LockPatienceTests {
    @Test func `the first wait is long, those after it are short until the lock was free`() {
        let start = ContinuousClock.now
        var patience = LockPatience()
        func waits(_ milliseconds: Int) -> Bool { patience.waits(now: start + .milliseconds(milliseconds)) }
        #expect([0, 2500, 4999].map(waits) == [true, true, true])
        #expect(!waits(5000))
        #expect([6000, 6049].map(waits) == [true, true])
        #expect(!waits(6050))
        patience.ended()
        #expect([7000, 11_999].map(waits) == [true, true])
        #expect(!waits(12_000))
    }
}
