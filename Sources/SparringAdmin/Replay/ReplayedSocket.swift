import SparringContract
import SparringHTTP
import SparringJSON
import SparringJournal

/// A socket of the replay, and what was recorded of it that has not come yet.
struct ReplayedSocket {
    /// A message that came to the client; of a frame with several, one of them.
    private struct Message {
        /// A recorded one's place among the socket's messages; a replayed one's position among those that came.
        let number: Int
        let moment: ReplayMoment
        let bytes: [UInt8]

        var json: JSON? { try? JSON(parsing: bytes) }
        var value: JSON { json ?? .string(String(decoding: bytes, as: UTF8.self)) }
    }

    let placed: RecordingReader.PlacedCall
    let wire: ReplayWire
    /// ``Socket/number``
    let number: Int
    private let channel: ContractChannel?
    private var recorded: [Message]
    private var replayed: [Message] = []
    /// When each frame was recorded.
    private let frames: [ReplayMoment]
    private var taken = 0
    /// The replayed message with the highest number that was found.
    private var latest = -1
    /// Frames that did not come in time.
    private var overdue = 0

    init(_ placed: RecordingReader.PlacedCall, _ wire: ReplayWire, number: Int, _ channel: ContractChannel?) {
        (self.placed, self.wire, self.number, self.channel) = (placed, wire, number, channel)
        let received = (placed.call.messages ?? []).enumerated().filter { !$0.element.isSent }
        frames = received.map { ReplayMoment($0.element, $0.offset, of: placed.call) }
        recorded = received.flatMap { index, message in
            Self.pieces(message.bytes, channel).map {
                Message(number: index, moment: ReplayMoment(message, index, of: placed.call), bytes: $0)
            }
        }
    }

    private static func pieces(_ bytes: [UInt8], _ channel: ContractChannel?) -> [[UInt8]] {
        let pieces = channel?.messages(in: bytes) ?? []
        return pieces.count > 1 ? pieces : [bytes]
    }

    /// A frame that was recorded before a moment has not come.
    func isLate(before moment: ReplayMoment?) -> Bool {
        let due = moment.map { moment in frames.count { $0 < moment } } ?? frames.count
        return wire.count + overdue < due
    }

    /// Stops waiting for what has not come by now.
    mutating func giveUp(before moment: ReplayMoment?) {
        let due = moment.map { moment in frames.count { $0 < moment } } ?? frames.count
        overdue = max(overdue, due - wire.count)
    }

    // MARK: What came

    /// Finds what has come among what was recorded before a moment.
    ///
    /// - Parameters:
    ///   - moment: nil: the end of the recording.
    ///   - now: the sandbox's time.
    ///   - compare: holds a recorded one against a replayed one, which came so much earlier.
    ///   - differ: takes what differs of the message with that place in the archive.
    mutating func match(
        before moment: ReplayMoment?, at now: Timestamp, _ correspondence: inout Correspondence,
        _ compare: (JSON, JSON, Duration, Correspondence) -> Comparison, _ differ: (Int, Comparison?, [Difference]) -> Void
    ) {
        for frame in wire.taken() {
            for bytes in Self.pieces(frame, channel) {
                replayed.append(Message(number: taken, moment: ReplayMoment(time: now, order: [taken]), bytes: bytes))
                taken += 1
            }
        }
        var left: [Message] = []
        for message in recorded {
            let isDue = moment.map { message.moment < $0 } ?? true
            guard isDue, let found = find(message, correspondence, compare) else {
                left.append(message)
                continue
            }
            let other = replayed.remove(at: found.place)
            correspondence = found.comparison.correspondence
            var differences = found.comparison.differences
            if other.number < latest {
                differences.append(
                    Difference(
                        .order, Place("message"), is: "earlier", recorded: "later", "came before the message that was recorded before it"))
            }
            latest = max(latest, other.number)
            differ(message.number, found.comparison, differences)
        }
        recorded = left
    }

    /// The most like of those that came, the first of several; nil if none is like it.
    private func find(
        _ message: Message, _ correspondence: Correspondence, _ compare: (JSON, JSON, Duration, Correspondence) -> Comparison
    ) -> (place: Int, comparison: Comparison)? {
        let json = message.value
        var found: [(place: Int, comparison: Comparison, weight: Int)] = []
        for (place, other) in replayed.enumerated() {
            let comparison = compare(json, other.value, message.moment.time - other.moment.time, correspondence)
            let weight = comparison.differences.reduce(0) { $0 + $1.weight }
            if weight == 0 { return (place, comparison) }
            if weight <= json.mostDifference { found.append((place, comparison, weight)) }
        }
        // What is more like another one that was recorded is that one's.
        let best = found.enumerated().sorted { ($0.element.weight, $0.offset) < ($1.element.weight, $1.offset) }.first { candidate in
            let came = replayed[candidate.element.place]
            return !recorded.contains { other in
                other.number != message.number
                    && compare(other.value, came.value, other.moment.time - came.moment.time, correspondence).differences.reduce(0) {
                        $0 + $1.weight
                    }
                        < candidate.element.weight
            }
        }
        return best.map { ($0.element.place, $0.element.comparison) }
    }

    // MARK: The end

    /// Tells the messages that never came, and those that came and were not recorded.
    func rest(_ differ: (Int?, Difference) -> Void) {
        for message in recorded {
            let text = String(decoding: message.bytes, as: UTF8.self).abbreviated(to: 200)
            differ(message.number, Difference(.missing, Place("message"), is: nil, recorded: text, "did not come: recorded \(text)"))
        }
        for message in replayed {
            let text = String(decoding: message.bytes, as: UTF8.self).abbreviated(to: 200)
            let kind = message.json.flatMap { channel?.kind(of: $0, isText: false) }
            differ(nil, Difference(.surplus, Place("message" + (kind.map { " \($0.message.name)" } ?? "")), is: text, recorded: nil))
        }
        guard let end = placed.call.own?.end, !end.isByClient else {
            if let end = wire.end, end.by == .server, placed.call.own != nil {
                differ(
                    nil,
                    Difference(
                        .silence, Place("socket"), is: "closed with \(Self.words(end.code))", recorded: "open",
                        "was closed by Sparring with \(Self.words(end.code)), which was not recorded"))
            }
            return
        }
        let code = wire.end.flatMap { $0.by == .server ? $0.code.map(Int.init) : nil }
        if wire.end?.by != .server || code != end.code {
            let replayed = wire.end?.by == .server ? "closed with \(Self.words(wire.end?.code))" : "open"
            let recorded = "closed with \(Self.words(end.code.map { UInt16(truncatingIfNeeded: $0) }))"
            var difference = Difference(.silence, Place("socket"), is: replayed, recorded: recorded)
            if wire.end?.by == .server { difference.values = (code.map { .integer(Int64($0)) }, end.code.map { .integer(Int64($0)) }) }
            differ(nil, difference)
        }
    }

    private static func words(_ code: UInt16?) -> String { code.map(String.init) ?? "no close frame" }
}

/// When something happened in a recording.
struct ReplayMoment: Comparable {
    let time: Timestamp
    /// The order in Sparring's journal, or else in the archive.
    private let order: [Int]

    init(time: Timestamp, order: [Int]) { (self.time, self.order) = (time, order) }

    init(_ call: Archive.Call) {
        self.init(time: call.own?.time ?? call.started, order: [call.own?.entry ?? call.index])
    }

    init(_ message: Archive.Message, _ index: Int, of call: Archive.Call) {
        if let own = message.own {
            self.init(time: own.time, order: [own.entry, index])
        } else {
            self.init(time: max(message.time, call.started), order: [call.index, index])
        }
    }

    static func < (one: Self, other: Self) -> Bool {
        one.time == other.time ? one.order.lexicographicallyPrecedes(other.order) : one.time < other.time
    }
}
