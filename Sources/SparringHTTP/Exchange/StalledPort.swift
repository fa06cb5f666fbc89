import Glibc
import SparringJournal
import SparringLoop

/// A listener that no client gets an answer from: connections are taken, what comes is read and thrown away, nothing is ever sent. They end when
/// the client leaves or the server stops. All of it belongs to the loop's thread.
final class StalledPort {
    /// Connections that a port keeps open; any further one is closed at once, so that there are descriptors left for the ports that serve.
    static let connectionLimit = 256

    private let name: String
    private let shared: Listener.Shared
    /// How many connections there are.
    private var count = 0
    private let socket: ListeningSocket
    private var watched: LoopDescriptor?

    init(_ socket: ListeningSocket, name: String, _ shared: Listener.Shared) {
        (self.socket, self.name, self.shared) = (socket, name, shared)
    }

    /// Takes connections from now on.
    func open() {
        watched = shared.loop.open(socket.descriptor) { [weak self] _ in self?.takeAll() }
        watched?.await(reading: true)
    }

    /// Takes no more connections; those that are open go on.
    func quiesce() {
        watched.take()?.release()
        close(socket.release())
    }

    private func takeAll() {
        while watched != nil {
            let taken = accept(socket.descriptor, nil, nil)
            if taken < 0 { return }
            _ = fcntl(taken, F_SETFD, FD_CLOEXEC)
            take(taken)
        }
    }

    private func take(_ descriptor: Int32) {
        guard count < Self.connectionLimit else {
            close(descriptor)
            return
        }
        count += 1
        var connection = SilentConnection(port: name, number: shared.flow.connectionOpened(), taken: .now)
        tell(connection)
        shared.discards.value.add(descriptor) { [self] in
            count -= 1
            connection.left = .now
            tell(connection)
        }
    }

    private func tell(_ connection: SilentConnection) { if !shared.flow.isDraining { shared.handler.silent(connection) } }
}
