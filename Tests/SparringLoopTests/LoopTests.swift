import CLinux
import Glibc
import SparringLocks
import SparringLoop
import Support
import Testing

/// One thread, in turns.
@Suite struct LoopTests {
    private func with(_ body: (Loop) async throws -> Void) async throws {
        let loop = try Loop()
        try await body(loop)
        loop.stop()
    }

    /// Both ends of a connection.
    private func pair() -> (Int32, Int32) {
        var ends: [Int32] = [0, 0]
        socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends)
        return (ends[0], ends[1])
    }

    @Test func `what is handed over is done on the loop, in its order`() async throws {
        try await with { loop in
            let done = Mutex<[Int]>([])
            for number in 0..<1000 { loop.submit { [loop] in if loop.isCurrent { done.withLock { $0.append(number) } } } }
            #expect(loop.perform { loop.isCurrent })
            #expect(!loop.isCurrent)
            #expect(done.withLock { $0 } == Array(0..<1000))
        }
    }

    @Test func `on the loop itself, run is at once and submit is the next turn`() async throws {
        try await with { loop in
            let order = Mutex<[String]>([])
            loop.perform {
                loop.submit { order.withLock { $0.append("submitted") } }
                loop.run { order.withLock { $0.append("run") } }
                order.withLock { $0.append("after") }
            }
            loop.perform {}
            #expect(order.withLock { $0 } == ["run", "after", "submitted"])
        }
    }

    @Test func `a turn ends once, after all that it has brought; and again where there is more`() async throws {
        try await with { loop in
            let order = Mutex<[String]>([])
            await withCheckedContinuation { continuation in
                loop.run {
                    for name in ["a", "b"] { loop.submit { order.withLock { $0.append(name) } } }
                    loop.atEndOfTurn {
                        let ends = order.withLock { order in
                            order.append("end")
                            return order.count { $0 == "end" }
                        }
                        if ends == 4 { continuation.resume() }
                        return ends < 4
                    }
                }
            }
            #expect(order.withLock { $0 } == ["end", "a", "b", "end", "end", "end"])
            loop.perform { loop.atEndOfTurn { false } }
        }
    }

    @Test func `timers go off in the order of their times, and not where they were cancelled`() async throws {
        try await with { loop in
            let order = Mutex<[Int]>([])
            let begun = ContinuousClock.now
            await withCheckedContinuation { continuation in
                loop.run {
                    loop.after(.milliseconds(30)) { continuation.resume() }
                    let cancelled = loop.after(.milliseconds(5)) { order.withLock { $0.append(5) } }
                    for time in [20, 10, 1] { loop.after(.milliseconds(time)) { order.withLock { $0.append(time) } } }
                    loop.cancel(cancelled)
                }
            }
            #expect(order.withLock { $0 } == [1, 10, 20])
            #expect(ContinuousClock.now - begun >= .milliseconds(30))
        }
    }

    @Test(arguments: [true, false]) func `a watched socket tells once that it can be read, or that its peer has left`(hasLeft: Bool)
        async throws
    {
        try await with { loop in
            let (here, there) = pair()
            let told = await withCheckedContinuation { continuation in
                _ = loop.watch(here, orReadable: true) { continuation.resume(returning: $0) }
                if hasLeft { close(there) } else { write(there, "x", 1) }
            }
            #expect(told == hasLeft)
            close(here)
            if !hasLeft { close(there) }
        }
    }

    @Test func `a watch that is forgotten tells nothing`() async throws {
        try await with { loop in
            let (here, there) = pair()
            let told = Mutex(0)
            let watch = loop.watch(here) { _ in told.withLock { $0 += 1 } }
            loop.forget(watch)
            close(there)
            // It watches another after that: by when that has told, the first would have.
            let (other, end) = pair()
            await withCheckedContinuation { continuation in
                _ = loop.watch(other) { _ in continuation.resume() }
                close(end)
            }
            #expect(told.withLock { $0 } == 0)
            for descriptor in [here, other] { close(descriptor) }
        }
    }

    @Test func `an open descriptor tells in each turn what is awaited of it, and nothing once it is released`() async throws {
        try await with { loop in
            let (here, there) = pair()
            let told = Mutex<[String]>([])
            let tells = { (expected: [String]) async throws in try await until { told.withLock { $0 } == expected } }
            let opened = loop.perform {
                var opened: LoopDescriptor?
                opened = loop.open(here) { ready in
                    let words = (ready.isReadable ? "r" : "") + (ready.isWritable ? "w" : "") + (ready.hasLeft ? "l" : "")
                    told.withLock { $0.append(words) }
                    // It is ready for as long as nothing is read.
                    if told.withLock({ $0.count == 3 }) { opened?.await(leaving: true) }
                    if ready.hasLeft { opened?.release() }
                }
                return LoopBound(on: loop, opened!)
            }
            write(there, "x", 1)
            for _ in 0..<3 { loop.perform {} }
            #expect(told.withLock { $0 } == [])
            loop.perform { opened.value.await(reading: true, writing: true) }
            try await tells(["rw", "rw", "rw"])
            // Its side alone, which is no broken connection.
            shutdown(there, Int32(SHUT_WR))
            try await tells(["rw", "rw", "rw", "l"])
            for _ in 0..<3 { loop.perform {} }
            #expect(told.withLock { $0.count } == 4)
            for descriptor in [here, there] { close(descriptor) }
        }
    }

    @Test func `what is done after a turn comes after its end, in order, what that brings included`() async throws {
        try await with { loop in
            let order = Mutex<[String]>([])
            let note: @Sendable (String) -> Void = { word in order.withLock { $0.append(word) } }
            loop.perform {
                loop.atEndOfTurn {
                    note("end")
                    return false
                }
                loop.afterTurn {
                    note("first")
                    loop.afterTurn { note("third") }
                }
                loop.afterTurn { note("second") }
                loop.submit { note("next turn") }
                note("turn")
            }
            loop.perform {}
            #expect(order.withLock { Array($0.prefix(6)) } == ["turn", "end", "first", "second", "third", "next turn"])
        }
    }

    @Test func `a source has a turn when it is ready, when it is due, and none once it is detached`() async throws {
        try await with { loop in
            let source = CountedSource()
            loop.perform { loop.attach(source) }
            loop.perform {}
            #expect(source.turns == 0)
            source.makeReady()
            #expect(await source.hasTurns(1))
            source.isDue.store(true, ordering: .relaxed)
            loop.perform {}
            #expect(await source.hasTurns(2))
            loop.perform { loop.detach(source) }
            source.makeReady()
            source.isDue.store(true, ordering: .relaxed)
            for _ in 0..<3 { loop.perform {} }
            #expect(source.turns == 2)
        }
    }

    @Test func `a loop that has been stopped takes nothing more`() async throws {
        let loop = try Loop()
        loop.stop()
        #expect(!loop.submit {})
        #expect(loop.perform { 7 } == 7)
    }
}

/// Counts its turns.
private final class CountedSource: LoopSource {
    let descriptor = epoll_create1(Int32(EPOLL_CLOEXEC))
    let isDue = Atomic(false)
    private let event = eventfd(0, Int32(EFD_CLOEXEC) | Int32(EFD_NONBLOCK))
    private let count = Mutex(0)

    init() {
        var interest = epoll_event()
        interest.events = EPOLLIN.rawValue
        epoll_ctl(descriptor, EPOLL_CTL_ADD, event, &interest)
    }

    deinit {
        close(event)
        close(descriptor)
    }

    var wait: Int? { isDue.load(ordering: .relaxed) ? 0 : nil }
    var turns: Int { count.withLock { $0 } }

    func makeReady() { eventfd_write(event, 1) }

    func turn() {
        isDue.store(false, ordering: .relaxed)
        var value: eventfd_t = 0
        eventfd_read(event, &value)
        count.withLock { $0 += 1 }
    }

    /// Waits until there have been so many.
    func hasTurns(_ wanted: Int) async -> Bool {
        while turns < wanted { await Task.yield() }
        return turns == wanted
    }
}
