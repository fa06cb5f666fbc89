/// Which pings are answered: all of a client that takes its pongs; of those that wait while the kernel takes no more, the first ones and the latest, as
/// RFC 6455 §5.5.3 allows. So the memory for them is bounded, however many a client sends.
struct WebSocketPongs {
    /// Pings that wait to be answered, and what they carry.
    private var waiting: [[UInt8]] = []
    private var isUnderWay = false

    static let waitingLimit = 128

    /// The client sends pings faster than it takes the pongs.
    var areBehind: Bool { isUnderWay && !waiting.isEmpty }

    /// More pings came at once than are kept: no client that means well does that.
    private(set) var areFlooded = false

    /// - Returns: true where the pongs are to be sent at the end of this turn; otherwise that is arranged already.
    mutating func add(_ ping: [UInt8]) -> Bool {
        areFlooded = waiting.count == Self.waitingLimit
        if areFlooded { waiting[waiting.count - 1] = ping } else { waiting.append(ping) }
        return !isUnderWay && waiting.count == 1
    }

    /// - Returns: the payloads of the pongs to send now, after which ``taken()`` is due; none where those before are still under way.
    mutating func next() -> [[UInt8]] {
        guard !isUnderWay, !waiting.isEmpty else { return [] }
        isUnderWay = true
        defer { waiting = [] }
        return waiting
    }

    /// The kernel has taken the pongs.
    mutating func taken() { isUnderWay = false }
}
