import NIOCore
import NIOPosix

/// A listener that no client gets an answer from: connections are taken, what comes is read and thrown away, nothing is ever sent. They end when
/// the client leaves or the event loops do.
final class StalledPort: Sendable {
    private let channel: any Channel

    init(_ socket: ListeningSocket, on loops: EventLoops) throws(HTTPServerError) {
        let port = socket.port
        let bootstrap = ServerBootstrap(group: loops.all).childChannelInitializer { $0.pipeline.addHandler(Discarding()) }
        do {
            channel = try bootstrap.withBoundSocket(socket.release()).wait()
        } catch {
            throw .daemon("port \(port) cannot be listened on: \(error)")
        }
    }

    /// Takes no more connections; those that are open go on.
    func quiesce() { channel.close(promise: nil) }
}
