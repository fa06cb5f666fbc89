internal import CMicrohttpd
import Glibc
import SparringLoop

/// The part of a WebSocket's connection that libmicrohttpd keeps: the client's real socket, and under TLS its session too. All of it belongs to the
/// loop's thread.
final class UpgradedConnection {
    let number: Int
    let isTLS: Bool
    /// The client's TCP socket, under TLS too.
    private let descriptor: Int32
    private let loop: Loop
    private let expect: () -> Void
    /// Nil once it has been given back.
    private var handle: OpaquePointer?
    private var watched: LoopDescriptor?
    /// The memory that libmicrohttpd forwards through under TLS.
    private var room: UnsafeMutableRawPointer?
    /// libmicrohttpd is about to close the descriptor.
    private var isGone = false

    /// Longer than libmicrohttpd needs, which nearly always has closed the connection by then.
    private static let patience = Duration.milliseconds(250)

    /// To be made in libmicrohttpd's upgrade callback.
    ///
    /// - Parameter expect: has libmicrohttpd look at its connections.
    init(number: Int, isTLS: Bool, descriptor: Int32, on loop: Loop, handle: OpaquePointer, expect: @escaping () -> Void) {
        self.number = number
        self.isTLS = isTLS
        self.descriptor = descriptor
        self.loop = loop
        self.expect = expect
        self.handle = handle
        room = isTLS ? sparring_widen_upgrade(handle, 8192) : nil
        // Messages are small, and a second one would wait for the acknowledgement of the first (RFC 896), 40 ms and more.
        var on: Int32 = 1
        setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &on, socklen_t(MemoryLayout<Int32>.size))
    }

    /// Calls `action` when the client closes its side. Needed under TLS, where libmicrohttpd keeps that to itself until it has something to
    /// send.
    func onHangUp(_ action: @escaping () -> Void) {
        guard handle != nil, watched == nil else { return }
        watched = loop.open(descriptor) { [unowned self] _ in
            stopWatching()
            action()
        }
        watched?.await(leaving: true)
    }

    private func stopWatching() { watched.take()?.release() }

    /// Gives the connection back to libmicrohttpd, which sends what is under way, closes it and calls the completed callback.
    func end() {
        stopWatching()
        let isEnding = handle.take().map { sparring_upgrade_close($0) } != nil
        expect()
        if isTLS, isEnding { loop.after(Self.patience) { [self] in stir() } }
    }

    /// Under TLS libmicrohttpd may have looked at the connection just before it was marked as closed, and then does not look again until something
    /// moves on it. This moves without the client's seeing it. Not to be done while what is under way is still to be sent: where libmicrohttpd
    /// reads at that moment, GnuTLS takes the end for an attack and sends nothing any more.
    private func stir() { if !isGone { _ = shutdown(descriptor, Int32(SHUT_RD)) } }

    /// The client gets an RST.
    func reset() { if !isGone { resetSocket(descriptor) } }

    /// The client gets a FIN whatever is under way, and nothing is read any more.
    func cut() { if !isGone { _ = shutdown(descriptor, Int32(SHUT_RDWR)) } }

    /// To be called before the descriptor is closed.
    func wentAway() {
        stopWatching()
        isGone = true
        free(room.take())
    }
}
