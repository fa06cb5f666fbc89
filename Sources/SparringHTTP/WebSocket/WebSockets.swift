import SparringLoop

/// The open WebSockets of a server. All of it belongs to the loop's thread.
final class WebSockets {
    private struct Entry {
        let connection: UpgradedConnection
        let socket: WebSocket
    }

    private let loop: Loop
    /// The sockets by the numbers of their connections, until libmicrohttpd has closed those.
    private var open: [Int: Entry] = [:]
    private var isDraining = false
    private var isCut = false
    /// The buffer for what is read from any of them.
    private let room = UnsafeMutableRawBufferPointer.allocate(byteCount: WebSocketStream.readLimit, alignment: 16)

    init(on loop: Loop) { self.loop = loop }

    deinit { room.deallocate() }

    /// Takes over `descriptor`, on which frames are exchanged.
    ///
    /// - Parameter extra: what was read of them already.
    func adopt(_ descriptor: Int32, _ connection: UpgradedConnection, _ upgrade: WebSocketUpgrade, extra: [UInt8]) {
        let session = WebSocketSession(descriptor, connection, upgrade.limits, on: loop, through: room)
        let socket = WebSocket(session)
        open[connection.number] = Entry(connection: connection, socket: socket)
        session.open(socket, upgrade.opened, extra: extra)
        if isCut { socket.abort() } else if isDraining { socket.goAway() }
    }

    /// libmicrohttpd is about to close a connection, upgraded or not.
    func connectionClosed(_ number: Int) { open.removeValue(forKey: number)?.connection.wentAway() }

    /// Closes all sockets with 1001, those to come included.
    func goAway() {
        isDraining = true
        for entry in open.values { entry.socket.goAway() }
    }

    /// Ends all sockets, those to come included, without waiting for any client.
    func cut() {
        isCut = true
        for entry in open.values {
            entry.socket.abort()
            entry.connection.cut()
        }
    }
}
