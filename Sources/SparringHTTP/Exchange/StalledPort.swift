import NIOCore
import NIOPosix
import SparringJournal
import SparringLocks

/// A listener that no client gets an answer from: connections are taken, what comes is read and thrown away, nothing is ever sent. They end when
/// the client leaves or the event loops do.
final class StalledPort: Sendable {
    /// Connections that a port keeps open; any further one is closed at once, so that there are descriptors left for the ports that serve.
    static let connectionLimit = 256

    private let channel: any Channel

    init(_ socket: ListeningSocket, name: String, _ shared: Listener.Shared) throws(HTTPServerError) {
        let port = socket.port
        let open = Mutex(0)
        let bootstrap = ServerBootstrap(group: shared.loops.all).childChannelInitializer { channel in
            let number = open.withLock { count in
                count += 1
                return count
            }
            channel.closeFuture.whenComplete { _ in open.withLock { $0 -= 1 } }
            guard number <= Self.connectionLimit else { return channel.close() }
            return channel.pipeline.addHandlers([Watching(port: name, shared), Discarding()])
        }
        do {
            channel = try bootstrap.withBoundSocket(socket.release()).wait()
        } catch {
            throw .daemon("port \(port) cannot be listened on: \(error)")
        }
    }

    /// Takes no more connections; those that are open go on.
    func quiesce() { channel.close(promise: nil) }
}

/// Tells when a client came, and when it had enough.
private final class Watching: ChannelInboundHandler, Sendable {
    typealias InboundIn = ByteBuffer

    private let port: String
    private let shared: Listener.Shared
    private let number: Int
    private let taken = Arrival.now

    init(port: String, _ shared: Listener.Shared) {
        (self.port, self.shared) = (port, shared)
        number = shared.flow.connectionOpened()
    }

    func channelActive(context: ChannelHandlerContext) {
        tell(left: nil)
        context.fireChannelActive()
    }

    func channelInactive(context: ChannelHandlerContext) {
        tell(left: .now)
        context.fireChannelInactive()
    }

    private func tell(left: Arrival?) {
        guard !shared.flow.isDraining else { return }
        shared.handler.silent(SilentConnection(port: port, number: number, taken: taken, left: left))
    }
}
