import NIOCore
import NIOPosix
import NIOWebSocket
import SparringLocks

/// The open WebSockets of a server.
final class WebSockets: Sendable {
    private struct State {
        /// By the numbers of their connections, until libmicrohttpd has closed those.
        var open: [Int: Entry] = [:]
        var isDraining = false
        var isCut = false
    }

    private struct Entry {
        let connection: UpgradedConnection
        /// Nil while the event loop has not taken it yet.
        var socket: WebSocket?
    }

    private let state = Mutex(State())
    private let loops: EventLoops

    init(_ loops: EventLoops) { self.loops = loops }

    /// Takes over `descriptor`, on which frames are exchanged.
    ///
    /// - Parameter extra: what was read of them already.
    func adopt(_ descriptor: Int32, _ connection: UpgradedConnection, _ upgrade: WebSocketUpgrade, extra: [UInt8]) {
        state.withLock { $0.open[connection.number] = Entry(connection: connection) }
        let loop = loops.next()
        loop.execute { [self] in
            let session = WebSocketSession(connection, upgrade)
            let bound = NIOLoopBound(session, eventLoop: loop)
            let socket = WebSocket(connection: connection, limits: upgrade.limits, session: bound, loop: loop)
            ClientBootstrap(group: loop)
                .channelOption(.autoRead, value: false)
                // Little is read per turn, so that a client that sends thousands of tiny frames does not hold up the others.
                .channelOption(.maxMessagesPerRead, value: 1)
                .channelOption(.recvAllocator, value: AdaptiveRecvByteBufferAllocator(minimum: 64, initial: 2048, maximum: 16 << 10))
                .channelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture {
                        try channel.pipeline.syncOperations.addHandlers([
                            WebSocketGate(limits: upgrade.limits),
                            // The gate has looked at the sizes.
                            ByteToMessageHandler(WebSocketFrameDecoder(maxFrameSize: max(125, upgrade.limits.message))),
                            WebSocketFrameEncoder(), bound.value,
                        ])
                    }
                }
                .withConnectedSocket(descriptor)
                .whenComplete { [self] result in
                    switch result {
                    case .success:
                        bound.value.open(socket, extra: extra, on: loop)
                        opened(socket)
                    case .failure(let error):
                        connection.end()
                        upgrade.failed("the socket could not be taken over: \(error)")
                    }
                }
        }
    }

    private func opened(_ socket: WebSocket) {
        let (isDraining, isCut) = state.withLock { state in
            state.open[socket.connection]?.socket = socket
            return (state.isDraining, state.isCut)
        }
        if isCut { socket.abort() } else if isDraining { socket.goAway() }
    }

    /// libmicrohttpd is about to close a connection, upgraded or not.
    func connectionClosed(_ number: Int) {
        let entry = state.withLock { $0.open.removeValue(forKey: number) }
        entry?.connection.wentAway()
    }

    /// Closes all sockets with 1001, those to come included.
    func goAway() {
        let open = state.withLock { state in
            state.isDraining = true
            return state.open.values.compactMap(\.socket)
        }
        for socket in open { socket.goAway() }
    }

    /// Ends all sockets, those to come included, without waiting for any client.
    func cut() {
        let open = state.withLock { state in
            state.isCut = true
            return state.open.values.map { $0 }
        }
        for entry in open {
            entry.socket?.abort()
            entry.connection.cut()
        }
    }
}
