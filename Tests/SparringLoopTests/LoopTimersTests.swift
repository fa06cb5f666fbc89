import SparringLocks
@testable import SparringLoop
import Testing

/// The queue of a loop's timers.
@Suite struct LoopTimersTests {
    @Test(arguments: [1, 2, 7, 1000]) func `of many timers those that were not cancelled come, in the order of their times`(kept: Int) {
        let start = ContinuousClock.now
        let called = Mutex<[Int]>([])
        var timers = LoopTimers()
        // In another order than that of their times.
        let times = (0..<1000).map { $0 * 617 % 1000 }
        let numbers = times.map { time in timers.add(at: start + .seconds(time)) { called.withLock { $0.append(time) } } }
        for (time, number) in zip(times, numbers) where time % kept != 0 { timers.cancel(number) }
        #expect(timers.next(at: start - .seconds(1)) == nil)
        while let action = timers.next(at: start + .seconds(500)) { action() }
        #expect(called.withLock { $0 } == (0...500).filter { $0 % kept == 0 })
        while let action = timers.next(at: start + .seconds(1000)) { action() }
        #expect(called.withLock { $0 } == (0..<1000).filter { $0 % kept == 0 })
        #expect(timers.due == nil)
    }
}
