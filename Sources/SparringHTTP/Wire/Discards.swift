internal import CMicrohttpd
import Glibc
import SparringLoop

/// Connections from which everything is read and thrown away until they end. All of it belongs to the loop's thread.
final class Discards {
    /// How long a client may go on sending to a connection that is over.
    private static let lingering = Duration.seconds(2)
    private static let readLimit = 16 << 10

    private struct Entry {
        let watched: LoopDescriptor
        let ended: () -> Void
    }

    private let loop: Loop
    /// The connections by their descriptors.
    private var open: [Int32: Entry] = [:]
    private let room = UnsafeMutableRawBufferPointer.allocate(byteCount: readLimit, alignment: 16)

    init(on loop: Loop) { self.loop = loop }

    deinit { room.deallocate() }

    /// Holds on to a connection whose sending side has been shut down, whatever else becomes of this descriptor. A kernel that must close a socket with
    /// bytes unread, or that receives bytes for it afterwards, sends an RST, which may reach the client before the FIN has been read: so whatever
    /// arrives is dropped for a while (RFC 9112 §9.6).
    func linger(_ descriptor: Int32) {
        let own = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
        guard own >= 0 else { return }
        var timer: Loop.Timer?
        let loop = loop
        add(own) { timer.map(loop.cancel) }
        timer = loop.after(Self.lingering) { [weak self] in self?.end(own) }
    }

    /// Takes over a descriptor.
    ///
    /// - Parameter ended: called once, when the client has left, or everything is ended.
    func add(_ descriptor: Int32, ended: @escaping () -> Void) {
        let watched = loop.open(descriptor) { [weak self] _ in self?.read(descriptor) }
        open[descriptor] = Entry(watched: watched, ended: ended)
        watched.await(reading: true)
    }

    /// Ends all of them.
    func endAll() { for descriptor in open.keys { end(descriptor) } }

    private func read(_ descriptor: Int32) {
        let count = recv(descriptor, room.baseAddress, room.count, Int32(MSG_DONTWAIT))
        if count > 0 || count < 0 && (errno == EAGAIN || errno == EINTR) { return }
        end(descriptor)
    }

    private func end(_ descriptor: Int32) {
        guard let entry = open.removeValue(forKey: descriptor) else { return }
        entry.watched.release()
        close(descriptor)
        entry.ended()
    }
}
