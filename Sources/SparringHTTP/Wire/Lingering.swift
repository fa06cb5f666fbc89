import Glibc
import NIOCore
import NIOPosix

/// Connections that are closed before the client has sent everything. A kernel that must close a socket with bytes unread, or that receives
/// bytes for it afterwards, sends an RST, which may reach the client before the FIN has been read: so whatever arrives is read and dropped
/// for a while (RFC 9112 §9.6).
struct Lingering: Sendable {
    private static let limit: TimeAmount = .seconds(2)

    let loops: EventLoops

    /// Holds on to a connection whose sending side has been shut down, whatever else becomes of this descriptor.
    func keep(_ descriptor: Int32) {
        let own = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
        guard own >= 0 else { return }
        ClientBootstrap(group: loops.all)
            .channelInitializer { $0.pipeline.addHandler(Discarding()) }
            .withConnectedSocket(own)
            .whenSuccess { channel in
                channel.eventLoop.scheduleTask(in: Self.limit) { channel.close(promise: nil) }
            }
    }
}

/// Reads and throws away.
final class Discarding: ChannelInboundHandler, Sendable {
    typealias InboundIn = ByteBuffer

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {}
    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}
