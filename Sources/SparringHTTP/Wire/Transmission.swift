/// The disturbance of an answer on its way out. Without a cut it arrives whole and the connection is kept, as that of any answer.
///
/// An answer without a body (to HEAD, 204, 304 or one of no bytes) is paused before its head and not paced, and every cut comes after its head.
package struct Transmission: Sendable {
    /// How an answer ends that is not left to end in order.
    package enum Cut: Sendable, Equatable {
        /// RST, once what was sent before it has been taken by the client's system.
        case reset
        /// FIN without the rest: of an answer with a length, a truncated one. Under TLS a closure alert comes before it.
        case close
        /// Nothing more comes; the connection stays up until the client leaves or the server stops.
        case stall
        /// The answer is sent chunked; the chunks before are sound, then come bytes that begin no chunk (RFC 9112 §7.1), then FIN. To an
        /// HTTP/1.0 client the same goes without chunks.
        case malformedChunk
    }

    package enum Point: Sendable, Equatable {
        /// So many bytes of the body were sent before, at most all; nil: half of them, rounded down.
        case body(after: Int?)
        /// Every byte of the answer was sent. Its head announces nothing of what follows.
        case end
    }

    /// On the wall clock, of the body alone.
    package enum Pace: Sendable, Equatable {
        /// So many bytes at once, with a gap between two slices.
        case slices(size: Int, gap: Duration)
        /// Never faster, seen from the beginning of the body.
        case bandwidth(bytesPerSecond: Int)
    }

    /// A wait within the body, however long: the connection holds no thread meanwhile.
    package struct Pause: Sendable {
        /// So many bytes of the body were sent before, at most all but one; nil: half of them, rounded down.
        package var after: Int?
        /// Called when that point is reached, on the loop, with the means to go on: to be called from any thread, now or
        /// later; only the first call counts. It goes on by itself when the server stops; when the client leaves, the exchange ends.
        package var begin: @Sendable (_ resume: @escaping @Sendable () -> Void) -> Void

        package init(after: Int? = nil, begin: @escaping @Sendable (_ resume: @escaping @Sendable () -> Void) -> Void) {
            self.after = after
            self.begin = begin
        }
    }

    package var cut: (how: Cut, at: Point)?
    package var pace: Pace?
    package var pauses: [Pause]

    package init(cut: (how: Cut, at: Point)? = nil, pace: Pace? = nil, pauses: [Pause] = []) {
        self.cut = cut
        self.pace = pace
        self.pauses = pauses
    }
}
