internal import CMicrohttpd
import SparringLocks

/// The body of a disturbed answer, as libmicrohttpd asks for it piece by piece on the loop.
final class DisturbedBody {
    private let exchange: Exchange
    private let bytes: [UInt8]
    private var pauses: [(place: Int, begin: @Sendable (@escaping @Sendable () -> Void) -> Void)]
    private var pacer: Pacer?
    /// The place from which Sparring writes past libmicrohttpd, and what it writes.
    private let cut: (place: Int, ending: Ending)?
    private var ending: Ending?

    /// Begins with a letter that is no hexadecimal digit (RFC 9112 §7.1).
    static let noChunk = Array("no chunk size\r\n".utf8)

    /// - Parameter bytes: at least one, but for a malformed chunk.
    init(_ bytes: [UInt8], _ transmission: Transmission, of exchange: Exchange) {
        self.exchange = exchange
        self.bytes = bytes
        pacer = transmission.pace.map(Pacer.init)
        // libmicrohttpd does not ask again after the last byte.
        pauses = transmission.pauses.map { (min(max(0, $0.after ?? bytes.count / 2), max(0, bytes.count - 1)), $0.begin) }
        pauses.sort { $0.place < $1.place }
        cut = transmission.cut.map { how, point in
            let words = Self.words(how, point, bytes.count)
            let end = point.place(in: bytes.count)
            if how == .malformedChunk { return (end, Ending(Self.noChunk, then: .close, words: words)) }
            let place = min(end, bytes.count - 1)
            return (place, Ending(bytes[place..<end], then: how.last, words: words))
        }
    }

    func read(at place: Int, into buffer: UnsafeMutableRawBufferPointer) -> Int {
        exchange.wasResumed()
        if ending != nil { return advance(buffer) }
        if exchange.state.withLock({ $0.hasClientLeft }) {
            exchange.state.withLock { $0.cut = "the client left after \(place) of \(bytes.count) bytes of the body" }
            return exchange.breakOff(buffer)
        }
        while let pause = pauses.first, pause.place <= place {
            pauses.removeFirst()
            pacer?.restart()
            guard let number = exchange.sleep() else { continue }
            pause.begin { [exchange] in exchange.wake(number) }
            return 0
        }
        if let cut, place >= cut.place {
            ending = cut.ending
            return advance(buffer)
        }
        let count = min(buffer.count, min(cut?.place ?? bytes.count, pauses.first?.place ?? bytes.count) - place)
        switch pacer?.step(at: place, wanted: count) {
        case .wait(let duration) where exchange.sleep(for: duration) != nil: return 0
        case .send(let paced): return copy(place, paced, into: buffer)
        case nil, .wait: return copy(place, count, into: buffer)
        }
    }

    private func copy(_ place: Int, _ count: Int, into buffer: UnsafeMutableRawBufferPointer) -> Int {
        buffer.copyBytes(from: bytes[place..<place + count])
        return count
    }

    private func advance(_ buffer: UnsafeMutableRawBufferPointer) -> Int { exchange.advance(&ending!) ? 0 : exchange.breakOff(buffer) }

    static func words(_ cut: Transmission.Cut, _ point: Transmission.Point, _ count: Int) -> String {
        let place =
            switch point {
            case .end: "the answer"
            case .body where count == 0: "the head"
            case .body: "\(point.place(in: count)) of \(count) bytes of the body"
            }
        return switch cut {
        case .reset: "reset after \(place)"
        case .close: "closed after \(place)"
        case .stall: "stalled after \(place)"
        case .malformedChunk: "closed with a malformed chunk after \(place)"
        }
    }
}

extension Transmission.Cut {
    var last: Ending.Last {
        switch self {
        case .reset: .reset
        case .close, .malformedChunk: .close
        case .stall: .stall
        }
    }
}

extension Transmission.Point {
    /// How many bytes of so long a body come before it.
    func place(in count: Int) -> Int {
        switch self {
        case .body(let after): min(max(0, after ?? count / 2), count)
        case .end: count
        }
    }
}
