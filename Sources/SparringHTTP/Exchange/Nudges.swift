internal import CMicrohttpd
import Glibc
import NIOCore
import SparringLocks

/// Wakes libmicrohttpd's thread every 10 ms while it has 128 connections or more. 0.9.75 takes 128 events at a time, and where there were just as
/// many it waits for one more before it looks at any of them (`MHD_epoll`, `MAX_EVENTS`): none of the 128 clients would be answered until then.
final class Nudges: Sendable {
    private static let crowd = 128
    private static let interval = TimeAmount.milliseconds(10)

    /// An eventfd among what the daemon waits for, that is written and never read.
    private let event: Int32
    private let loops: EventLoops
    private let task = Mutex<RepeatedTask?>(nil)

    /// - Returns: nil where the daemon does not wait by epoll.
    init?(daemon: OpaquePointer, loops: EventLoops) {
        self.loops = loops
        event = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
        guard event >= 0, sparring_await_too(daemon, event) == 1 else {
            close(event)
            return nil
        }
    }

    /// - Parameter count: of the connections there are.
    func connections(_ count: Int) {
        if count == Self.crowd { begin() } else if count == Self.crowd - 1 { end() }
    }

    private func begin() {
        let loop = loops.next()
        task.withLock { task in
            guard task == nil else { return }
            task = loop.scheduleRepeatedTask(initialDelay: Self.interval, delay: Self.interval) { [event] _ in
                _ = eventfd_write(event, 1)
            }
        }
    }

    private func end() { task.withLock { $0.take() }?.cancel() }

    /// The daemon is no more.
    func stop() {
        end()
        close(event)
    }
}
