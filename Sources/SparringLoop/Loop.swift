import CLinux
import Dispatch
import Glibc
import SparringLocks

/// One thread that works in turns. In each turn it does what is ready on its descriptors and sources, what other threads have handed over and what its
/// timers say; then, once, what belongs at the end of a turn: whatever the turn has written is committed together.
///
/// Nothing that runs on it may wait: for a disk, a lock that others hold for long, another server.
public final class Loop: Sendable {
    /// A descriptor that is being watched. The number, unlike the descriptor, is never used again.
    public struct Watch: Sendable {
        fileprivate let number: UInt64
        fileprivate let descriptor: Int32
    }

    /// Something to be done at a time.
    public struct Timer: Sendable {
        fileprivate let number: UInt64
    }

    private struct Attached {
        let number: UInt64
        let source: any LoopSource
        var isReady = false
    }

    private struct HandedOver {
        var tasks: [@Sendable () -> Void] = []
        var isStopped = false
    }

    /// Events that are read in one go; further ones are read in the next turn.
    private static let eventsAtOnce = 64
    private static let firstWatch: UInt64 = 1 << 32
    private static let firstDescriptor: UInt64 = 1 << 48

    private let epoll: Int32
    /// Becomes readable, as number 0, when the thread is to look for what was handed over.
    private let wake: Int32
    /// The loop's own; 0: it has not begun.
    private let thread = Atomic<UInt>(0)
    private let handedOver = Mutex(HandedOver())
    private let watches = Mutex(LoopWatches(from: firstWatch))
    // What follows is touched by the loop's thread alone, which each method checks.
    nonisolated(unsafe) private var timers = LoopTimers()
    nonisolated(unsafe) private var descriptors: [UInt64: LoopDescriptor] = [:]
    nonisolated(unsafe) private var lastDescriptor = firstDescriptor
    nonisolated(unsafe) private var sources: [Attached] = []
    /// The number of the source that was attached last, and of its events.
    nonisolated(unsafe) private var lastSource: UInt64 = 0
    /// Returns whether it is to be called again though nothing else happens.
    nonisolated(unsafe) private var atEnd: (@Sendable () -> Bool)?
    nonisolated(unsafe) private var afterwards: [() -> Void] = []

    /// Starts its thread.
    public init() throws(LoopError) {
        epoll = epoll_create1(Int32(EPOLL_CLOEXEC))
        guard epoll >= 0 else { throw LoopError("epoll_create1") }
        wake = eventfd(0, Int32(EFD_CLOEXEC) | Int32(EFD_NONBLOCK))
        guard wake >= 0 else {
            let error = LoopError("eventfd")
            close(epoll)
            throw error
        }
        add(wake, EPOLLIN.rawValue, number: 0)
        startThread { [self] in run() }
    }

    deinit {
        close(epoll)
        close(wake)
    }

    // MARK: From any thread

    /// Whether this is the loop's thread.
    public var isCurrent: Bool { thread.load(ordering: .relaxed) == UInt(pthread_self()) }

    /// Does `work` at once if this is the loop's thread, else in its next turn. Once the loop has been stopped, nothing happens.
    public func run(_ work: @escaping @Sendable () -> Void) {
        if isCurrent { work() } else { submit(work) }
    }

    /// Does `work` in the next turn.
    ///
    /// - Returns: false where the loop has been stopped.
    @discardableResult
    public func submit(_ work: @escaping @Sendable () -> Void) -> Bool {
        let (isTaken, isFirst) = handedOver.withLock { handedOver in
            if handedOver.isStopped { return (false, false) }
            handedOver.tasks.append(work)
            return (true, handedOver.tasks.count == 1)
        }
        if isFirst { _ = eventfd_write(wake, 1) }
        return isTaken
    }

    /// Brings about the end of a turn, though nothing else happens.
    public func stir() { if !isCurrent { _ = eventfd_write(wake, 1) } }

    /// Does `work` on the loop and returns what it has returned; not to be called by what others wait for.
    /// Once the loop has been stopped, it is done where it is called.
    public func perform<Value: Sendable>(_ work: @escaping @Sendable () -> Value) -> Value {
        if isCurrent { return work() }
        let done = DispatchSemaphore(value: 0)
        let value = Mutex<Value?>(nil)
        let isTaken = submit {
            let made = work()
            value.withLock { $0 = made }
            done.signal()
        }
        guard isTaken else { return work() }
        done.wait()
        return value.withLock { $0 }!
    }

    /// Calls `action` once, on the loop, when the peer of this socket closes its side or resets it, or, where that is asked for, when more can be read
    /// from the socket or written to it. `hasLeft` says whether its peer has left.
    public func watch(
        _ descriptor: Int32, orReadable: Bool = false, orWritable: Bool = false, _ action: @escaping @Sendable (_ hasLeft: Bool) -> Void
    ) -> Watch {
        let number = watches.withLock { $0.add(action) }
        let more = (orReadable ? EPOLLIN.rawValue : 0) | (orWritable ? EPOLLOUT.rawValue : 0)
        add(descriptor, EPOLLRDHUP.rawValue | EPOLLONESHOT.rawValue | more, number: number)
        return Watch(number: number, descriptor: descriptor)
    }

    /// Must be called before the descriptor is closed.
    public func forget(_ watch: Watch) {
        epoll_ctl(epoll, EPOLL_CTL_DEL, watch.descriptor, nil)
        watches.withLock { _ = $0.take(watch.number) }
    }

    /// Ends the thread after its present turn.
    public func stop() {
        handedOver.withLock { $0.isStopped = true }
        _ = eventfd_write(wake, 1)
    }

    private func add(_ descriptor: Int32, _ events: UInt32, number: UInt64) { control(EPOLL_CTL_ADD, descriptor, events, number) }

    private func control(_ operation: Int32, _ descriptor: Int32, _ events: UInt32, _ number: UInt64) {
        var event = epoll_event()
        event.events = events
        event.data.u64 = number
        epoll_ctl(epoll, operation, descriptor, &event)
    }

    // MARK: On the loop

    /// Does `work` after a time by the monotonic clock, unless it is cancelled.
    @discardableResult
    public func after(_ duration: Duration, _ work: @escaping () -> Void) -> Timer {
        preconditionOnLoop()
        return Timer(number: timers.add(at: .now + duration, work))
    }

    public func cancel(_ timer: Timer) {
        preconditionOnLoop()
        timers.cancel(timer.number)
    }

    /// Takes up a descriptor, of which nothing is awaited yet.
    ///
    /// - Parameter ready: called in each turn in which something that is awaited has come, and where the connection has broken, awaited or not.
    public func open(_ descriptor: Int32, ready: @escaping (LoopDescriptor.Readiness) -> Void) -> LoopDescriptor {
        preconditionOnLoop()
        lastDescriptor += 1
        let opened = LoopDescriptor(descriptor, number: lastDescriptor, on: self, ready)
        descriptors[lastDescriptor] = opened
        add(descriptor, 0, number: lastDescriptor)
        return opened
    }

    func change(_ descriptor: LoopDescriptor, to events: UInt32) {
        preconditionOnLoop()
        control(EPOLL_CTL_MOD, descriptor.descriptor, events, descriptor.number)
    }

    func release(_ descriptor: LoopDescriptor) {
        preconditionOnLoop()
        guard descriptors.removeValue(forKey: descriptor.number) != nil else { return }
        epoll_ctl(epoll, EPOLL_CTL_DEL, descriptor.descriptor, nil)
    }

    /// Takes up a source, which has turns from now on.
    public func attach(_ source: any LoopSource) {
        preconditionOnLoop()
        lastSource += 1
        sources.append(Attached(number: lastSource, source: source))
        add(source.descriptor, EPOLLIN.rawValue, number: lastSource)
    }

    /// The source has no further turn.
    public func detach(_ source: any LoopSource) {
        preconditionOnLoop()
        guard let place = sources.firstIndex(where: { $0.source === source }) else { return }
        sources.remove(at: place)
        epoll_ctl(epoll, EPOLL_CTL_DEL, source.descriptor, nil)
    }

    /// Sets the work that ends each turn.
    ///
    /// - Parameter work: returns whether more is to be done at once.
    public func atEndOfTurn(_ work: @escaping @Sendable () -> Bool) {
        preconditionOnLoop()
        atEnd = work
    }

    /// Does `work` once the present turn has ended and what it has written is committed, before anything else is read or waited for.
    public func afterTurn(_ work: @escaping () -> Void) {
        preconditionOnLoop()
        afterwards.append(work)
    }

    public func preconditionOnLoop() { precondition(isCurrent, "this belongs to the loop's thread") }

    private func run() {
        // libmicrohttpd blocks it in threads of its own only.
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGPIPE)
        pthread_sigmask(SIG_BLOCK, &signals, nil)
        thread.store(UInt(pthread_self()), ordering: .relaxed)
        let events = UnsafeMutableBufferPointer<epoll_event>.allocate(capacity: Self.eventsAtOnce)
        defer { events.deallocate() }
        var isMore = false
        while true {
            let count = epoll_wait(epoll, events.baseAddress, Int32(events.count), isMore ? 0 : patience)
            for event in events.prefix(Int(max(0, count))) { take(event) }
            let (tasks, isStopped) = handedOver.withLock { handedOver in
                defer { handedOver.tasks = [] }
                return (handedOver.tasks, handedOver.isStopped)
            }
            for task in tasks { task() }
            if let due = timers.due {
                let now = ContinuousClock.now
                if due <= now { while let action = timers.next(at: now) { action() } }
            }
            takeTurns()
            isMore = atEnd?() ?? false
            while !afterwards.isEmpty {
                let works = afterwards
                afterwards = []
                for work in works { work() }
            }
            if isStopped { return }
        }
    }

    private func take(_ event: epoll_event) {
        switch event.data.u64 {
        case 0:
            var count: eventfd_t = 0
            eventfd_read(wake, &count)
        case let number where number <= Self.firstWatch:
            if let place = sources.firstIndex(where: { $0.number == number }) { sources[place].isReady = true }
        case let number where number > Self.firstDescriptor:
            // It may have been released since the event was read.
            descriptors[number]?.happened(event.events)
        case let number:
            let hasLeft = event.events & (EPOLLRDHUP.rawValue | EPOLLHUP.rawValue | EPOLLERR.rawValue) != 0
            watches.withLock { $0.take(number) }?(hasLeft)
        }
    }

    private func takeTurns() {
        // A source may be detached in the turn of another.
        var place = 0
        while place < sources.count {
            let attached = sources[place]
            if attached.isReady || attached.source.wait == 0 {
                sources[place].isReady = false
                attached.source.turn()
            }
            if place < sources.count, sources[place].number == attached.number { place += 1 }
        }
    }

    /// Milliseconds until something is due; -1: nothing is.
    private var patience: Int32 {
        var least = Int.max
        for attached in sources { if let wait = attached.source.wait { least = min(least, wait) } }
        if least > 0, let due = timers.due {
            // Rounded up: a turn that comes too early has nothing to do.
            let left = (due - .now) / .milliseconds(1)
            least = min(least, left <= 0 ? 0 : Int(left.rounded(.up)))
        }
        return least == .max ? -1 : Int32(min(least, 1 << 20))
    }
}
