/// The pongs that a client is due. A client that takes them gets all of them. While the kernel takes no more, the first pings and the
/// latest are kept, as RFC 6455 §5.5.3 allows, so that memory stays bounded however many come.
struct WebSocketPongs {
    /// The payloads of pings that wait to be answered.
    private var waiting: [[UInt8]] = []
    private var isUnderWay = false

    static let waitingLimit = 128

    /// The client sends pings faster than it takes the pongs.
    var areBehind: Bool { isUnderWay && !waiting.isEmpty }

    /// More pings came at once than are kept. No well-meant client does that.
    private(set) var areFlooded = false

    /// - Returns: true if the pongs have to be sent at the end of this turn; otherwise that is arranged already.
    mutating func add(_ ping: [UInt8]) -> Bool {
        areFlooded = waiting.count == Self.waitingLimit
        if areFlooded { waiting[waiting.count - 1] = ping } else { waiting.append(ping) }
        return !isUnderWay && waiting.count == 1
    }

    /// - Returns: the payloads of the pongs to send now, after which ``taken()`` is due; none while earlier ones are still under way.
    mutating func next() -> [[UInt8]] {
        guard !isUnderWay, !waiting.isEmpty else { return [] }
        isUnderWay = true
        defer { waiting = [] }
        return waiting
    }

    /// The kernel has taken the pongs.
    mutating func taken() { isUnderWay = false }
}
