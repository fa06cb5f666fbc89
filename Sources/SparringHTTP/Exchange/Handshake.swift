internal import CMicrohttpd
import Glibc
import SparringLocks
import SparringLoop

/// The TLS handshake of a connection, from when that is taken; suspended while nothing more has come of what the handshake needs.
///
/// libmicrohttpd 0.9.75 to 1.0.1 hold a connection for readable from its first byte until its handshake is over, and try again without a pause: a client
/// that falls silent on the way would cost a whole core (`MHD_run_tls_handshake_`, `MHD_EPOLL_STATE_READ_READY`).
final class Handshake: Sendable {
    /// Sendable: both are used on the loop alone.
    private struct Handles: @unchecked Sendable {
        let connection: OpaquePointer
        let session: UnsafeMutablePointer<sparring_handshake>
    }

    private let handles: Handles
    private let listener: Listener
    /// The host that was called, for a client that does not say which name it wants.
    private let host: String?
    /// While it is suspended.
    private let watch = Mutex<Loop.Watch?>(nil, .second)

    /// In the callback that tells of a new connection.
    init(_ connection: OpaquePointer, _ listener: Listener, host: String?) {
        let session = UnsafeMutablePointer<sparring_handshake>.allocate(capacity: 1)
        session.initialize(to: sparring_handshake())
        handles = Handles(connection: connection, session: session)
        (self.listener, self.host) = (listener, host)
        session.pointee.is_old = listener.versions == .old ? 1 : 0
        session.pointee.descriptor = sparring_connection_descriptor(connection)
        session.pointee.context = Unmanaged.passUnretained(self).toOpaque()
        session.pointee.on_starved = { context in
            guard let context else { return }
            Unmanaged<Handshake>.fromOpaque(context).takeUnretainedValue().starved()
        }
        session.pointee.on_name = { context, name in
            guard let context else { return nil }
            return Unmanaged<Handshake>.fromOpaque(context).takeUnretainedValue().certificate(name.map { String(cString: $0) })
        }
        sparring_follow_handshake(connection, session)
    }

    deinit { handles.session.deallocate() }

    /// The protocols that the client offered (ALPN, RFC 7301 §3.1), if none of them is spoken here. On the loop.
    var refusedProtocols: String? {
        withUnsafeBytes(of: handles.session.pointee.refused) { bytes in
            bytes.first == 0 ? nil : String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        }
    }

    /// On the loop. The one for the name that the client asks for, or for the host that it called.
    private func certificate(_ name: String?) -> UnsafePointer<sparring_certificate>? {
        listener.certificates?.byName?.value.certificate(for: name ?? host ?? "localhost")
    }

    /// On the loop, within libmicrohttpd's attempt: nothing has come, and more is needed.
    private func starved() {
        guard listener.shared.handshakes.add(self) else { return }
        guard listener.shared.flow.maySuspend() else { return listener.shared.handshakes.remove(self) }
        MHD_suspend_connection(handles.connection)
        watch.withLock { watch in
            watch = listener.shared.loop.watch(handles.session.pointee.descriptor, orReadable: true) { [self] _ in resume() }
        }
        if listener.shared.handshakes.areReleased { release() }
    }

    /// More has come, or the client has left; from any thread.
    private func resume() {
        let wasSuspended = watch.withLock { watch in
            guard let watched = watch.take() else { return false }
            listener.shared.loop.forget(watched)
            return true
        }
        guard wasSuspended else { return }
        listener.shared.handshakes.remove(self)
        listener.resume(Exchange.Connection(pointer: handles.connection))
        listener.shared.flow.resumed()
    }

    /// The server stops, and waits for no client any more.
    func release() {
        watch.withLock { watch in
            // Else libmicrohttpd tries again, and again without a pause.
            if watch != nil { shutdown(handles.session.pointee.descriptor, Int32(SHUT_RDWR)) }
        }
        resume()
    }
}
