internal import CMicrohttpd
import Glibc
import NIOCore
import SparringLocks

/// Wakes libmicrohttpd's thread every 10 ms while it has many connections. Versions 0.9.75 to 1.0.1 fetch up to 128 events at a time. If they get
/// exactly 128, they wait for another before they handle any (`MHD_epoll`, `MAX_EVENTS`): none of the 128 clients would be answered until then.
final class Nudges: Sendable {
    /// Fewer than 128, since events of the daemon's own count too; far apart, so that a swinging count changes nothing.
    private static let (begin, end) = (100, 64)
    private static let interval = TimeAmount.milliseconds(10)

    /// An eventfd in the daemon's epoll set; written, never read.
    private let event: Int32
    private let loops: EventLoops
    private let task = Mutex<RepeatedTask?>(nil)

    /// - Returns: nil where the daemon does not wait by epoll.
    init?(daemon: OpaquePointer, loops: EventLoops) {
        self.loops = loops
        event = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
        guard event >= 0, sparring_await_too(daemon, event) == 1 else { return nil }
    }

    /// A cancelled task may run once more, so that the descriptor lasts as long as the task.
    deinit { close(event) }

    /// - Parameter count: the number of open connections.
    func connections(_ count: Int) {
        if count >= Self.begin { start() } else if count < Self.end { stop() }
    }

    private func start() {
        if task.withLock({ $0 != nil }) { return }
        let loop = loops.next()
        task.withLock { task in
            guard task == nil else { return }
            task = loop.scheduleRepeatedTask(initialDelay: Self.interval, delay: Self.interval) { _ in
                _ = eventfd_write(self.event, 1)
            }
        }
    }

    func stop() { task.withLock { $0.take() }?.cancel() }
}
