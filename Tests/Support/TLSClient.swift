import NIOCore
import NIOEmbedded
import NIOSSL
import NIOTLS
import SparringLocks

/// TLS over a ``RawClient``, which believes any certificate: what was sent within the session and, apart from it, how the TCP connection ended.
public final class TLSClient: WireClient {
    private let raw: RawClient
    private let session: NIOAsyncTestingChannel
    private let buffer = Mutex<[UInt8]>([])

    /// Shakes hands.
    ///
    /// - Parameter authority: of the certificates that are trusted, in PEM, for `localhost`; nil: whatever there is.
    public convenience init(port: Int, trusting authority: String? = nil) async throws {
        try await self.init(RawClient(port: port), trusting: authority)
    }

    /// The same over a connection that is there.
    public init(_ raw: RawClient, trusting authority: String? = nil) async throws {
        self.raw = raw
        var configuration = TLSConfiguration.makeClientConfiguration()
        configuration.certificateVerification = authority == nil ? .none : .fullVerification
        if let authority { configuration.trustRoots = .certificates(try NIOSSLCertificate.fromPEMBytes(Array(authority.utf8))) }
        let context = try NIOSSLContext(configuration: configuration)
        let greeter = Greeter()
        session = try await NIOAsyncTestingChannel { channel in
            try channel.pipeline.syncOperations.addHandlers([
                try NIOSSLClientHandler(context: context, serverHostname: authority == nil ? nil : "localhost"), greeter,
            ])
        }
        try await session.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).get()
        await pass()
        while !greeter.hasHeard {
            let end = await feed(within: patience)
            guard end == .met, !greeter.hasFailed else { throw RawClient.Failed(description: "no handshake: \(end)") }
        }
    }

    public func write(_ bytes: [UInt8]) async {
        _ = try? await session.writeOutbound(ByteBuffer(bytes: bytes))
        await pass()
    }

    public func read(
        within limit: Duration, until isEnough: @escaping @Sendable ([UInt8]) -> Bool
    ) async -> (bytes: [UInt8], end: RawClient.End) {
        let deadline = ContinuousClock.now + limit
        while true {
            // Looked at where it is: a copy of it at each turn would make much out of a few megabytes.
            if buffer.withLock({ isEnough($0) }) { return (buffer.withLock { $0 }, .met) }
            let end = await feed(within: deadline - .now)
            if end != .met { return (buffer.withLock { $0 }, end) }
        }
    }

    public func take(_ count: Int) { buffer.withLock { $0.removeFirst(count) } }
    public func close() { raw.close() }
    public func reset() { raw.reset() }

    public var isUp: Bool { raw.isUp }

    /// The server has ended the session in order (RFC 8446 §6.1), as before every FIN it must.
    public var hasClosureAlert: Bool { !session.isActive }

    /// Gives the session what comes next.
    private func feed(within limit: Duration) async -> RawClient.End {
        let (bytes, end) = await raw.read(within: limit) { !$0.isEmpty }
        guard end == .met else { return end }
        raw.take(bytes.count)
        _ = try? await session.writeInbound(ByteBuffer(bytes: bytes))
        while let piece = try? await session.readInbound(as: ByteBuffer.self) { buffer.withLock { $0 += Array(buffer: piece) } }
        await pass()
        return .met
    }

    /// Sends what the session has to say.
    private func pass() async {
        while let piece = try? await session.readOutbound(as: ByteBuffer.self) { raw.send(Array(buffer: piece)) }
    }
}

/// Hears of the end of the handshake.
private final class Greeter: ChannelInboundHandler, Sendable {
    typealias InboundIn = ByteBuffer

    private let heard = Mutex(false)
    private let failed = Mutex(false)
    var hasHeard: Bool { heard.withLock { $0 } }
    var hasFailed: Bool { failed.withLock { $0 } }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case TLSUserEvent.handshakeCompleted = event { heard.withLock { $0 = true } }
        context.fireUserInboundEventTriggered(event)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        failed.withLock { $0 = true }
        context.fireErrorCaught(error)
    }
}
