import NIOCore

/// Which pings are answered: each as long as the kernel takes the pongs, and while it does not, only the latest (RFC 6455 §5.5.3). So one pong at most
/// waits for the kernel and one ping for that, however many a client sends that does not read.
struct WebSocketPongs {
    private var isUnderWay = false
    /// The payload of the latest ping that is not answered.
    private var latest: ByteBuffer?

    /// - Returns: the payload of a pong to be sent now.
    mutating func answer(_ ping: ByteBuffer) -> ByteBuffer? {
        guard isUnderWay else {
            isUnderWay = true
            return ping
        }
        // A copy: a piece of what was read would hold on to all of it.
        latest = ByteBuffer(bytes: ping.readableBytesView)
        return nil
    }

    /// The kernel has taken the pong.
    ///
    /// - Returns: the payload of the next one.
    mutating func sent() -> ByteBuffer? {
        isUnderWay = latest != nil
        return latest.take()
    }
}
