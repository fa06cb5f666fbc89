internal import CMicrohttpd
import Glibc
internal import Synchronization

/// Notices clients that close their side while their exchange is suspended: one thread on an epoll of its own, asleep unless someone
/// leaves.
final class HangUpWatch: Sendable {
    private let epoll: Int32
    private let watched = Mutex<[Int32: Exchange]>([:])

    init() throws(HTTPServerError) {
        epoll = epoll_create1(Int32(EPOLL_CLOEXEC))
        guard epoll >= 0 else { throw .system("epoll_create1", errno) }
    }

    deinit { close(epoll) }

    /// Runs until ``stop()``.
    func start() {
        let thread = pthread_t_starting { [self] in run() }
        pthread_detach(thread)
    }

    func watch(_ descriptor: Int32, _ exchange: Exchange) {
        watched.withLock { $0[descriptor] = exchange }
        var event = epoll_event()
        event.events = EPOLLRDHUP.rawValue | EPOLLONESHOT.rawValue
        event.data.fd = descriptor
        epoll_ctl(epoll, EPOLL_CTL_ADD, descriptor, &event)
    }

    /// Must be called before the descriptor is closed, while its exchange is still suspended.
    func forget(_ descriptor: Int32) {
        epoll_ctl(epoll, EPOLL_CTL_DEL, descriptor, nil)
        watched.withLock { _ = $0.removeValue(forKey: descriptor) }
    }

    /// Ends the thread.
    func stop() {
        // A descriptor that is at its end of file wakes the thread; -1 below tells it that this is the end.
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { return }
        var event = epoll_event()
        event.events = EPOLLIN.rawValue | EPOLLHUP.rawValue
        event.data.fd = -1
        epoll_ctl(epoll, EPOLL_CTL_ADD, ends[0], &event)
        close(ends[1])
    }

    private func run() {
        var events = [epoll_event](repeating: epoll_event(), count: 64)
        while true {
            let count = epoll_wait(epoll, &events, Int32(events.count), -1)
            if count < 0, errno != EINTR { return }
            for event in events.prefix(Int(max(0, count))) {
                if event.data.fd == -1 { return }
                let exchange = watched.withLock { $0[event.data.fd] }
                exchange?.hungUp()
            }
        }
    }
}

/// A POSIX thread that runs `body` once.
private func pthread_t_starting(_ body: @escaping @Sendable () -> Void) -> pthread_t {
    final class Box {
        let body: @Sendable () -> Void
        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }
    var thread = pthread_t()
    // +1 here, taken back by the thread.
    let box = Unmanaged.passRetained(Box(body)).toOpaque()
    pthread_create(
        &thread, nil,
        { argument in
            Unmanaged<Box>.fromOpaque(argument!).takeRetainedValue().body()
            return nil
        }, box)
    return thread
}
