import SparringJSON

/// Keeps hang-ups back until it is known that the client's process did not end with them: the system closes the connections of a process that ends, which says
/// nothing of a time-out.
struct HangUps {
    /// `sparring run` sends this mark when its command has ended; others may send it too.
    static let processEnded = "process-ended"
    /// The system closes the connections before it reports the end of the process, and the server may notice them later: in nanoseconds.
    private static let before: Int64 = 3_000_000, after: Int64 = 1_000_000_000

    /// A sighting, and whether it is a hang-up that came with the end of the process.
    typealias Released = (sighting: Sighting, isOfEnd: Bool)

    private var held: [Sighting] = []
    private var end: Instant?

    /// - Returns: what comes next, in order; nothing while it is held back.
    mutating func take(_ sighting: Sighting) -> [Released] {
        guard let event = sighting.event else { return held.isEmpty ? [(sighting, false)] : hold(sighting) }
        if event.kind == .mark, event.operation == Self.processEnded {
            end = event.begin
            defer { held.removeAll() }
            return held.map { ($0, Self.isHangUp($0.event) && Self.isNear($0, event.begin)) } + [(sighting, false)]
        }
        if Self.isHangUp(event) {
            if let end, Self.isNear(sighting, end) { return [(sighting, true)] }
            return hold(sighting)
        }
        return held.isEmpty ? [(sighting, false)] : hold(sighting)
    }

    /// There is nothing more to come.
    mutating func finish() -> [Released] {
        defer { held.removeAll() }
        return held.map { ($0, false) }
    }

    private mutating func hold(_ sighting: Sighting) -> [Released] {
        held.append(sighting)
        let count = held.prefix { !Self.isHangUp($0.event) || !Self.isNear($0, sighting.event?.begin) }.count
        defer { held.removeFirst(count) }
        return held.prefix(count).map { ($0, false) }
    }

    /// Whether the process may have ended with it, by the instant of the mark; without a time it may have.
    private static func isNear(_ sighting: Sighting, _ instant: Instant?) -> Bool {
        guard let instant, let end = sighting.event?.end else { return true }
        let waited = instant.monotonic.subtractingClamped(end.monotonic)
        return end.process == instant.process && -after <= waited && waited <= before
    }

    private static func isHangUp(_ event: Event?) -> Bool {
        event.map { $0.kind == .gaveUp || $0.kind == .connection && $0.operation == "left" } ?? false
    }
}

extension Event {
    /// A mark of the client's own: `sparring run` sets ``HangUps/processEnded`` itself.
    var isClientMark: Bool { kind == .mark && operation != HangUps.processEnded }

    /// Something that a vendor does by itself.
    var isVendors: Bool { kind == .vendorCall || kind == .notification || kind == .other }

    /// A server of the client's has answered it: it has not ended with the client's process.
    var isAnsweredElsewhere: Bool {
        guard kind == .vendorCall, let outcome, outcome.failureClass != FailureClass.noAnswer else { return false }
        return record.object("request")?.string("target")?.hasPrefix("http") == true
    }
}
