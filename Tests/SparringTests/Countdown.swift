import Glibc
import SparringLocks

/// Kills the server with the answer that makes the count full.
final class Countdown: Sendable {
    private let left: Mutex<Int>
    private let server: ServerProcess

    init(_ count: Int, _ server: ServerProcess) {
        left = Mutex(count)
        self.server = server
    }

    @Sendable func count() {
        let isFull = left.withLock { left in
            left -= 1
            return left == 0
        }
        if isFull { server.signal(SIGKILL) }
    }
}
