import NIOCore
import NIOPosix
import SparringLocks

/// The event loops of a server: its WebSockets live on them, and what it times on the wall clock. They are made for the first that needs one.
final class EventLoops: Sendable {
    private let group = Mutex<MultiThreadedEventLoopGroup?>(nil)

    deinit {
        // Of a server that could not be started.
        group.withLock { $0 }?.shutdownGracefully { _ in }
    }

    func next() -> any EventLoop { all.next() }

    var all: MultiThreadedEventLoopGroup {
        group.withLock { group in
            let made = group ?? MultiThreadedEventLoopGroup(numberOfThreads: min(2, System.coreCount))
            group = made
            return made
        }
    }

    /// Closes what is open on them and ends them.
    ///
    /// - Parameter done: called from any thread when they have ended.
    func stop(_ done: @escaping @Sendable () -> Void) {
        guard let group = group.withLock({ $0.take() }) else { return done() }
        group.shutdownGracefully { _ in done() }
    }
}
