import SparringJSON
import SparringJournal
import SparringLocks
import SparringLoop
@testable import SparringSandbox
import Support
import Testing

/// The clock itself: what wakes, in which order, and when an advance is over.
@Suite struct SandboxClockTests {
    private let loop: Loop

    init() throws { loop = try Loop() }

    private static let start = Timestamp("2026-01-01T00:00:00Z")!

    /// Writes down what happened.
    private final class Log: Sendable {
        private let lines = Mutex<[String]>([])
        func add(_ line: String) { lines.withLock { $0.append(line) } }
        var all: [String] { lines.withLock { $0 } }
    }

    private func asleep(_ clock: SandboxClock, _ duration: Duration, _ name: String, _ log: Log) -> Task<SandboxClock.Wake, Never> {
        Task {
            let work = SandboxClock.Work()
            let wake = await clock.sleep(for: duration, what: name, work: work) { _ in }
            log.add("\(name) \(wake) at \(clock.now - Self.start)")
            clock.ended(work)
            return wake
        }
    }

    @Test func `what falls due is run in order, each at its own time, and what is due at the same time in the order of asking`()
        async throws
    {
        let clock = SandboxClock(mode: .frozen, now: Self.start, on: loop)
        let log = Log()
        for (seconds, name) in [(5, "e"), (1, "a"), (3, "c"), (3, "d"), (2, "b"), (9, "z")] {
            let count = clock.pending.count
            _ = asleep(clock, .seconds(seconds), name, log)
            try await until { clock.pending.count == count + 1 }
        }
        #expect(clock.pending.map(\.what) == ["a", "b", "c", "d", "e", "z"])
        #expect(await clock.advance(by: .seconds(5)) == 5)
        #expect(
            log.all == [
                "a due at 1.0 seconds", "b due at 2.0 seconds", "c due at 3.0 seconds", "d due at 3.0 seconds", "e due at 5.0 seconds",
            ])
        #expect(clock.now == Self.start + .seconds(5))
        #expect(clock.pending.map(\.what) == ["z"])
        #expect(await clock.advance(by: .zero) == 0)
        clock.release()
    }

    @Test func `what time makes due is called on the loop, in order, many in a turn`() async throws {
        let clock = SandboxClock(mode: .real, on: loop)
        let turns = Mutex(0)
        let called = Mutex<[(number: Int, turn: Int)]>([])
        loop.perform { [loop] in
            loop.atEndOfTurn {
                turns.withLock { $0 += 1 }
                return false
            }
        }
        let begun = ContinuousClock.now
        for number in 0..<800 {
            let work = SandboxClock.Work()
            clock.wait(for: .milliseconds(number < 400 ? 40 : 30), what: "\(number)", work: work, onSleep: { _ in }) { [loop] wake in
                #expect(wake == .due && loop.isCurrent)
                // The clock shows whole milliseconds.
                #expect(ContinuousClock.now - begun >= .milliseconds(number < 400 ? 39 : 29))
                let turn = turns.withLock { $0 }
                called.withLock { $0.append((number, turn)) }
                clock.ended(work)
            }
        }
        try await until { called.withLock { $0.count == 800 } }
        let all = called.withLock { $0 }
        // Those of 30 ms first, unless the machine was so slow that the first were due before the others had been asked for.
        #expect(all.map(\.number).filter { $0 < 400 } == Array(0..<400) && all.map(\.number).filter { $0 >= 400 } == Array(400..<800))
        // Several in nearly every turn: a task for each would have spread them.
        #expect(Set(all.map(\.turn)).count < 400)
        clock.release()
    }

    @Test func `work that sleeps again within the span is run again in its turn`() async throws {
        let clock = SandboxClock(mode: .frozen, now: Self.start, on: loop)
        let log = Log()
        for (name, step) in [("slow", 3), ("fast", 2)] {
            let count = clock.pending.count
            Task {
                let work = SandboxClock.Work()
                for round in 1...4 {
                    _ = await clock.sleep(for: .seconds(step), what: name, work: work) { _ in }
                    log.add("\(name) \(round) at \(clock.now - Self.start)")
                }
                clock.ended(work)
            }
            try await until { clock.pending.count == count + 1 }
        }
        #expect(await clock.advance(by: .seconds(7)) == 5)
        #expect(
            log.all == [
                "fast 1 at 2.0 seconds", "slow 1 at 3.0 seconds", "fast 2 at 4.0 seconds", "slow 2 at 6.0 seconds", "fast 3 at 6.0 seconds",
            ])
        #expect(await clock.advance(by: .seconds(60)) == 3)
        #expect(clock.pending.isEmpty)
    }

    @Test func `concurrent advances add up, and each sleeper wakes once`() async throws {
        let clock = SandboxClock(mode: .frozen, now: Self.start, on: loop)
        let log = Log()
        for seconds in 1...40 {
            _ = asleep(clock, .seconds(seconds), "\(seconds)", log)
        }
        try await until { clock.pending.count == 40 }
        let ran = await withTaskGroup(of: Int.self) { group in
            for _ in 0..<20 { group.addTask { await clock.advance(by: .seconds(2)) } }
            return await group.reduce(0, +)
        }
        #expect(ran == 40)
        #expect(clock.now == Self.start + .seconds(40))
        #expect(log.all == (1...40).map { "\($0) due at \(Double($0)) seconds" })
    }

    @Test func `a sleeper that leaves is woken at once and does not count`() async throws {
        let clock = SandboxClock(mode: .frozen, now: Self.start, on: loop)
        let leave = Mutex<(@Sendable () -> Void)?>(nil)
        let task = Task {
            await clock.sleep(for: .seconds(5), what: "it", work: SandboxClock.Work()) { abandon in leave.withLock { $0 = abandon } }
        }
        try await until { clock.pending.count == 1 }
        let abandon = try #require(leave.withLock { $0 })
        abandon()
        abandon()
        guard case .abandoned = await task.value else {
            Issue.record("not abandoned")
            return
        }
        #expect(clock.pending.isEmpty)
        #expect(await clock.advance(by: .seconds(10)) == 0)
    }

    @Test func `a released clock lets everyone go, those who come later too`() async throws {
        let clock = SandboxClock(mode: .frozen, now: Self.start, on: loop)
        let log = Log()
        let task = asleep(clock, .seconds(5), "a", log)
        try await until { clock.pending.count == 1 }
        clock.release()
        _ = await task.value
        _ = await asleep(clock, .seconds(5), "b", log).value
        #expect(log.all == ["a released at 0.0 seconds", "b released at 0.0 seconds"])
    }

    @Test func `time set to beyond what is due makes it due, though the clock stands`() async throws {
        let clock = SandboxClock(mode: .frozen, now: Self.start, on: loop)
        let log = Log()
        let task = asleep(clock, .seconds(5), "a", log)
        try await until { clock.pending.count == 1 }
        clock.set(mode: .frozen, now: Self.start + .seconds(4))
        #expect(clock.pending.count == 1)
        clock.set(mode: .frozen, now: Self.start + .seconds(6))
        _ = await task.value
        #expect(log.all == ["a due at 6.0 seconds"])
    }

    @Test(arguments: [1e-12, 1e-300, 1, 1_000_000] as [Double])
    func `any rate carries a sleeper`(_ rate: Double) async throws {
        let clock = SandboxClock(mode: .rate(rate), now: Self.start, on: loop)
        let log = Log()
        let task = asleep(clock, .seconds(3600 * 24 * 3650), "a", log)
        try await until { clock.pending.count == 1 || !log.all.isEmpty }
        clock.set(mode: .rate(rate), now: Self.start + .seconds(3600 * 24 * 3651))
        _ = await task.value
        #expect(log.all.count == 1)
    }

    @Test func `a clock set running wakes what waited on it while it stood`() async throws {
        let clock = SandboxClock(mode: .frozen, now: Self.start, on: loop)
        let log = Log()
        let first = asleep(clock, .seconds(60), "a", log)
        let second = asleep(clock, .seconds(120), "b", log)
        try await until { clock.pending.count == 2 }
        clock.set(mode: .rate(10_000))
        _ = await (first.value, second.value)
        #expect(log.all.map { $0.prefix(5) } == ["a due", "b due"])
        #expect(clock.now >= Self.start + .seconds(120))
    }

    @Test(
        arguments: [
            ["mode": "rate", "rate": 1e300, "base": .integer(.max), "wall": .integer(.min)],
            ["mode": "rate", "rate": 1_000_000, "base": .integer(.min), "wall": .integer(.min)],
            ["mode": "rate", "rate": 1_000_000, "base": .integer(.max), "wall": .integer(.max)],
            ["mode": "rate", "rate": -1, "base": 0, "wall": 0], ["mode": "real", "base": .integer(.max), "wall": .integer(.min)],
            ["mode": "real", "base": .integer(.min), "wall": .integer(.max)], ["mode": "frozen", "base": .integer(.min)], [:],
        ] as [JSON])
    func `a clock that was kept with numbers it never writes goes on within time`(_ stored: JSON) async {
        let times = Timestamp.earliest...Timestamp.latest
        let clock = SandboxClock(stored: stored, on: loop)
        #expect(times.contains(clock.now))
        _ = await clock.advance(by: .longest)
        #expect(times.contains(clock.now))
        clock.set(mode: .rate(1_000_000))
        #expect(times.contains(clock.now))
        let again = SandboxClock(stored: clock.stored, on: loop)
        #expect(times.contains(again.now))
        clock.set(mode: .frozen)
        #expect(SandboxClock(stored: clock.stored, on: loop).now == clock.now)
    }
}
