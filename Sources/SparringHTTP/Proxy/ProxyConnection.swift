import Glibc
import SparringLoop

/// A connection to a forward proxy, until it is handed on. What comes is only looked at, so that the receiver finds all of it; the head of a CONNECT
/// is taken out, since what follows is no part of it. All of it belongs to the loop's thread.
final class ProxyConnection {
    private enum Step {
        case head
        /// The tunnel is open, and its first byte says whether it speaks TLS.
        case tunnel(host: String)
        /// Another host is being dialled.
        case dialling
        /// Somebody else's.
        case over
    }

    private let descriptor: Int32
    private let port: ProxyPort
    private var step = Step.head
    private var watched: LoopDescriptor?
    private var timer: Loop.Timer?
    /// Bytes of a head that is not whole yet.
    private var seen = 0

    private static let established = Array("HTTP/1.1 200 Connection Established\r\n\r\n".utf8)
    /// ContentType of a TLS record (RFC 8446 §5.1).
    private static let handshakeRecord: UInt8 = 22

    init(_ descriptor: Int32, _ port: ProxyPort) { (self.descriptor, self.port) = (descriptor, port) }

    func begin() {
        port.add(descriptor) { [self] in end() }
        watch()
        limit(port.service.headTimeout)
    }

    private func watch() {
        watched = port.loop.open(descriptor) { [weak self] _ in self?.look() }
        watched?.await(reading: true)
    }

    private func limit(_ time: Duration) {
        timer.take().map(port.loop.cancel)
        timer = port.loop.after(time) { [weak self] in self?.end() }
    }

    /// Gives the descriptor up.
    private func leave() {
        timer.take().map(port.loop.cancel)
        watched.take()?.release()
        port.remove(descriptor)
        step = .over
    }

    private func end() {
        leave()
        // Bytes that are left unread would make a reset of the end.
        _ = takeHead(port.service.headLimit)
        close(descriptor)
    }

    /// Something has come, or the client has left.
    private func look() {
        withUnsafeTemporaryAllocation(byteCount: port.service.headLimit, alignment: 1) { room in
            let count = recv(descriptor, room.baseAddress, room.count, Int32(MSG_PEEK) | Int32(MSG_DONTWAIT))
            if count < 0, errno == EAGAIN || errno == EINTR { return }
            guard count > 0 else { return end() }
            let bytes = UnsafeRawBufferPointer(rebasing: room[..<count])
            switch step {
            case .head: read(bytes)
            case .tunnel(let host): hand(ProxyHop(tunnel: host), isTLS: bytes[0] == Self.handshakeRecord)
            case .dialling, .over: break
            }
        }
    }

    private func read(_ bytes: UnsafeRawBufferPointer) {
        let passes = port.service.others == .pass
        switch ProxyHead(bytes, readingRequests: passes) {
        // The listener refuses a longer one.
        case .more where bytes.count == port.service.headLimit: hand(ProxyHop(), isTLS: false)
        // What has come stays there: without this it would be reported again and again.
        case .more:
            // The client has closed its side.
            guard bytes.count > seen else { return end() }
            seen = bytes.count
            awaitMore(than: seen)
        case .connect(let host, let number, let length) where port.service.serves(host, number): open(host, length)
        case .connect(let host, let number, let length) where passes:
            dial(host, number, length) { _ in (Self.established, []) }
        case .request(let host, let number, let length) where passes && !port.service.serves(host, number):
            dial(host, number, length) { ([], ProxyHead.forwarded($0)) }
        case .connect, .request, .other: hand(ProxyHop(), isTLS: false)
        }
    }

    /// - Parameter count: bytes; 0 for any.
    private func awaitMore(than count: Int) {
        var low = Int32(count + 1)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVLOWAT, &low, socklen_t(MemoryLayout<Int32>.size))
    }

    /// Takes the head out.
    private func takeHead(_ length: Int, _ body: (UnsafeRawBufferPointer) -> Void = { _ in }) -> Bool {
        withUnsafeTemporaryAllocation(byteCount: length, alignment: 1) { room in
            guard recv(descriptor, room.baseAddress, length, Int32(MSG_DONTWAIT)) == length else { return false }
            body(UnsafeRawBufferPointer(room))
            return true
        }
    }

    private func open(_ host: String, _ length: Int) {
        awaitMore(than: 0)
        guard takeHead(length),
            send(descriptor, Self.established, Self.established.count, Int32(MSG_DONTWAIT | MSG_NOSIGNAL))
                == Self.established.count
        else { return end() }
        step = .tunnel(host: host)
        limit(port.service.idleTimeout)
    }

    private func hand(_ hop: ProxyHop, isTLS: Bool) {
        awaitMore(than: 0)
        leave()
        port.service.take(descriptor, hop, isTLS)
    }

    /// - Parameter first: what each side is sent first, given the head.
    private func dial(
        _ host: String, _ number: Int, _ length: Int, _ first: @escaping (UnsafeRawBufferPointer) -> (greeting: [UInt8], request: [UInt8])
    ) {
        step = .dialling
        timer.take().map(port.loop.cancel)
        watched.take()?.release()
        let held = LoopBound(on: port.loop, (self, first))
        Dialling.dial(host, number) { result in
            held.loop.run {
                let (connection, first) = held.value
                connection.dialled(result, length, first)
            }
        }
    }

    private func dialled(
        _ result: Result<Int32, Dialling.Failure>, _ length: Int,
        _ first: (UnsafeRawBufferPointer) -> (greeting: [UInt8], request: [UInt8])
    ) {
        guard case .dialling = step else {
            if case .success(let other) = result { close(other) }
            return
        }
        awaitMore(than: 0)
        switch result {
        case .failure(let failure): hand(ProxyHop(failure: failure.words), isTLS: false)
        case .success(let other):
            var firsts: (greeting: [UInt8], request: [UInt8]) = ([], [])
            guard takeHead(length, { firsts = first($0) }) else {
                close(other)
                return end()
            }
            leave()
            let (port, descriptor) = (port, descriptor)
            let tunnel = Tunnel(descriptor, other, on: port.loop, greeting: firsts.greeting, request: firsts.request) {
                port.remove(descriptor)
            }
            port.add(descriptor, end: tunnel.end)
        }
    }
}
