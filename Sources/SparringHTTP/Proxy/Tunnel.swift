internal import CMicrohttpd
import Glibc
import SparringLoop

/// Two connections, each of which gets what comes over the other, unread (RFC 9110 §9.3.6). All of it belongs to the loop's thread.
final class Tunnel {
    private static let readLimit = 16 << 10

    /// One of the two connections.
    private final class Side {
        let descriptor: Int32
        var watched: LoopDescriptor?
        /// Bytes that it has not taken yet.
        var unsent: [UInt8] = []
        /// No more will come from it.
        var hasEnded = false
        /// It has been sent the end of what comes for it.
        var isFinished = false

        init(_ descriptor: Int32) { self.descriptor = descriptor }
    }

    private let near: Side
    private let far: Side
    private var ended: (() -> Void)?

    /// Takes over both descriptors, which must not block.
    ///
    /// - Parameters:
    ///   - greeting: sent to the client first.
    ///   - request: sent to the other first.
    ///   - ended: called once, when both are closed.
    init(
        _ client: Int32, _ other: Int32, on loop: Loop, greeting: [UInt8] = [], request: [UInt8] = [], ended: @escaping () -> Void
    ) {
        (near, far, self.ended) = (Side(client), Side(other), ended)
        (near.unsent, far.unsent) = (greeting, request)
        // It keeps itself until it ends.
        near.watched = loop.open(client) { [self] in ready(near, $0) }
        far.watched = loop.open(other) { [self] in ready(far, $0) }
        move()
    }

    /// Closes both.
    func end() {
        guard let ended = ended.take() else { return }
        for side in [near, far] {
            side.watched.take()?.release()
            close(side.descriptor)
        }
        ended()
    }

    private func ready(_ side: Side, _ readiness: LoopDescriptor.Readiness) {
        if readiness.isReadable, !side.hasEnded, peer(of: side).unsent.isEmpty { read(side) }
        move()
    }

    private func peer(of side: Side) -> Side { side === near ? far : near }

    private func read(_ side: Side) {
        let peer = peer(of: side)
        var number: Int32 = 0
        peer.unsent = [UInt8](unsafeUninitializedCapacity: Self.readLimit) { room, filled in
            let count = recv(side.descriptor, room.baseAddress, room.count, Int32(MSG_DONTWAIT))
            if count < 0 { number = errno }
            if count == 0 { side.hasEnded = true }
            filled = max(0, count)
        }
        if number != 0, number != EAGAIN, number != EINTR { end() }
    }

    private func move() {
        guard ended != nil, send(to: near), send(to: far) else { return end() }
        for side in [near, far] {
            let peer = peer(of: side)
            if peer.hasEnded, side.unsent.isEmpty, !side.isFinished {
                shutdown(side.descriptor, Int32(SHUT_WR))
                side.isFinished = true
            }
        }
        if near.isFinished, far.isFinished { return end() }
        for side in [near, far] {
            side.watched?.await(reading: !side.hasEnded && peer(of: side).unsent.isEmpty, writing: !side.unsent.isEmpty)
        }
    }

    /// - Returns: false where the connection has broken.
    private func send(to side: Side) -> Bool {
        while !side.unsent.isEmpty {
            let count = Glibc.send(side.descriptor, side.unsent, side.unsent.count, Int32(MSG_DONTWAIT | MSG_NOSIGNAL))
            if count < 0 { return errno == EAGAIN || errno == EINTR }
            side.unsent.removeFirst(count)
        }
        return true
    }
}
