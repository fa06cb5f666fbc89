internal import CMicrohttpd
import Glibc
import SparringLocks

/// Notices clients that close their side while their connection is suspended: one thread on an epoll of its own, asleep unless someone
/// leaves.
final class HangUpWatch: Sendable {
    private struct State {
        var last: UInt64 = 0
        var actions: [UInt64: @Sendable (_ hasLeft: Bool) -> Void] = [:]
    }

    /// One watched descriptor. The number, unlike the descriptor, is never used again.
    struct Watch: Sendable {
        fileprivate let number: UInt64
        fileprivate let descriptor: Int32
    }

    private let epoll: Int32
    /// Becomes readable, as number 0, when the thread is to end.
    private let end: Int32
    private let state = Mutex(State())

    init() throws(HTTPServerError) {
        epoll = epoll_create1(Int32(EPOLL_CLOEXEC))
        guard epoll >= 0 else { throw .system("epoll_create1", errno) }
        end = eventfd(0, Int32(EFD_CLOEXEC))
        guard end >= 0 else {
            let number = errno
            close(epoll)
            throw .system("eventfd", number)
        }
        add(end, EPOLLIN.rawValue, number: 0)
    }

    deinit {
        close(epoll)
        close(end)
    }

    /// Runs until ``stop()``.
    func start() { startThread { [self] in run() } }

    /// Calls `action` once, on the watch's thread, when the peer of this socket closes its side or resets it, or, where that is asked for, when
    /// more can be read from the socket or written to it. `hasLeft` says whether its peer has left.
    func watch(
        _ descriptor: Int32, orReadable: Bool = false, orWritable: Bool = false, _ action: @escaping @Sendable (_ hasLeft: Bool) -> Void
    ) -> Watch {
        let number = state.withLock { state in
            state.last += 1
            state.actions[state.last] = action
            return state.last
        }
        let more = (orReadable ? EPOLLIN.rawValue : 0) | (orWritable ? EPOLLOUT.rawValue : 0)
        add(descriptor, EPOLLRDHUP.rawValue | EPOLLONESHOT.rawValue | more, number: number)
        return Watch(number: number, descriptor: descriptor)
    }

    /// Must be called before the descriptor is closed.
    func forget(_ watch: Watch) {
        epoll_ctl(epoll, EPOLL_CTL_DEL, watch.descriptor, nil)
        state.withLock { _ = $0.actions.removeValue(forKey: watch.number) }
    }

    /// Ends the thread.
    func stop() { _ = eventfd_write(end, 1) }

    private func add(_ descriptor: Int32, _ events: UInt32, number: UInt64) {
        var event = epoll_event()
        event.events = events
        event.data.u64 = number
        epoll_ctl(epoll, EPOLL_CTL_ADD, descriptor, &event)
    }

    private func run() {
        var events = [epoll_event](repeating: epoll_event(), count: 64)
        while true {
            let count = epoll_wait(epoll, &events, Int32(events.count), -1)
            if count < 0, errno != EINTR { return }
            for event in events.prefix(Int(max(0, count))) {
                if event.data.u64 == 0 { return }
                let hasLeft = event.events & (EPOLLRDHUP.rawValue | EPOLLHUP.rawValue | EPOLLERR.rawValue) != 0
                state.withLock { $0.actions.removeValue(forKey: event.data.u64) }?(hasLeft)
            }
        }
    }
}
