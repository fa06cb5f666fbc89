internal import CMicrohttpd
import Glibc
import SparringLocks
import SparringLoop

/// The part of a WebSocket's connection that libmicrohttpd keeps: the client's real socket, and under TLS its session too.
final class UpgradedConnection: Sendable {
    /// Sendable: libmicrohttpd lets any thread end an upgraded connection, and the lock around it keeps others away.
    private struct State: @unchecked Sendable {
        /// Until it has been given back.
        var handle: OpaquePointer?
        var watch: Loop.Watch?
        /// What it forwards through under TLS.
        var room: UnsafeMutableRawPointer?
        /// libmicrohttpd is about to close the descriptor.
        var isGone = false
    }

    let number: Int
    let isTLS: Bool
    /// The client's TCP socket, under TLS too.
    private let descriptor: Int32
    private let loop: Loop
    private let expect: @Sendable () -> Void
    private let state: Mutex<State>

    /// Longer than libmicrohttpd needs, which nearly always has closed the connection by then.
    private static let patience = Duration.milliseconds(250)

    /// To be made in libmicrohttpd's upgrade callback.
    ///
    /// - Parameter expect: has libmicrohttpd look at its connections.
    init(number: Int, isTLS: Bool, descriptor: Int32, on loop: Loop, handle: OpaquePointer, expect: @escaping @Sendable () -> Void) {
        self.number = number
        self.isTLS = isTLS
        self.descriptor = descriptor
        self.loop = loop
        self.expect = expect
        state = Mutex(State(handle: handle, room: isTLS ? sparring_widen_upgrade(handle, 8192) : nil), .second)
        // Messages are small, and a second one would wait for the acknowledgement of the first (RFC 896), 40 ms and more.
        var on: Int32 = 1
        setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &on, socklen_t(MemoryLayout<Int32>.size))
    }

    /// Calls `action` when the client closes its side. Needed under TLS, where libmicrohttpd keeps that to itself until it has something to
    /// send.
    func onHangUp(_ action: @escaping @Sendable () -> Void) {
        state.withLock { state in
            guard state.handle != nil, state.watch == nil else { return }
            state.watch = loop.watch(descriptor) { _ in action() }
        }
    }

    /// Gives the connection back to libmicrohttpd, which sends what is under way, closes it and calls the completed callback.
    func end() {
        loop.run { [self] in
            let isEnding = state.withLock { state in
                if let watch = state.watch.take() { loop.forget(watch) }
                guard let handle = state.handle.take() else { return false }
                _ = sparring_upgrade_close(handle)
                return true
            }
            expect()
            if isTLS, isEnding { loop.after(Self.patience) { [self] in stir() } }
        }
    }

    /// Under TLS libmicrohttpd may have looked at the connection just before it was marked as closed, and then does not look again until something
    /// moves on it. This moves without the client's seeing it. Not to be done while what is under way is still to be sent: where libmicrohttpd
    /// reads at that moment, GnuTLS takes the end for an attack and sends nothing any more.
    private func stir() { state.withLock { if !$0.isGone { _ = shutdown(descriptor, Int32(SHUT_RD)) } } }

    /// The client gets an RST.
    func reset() { state.withLock { if !$0.isGone { resetSocket(descriptor) } } }

    /// The client gets a FIN whatever is under way, and nothing is read any more.
    func cut() { state.withLock { if !$0.isGone { _ = shutdown(descriptor, Int32(SHUT_RDWR)) } } }

    /// To be called before the descriptor is closed. Waits for an ``end()`` under way in another thread: libmicrohttpd frees the connection
    /// without doing so.
    func wentAway() {
        state.withLock { state in
            state.isGone = true
            free(state.room.take())
        }
    }
}
