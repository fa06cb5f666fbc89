internal import CMicrohttpd
import Glibc
import HTTPTypes
import SparringLocks
import SparringLoop

/// The answers to a client where libmicrohttpd cannot send one.
extension Exchange {
    /// Answers 500 instead of what libmicrohttpd does not take; the exchange is reported as broken.
    func refuse(_ reason: String, on connection: OpaquePointer) -> MHD_Result {
        let isFirst = state.withLock { state in
            defer { state.refused = state.refused ?? reason }
            return state.refused == nil
        }
        return isFirst ? queue(.problem(500, reason), on: connection) : .NO
    }

    /// Sends an answer past libmicrohttpd where it is about to close the connection without one, from one of its last callbacks for it.
    ///
    /// 0.9.75 writes an answer's head into what the request has left of the connection's memory, ``HTTPServer/Options/headLimit``. The request takes
    /// its head and 64 bytes for each of its fields, the length of Cookie once more and 64 bytes for each cookie, and what has been read of the
    /// requests behind it. Of 16,384 bytes it left 16,272 where it was a short one, 5,760 where its head had 8,000 bytes in 40 fields, 1,680 where it
    /// had 14,000 in 10.
    ///
    /// - Parameters:
    ///   - rejection: what libmicrohttpd would have answered itself; nil: the answer is ours.
    ///   - isForgotten: libmicrohttpd has already ended its TLS session.
    /// - Returns: what is reported of it; nil where nothing was sent.
    func sendInstead(_ rejection: String?, isForgotten: Bool) -> String? {
        if isForgotten, rejection == nil || listener.isTLS { return nil }
        let (fields, method) = state.withLock { ($0.answerFields, $0.head?.method) }
        let reason =
            rejection
            ?? "the answer's header fields, \(fields) bytes, do not fit into the \(listener.headLimit) bytes that the heads of request and answer share"
        let response = Response.problem(rejection.flatMap { Int($0.prefix(3)) } ?? 500, reason)
        sendLast(response, withBody: method != .head)
        return rejection ?? "answered 500 instead: " + reason
    }

    /// libmicrohttpd has read the whole head and has not shown it yet: it is about to, or to refuse it.
    var hasUnseenHead: Bool { state.withLock { $0.head == nil } && sparring_head_size(connection.pointer) > 0 }

    /// Answers past libmicrohttpd, which is about to refuse the request itself; what it writes then goes nowhere. From its log's line about that.
    ///
    /// - Parameter refusal: nil where it refuses it in a way of its own: then whatever else it finds amiss is a consequence of that.
    func refuse(_ refusal: HeadRefusal?) {
        let isFirst = state.withLock { state in
            defer { state.isHeadRefused = true }
            return !state.isHeadRefused
        }
        guard isFirst, let refusal else { return }
        sendLast(.problem(refusal.status, refusal.reason), withBody: true)
    }

    /// Sends the last answer of a connection past libmicrohttpd.
    private func sendLast(_ response: Response, withBody: Bool) {
        guard case .bytes(let body) = response.body else { return }
        let bytes = Self.written(response, length: body.count, isLast: true) + (withBody ? body : [])
        _ = bytes.withUnsafeBytes { sparring_send(connection.pointer, $0.baseAddress, $0.count) }
        _ = sparring_finish(connection.pointer)
        // What the client still sends must not take the answer from it.
        if !listener.shared.sleepers.areReleased { listener.shared.discards.value.linger(descriptor) }
    }
}
