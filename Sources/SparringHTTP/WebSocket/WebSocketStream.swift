internal import CMicrohttpd
import Glibc
import SparringLoop

/// The bytes of an upgraded connection, both ways. All of it belongs to the loop's thread.
final class WebSocketStream {
    /// A written frame of which the session is to hear when the kernel has taken it.
    enum Mark {
        /// A message of so many bytes.
        case message(Int)
        /// The last of several pongs.
        case pongs
        /// The last frame.
        case last
    }

    /// Little is read in a turn, so that a client that sends thousands of tiny frames does not hold up the others.
    static let readLimit = 16 << 10

    private let loop: Loop
    private let room: UnsafeMutableRawBufferPointer
    private let session: WebSocketSession
    /// Nil once it has been closed.
    private var descriptor: LoopDescriptor?
    private var outgoing: [UInt8] = []
    /// So many of those bytes the kernel has taken.
    private var taken = 0
    /// Those frames of ``outgoing``, with the places where they end.
    private var marks: ArraySlice<(end: Int, mark: Mark)> = []
    private var isFlushDue = false
    private var isFull = false
    /// The peer has closed its side: then everything is read, up to the end.
    private var hasLeft = false
    /// Why nothing can be sent any more.
    private var failure: Int32?

    var isReading = false {
        didSet { update() }
    }

    /// - Parameter room: what is read goes through here; ``readLimit`` bytes, which may belong to several.
    init(_ descriptor: Int32, on loop: Loop, through room: UnsafeMutableRawBufferPointer, for session: WebSocketSession) {
        (self.loop, self.room, self.session) = (loop, room, session)
        self.descriptor = loop.open(descriptor) { [self] in happened($0) }
    }

    private func update() {
        descriptor?.await(reading: isReading, writing: isFull, leaving: !hasLeft)
    }

    private func happened(_ readiness: LoopDescriptor.Readiness) {
        if readiness.hasLeft, !hasLeft {
            hasLeft = true
            session.peerHasLeft()
        }
        if readiness.isWritable { flush() }
        if readiness.isReadable, isReading { read() }
        update()
    }

    private func read() {
        guard let descriptor = descriptor?.descriptor else { return }
        let count = recv(descriptor, room.baseAddress, room.count, Int32(MSG_DONTWAIT))
        if count > 0 { return session.received(UnsafeRawBufferPointer(rebasing: room[..<count])) }
        if count == 0 { return session.ended(failure) }
        if errno != EAGAIN, errno != EINTR { session.ended(errno) }
    }

    // MARK: Writing

    /// Sends a frame at the end of this turn, with everything else that is sent until then.
    func write(_ opcode: WebSocketOpcode, _ payload: [UInt8], _ mark: Mark? = nil) {
        guard descriptor != nil else { return }
        opcode.appendFrame(of: payload, to: &outgoing)
        written(mark)
    }

    /// The same for a text in fragments (RFC 6455 §5.4), with a ping after the first of them; without a length after a ping, in one frame.
    func write(_ text: [UInt8], fragments length: Int?, pings: Bool, _ mark: Mark) {
        guard descriptor != nil else { return }
        let ping = Array("sparring".utf8)
        if length == nil { WebSocketOpcode.ping.appendFrame(of: ping, to: &outgoing) }
        var rest = text[...]
        var opcode = WebSocketOpcode.text
        repeat {
            let fragment = rest.prefix(max(1, length ?? rest.count))
            rest = rest.dropFirst(fragment.count)
            opcode.appendFrame(of: Array(fragment), to: &outgoing, isLast: rest.isEmpty)
            if pings, opcode == .text, !rest.isEmpty { WebSocketOpcode.ping.appendFrame(of: ping, to: &outgoing) }
            opcode = .continuation
        } while !rest.isEmpty
        written(mark)
    }

    private func written(_ mark: Mark?) {
        if let mark { marks.append((outgoing.count, mark)) }
        guard !isFlushDue else { return }
        isFlushDue = true
        loop.afterTurn { [self] in
            isFlushDue = false
            flush()
        }
    }

    /// Sends what the kernel takes.
    func flush() {
        while taken < outgoing.count, failure == nil, let descriptor = descriptor?.descriptor {
            let count = outgoing.withUnsafeBytes {
                send(descriptor, $0.baseAddress! + taken, $0.count - taken, Int32(MSG_NOSIGNAL | MSG_DONTWAIT))
            }
            if count < 0 {
                if errno == EINTR { continue }
                if errno != EAGAIN { failure = errno }
                break
            }
            taken += count
        }
        if failure != nil { (outgoing, taken, marks) = ([], 0, []) }
        isFull = taken < outgoing.count
        update()
        tell()
        if failure != nil { session.peerHasLeft() }
    }

    /// Tells of the frames that the kernel has taken, and lets go of their bytes.
    private func tell() {
        while let next = marks.first, next.end <= taken {
            marks.removeFirst()
            session.taken(next.mark)
        }
        if taken == outgoing.count {
            // A large one is not kept for long.
            outgoing.removeAll(keepingCapacity: outgoing.count <= Self.readLimit)
            taken = 0
        } else if taken > outgoing.count / 2 {
            let gone = taken
            outgoing.removeFirst(gone)
            taken = 0
            marks = ArraySlice(marks.map { ($0.end - gone, $0.mark) })
        }
    }

    // MARK: The end

    /// Nothing more is sent.
    func shutdownSending() { if let descriptor { _ = shutdown(descriptor.descriptor, Int32(SHUT_WR)) } }

    /// Nothing more is read or sent, and the session hears of nothing. The descriptor is libmicrohttpd's to close.
    func close() {
        descriptor.take()?.release()
        (outgoing, taken, marks) = ([], 0, [])
    }
}
