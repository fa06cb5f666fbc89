import Glibc
import SparringLoop

/// The listening socket of a forward proxy. It reads who is called, and no further: a connection goes whole to the listener that serves it, or into a
/// tunnel. All of it belongs to the loop's thread.
final class ProxyPort {
    /// The settings and services of the server that it belongs to.
    struct Service {
        let others: ForwardProxy.Others
        /// How long a head may take to come.
        let headTimeout: Duration
        /// How long a client may leave its tunnel unused before its first byte.
        let idleTimeout: Duration
        /// Bytes of a head.
        let headLimit: Int
        /// Whether a host and port are emulated here.
        let serves: (_ host: String, _ port: Int) -> Bool
        /// Takes a descriptor over, for plain HTTP or TLS.
        let take: (_ descriptor: Int32, _ hop: ProxyHop, _ isTLS: Bool) -> Void
    }

    /// Connections that have not been handed on, and tunnels to other hosts; any further one is closed at once.
    static let connectionLimit = 1024

    let service: Service
    let loop: Loop
    private let socket: ListeningSocket
    private var watched: LoopDescriptor?
    /// Ends each of those that are open, by their descriptors.
    private var open: [Int32: () -> Void] = [:]

    init(_ socket: ListeningSocket, on loop: Loop, _ service: Service) { (self.socket, self.loop, self.service) = (socket, loop, service) }

    /// Takes connections from now on.
    func begin() {
        watched = loop.open(socket.descriptor) { [weak self] _ in self?.takeAll() }
        watched?.await(reading: true)
    }

    /// Takes no more connections; those that are open go on.
    func quiesce() {
        guard let watched = watched.take() else { return }
        watched.release()
        close(socket.release())
    }

    /// Ends whatever is open.
    func stop() {
        quiesce()
        for end in open.values { end() }
    }

    private func takeAll() {
        while watched != nil {
            let taken = accept(socket.descriptor, nil, nil)
            if taken < 0 { return }
            _ = fcntl(taken, F_SETFD, FD_CLOEXEC)
            _ = fcntl(taken, F_SETFL, O_NONBLOCK)
            guard open.count < Self.connectionLimit else {
                close(taken)
                continue
            }
            ProxyConnection(taken, self).begin()
        }
    }

    func add(_ descriptor: Int32, end: @escaping () -> Void) { open[descriptor] = end }

    func remove(_ descriptor: Int32) { open[descriptor] = nil }
}
