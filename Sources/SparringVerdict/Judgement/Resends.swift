import SparringJSON
import SparringJournal

/// Recognises requests that a client's HTTP library sent again by itself. A server may close a connection at any time, so that libraries (OkHttp,
/// URLSession, Chromium, the JDK) open another and repeat what the old one lost, once (RFC 9112 §9.3.1). The app hears of one call only.
struct Resends {
    /// One call that is in the journal twice.
    struct Pair: Sendable {
        let lost: Int, again: Int
        let place: EventPlace
        let method: String
        let target: String

        /// In a report.
        var words: String {
            let what = "entries \(lost) and \(again), \(method) \(target.abbreviated(to: 100))"
            return isIdempotent
                ? "\(what): the connection was lost without a byte of a response, and the library opened another (RFC 9112 §9.3.1)"
                : "\(what): the connection was lost without a byte of a response. Advice: \(method) is not idempotent, and the server may have carried "
                    + "out the first; a library should not repeat it by itself (RFC 9110 §9.2.2)"
        }

        /// Whether a library may repeat the call regardless; others only if it knows that the first was not carried out (RFC 9110 §9.2.2).
        var isIdempotent: Bool { ["GET", "HEAD", "PUT", "DELETE", "OPTIONS", "TRACE"].contains(method) }
    }

    /// A sighting, and whether the next request took its place.
    typealias Released = (sighting: Sighting, isOfEnd: Bool, isReplaced: Bool)

    /// The time in which a library opens the next connection, in nanoseconds; less if a run's seconds are short. The time of a handshake is measured and
    /// added.
    private let window: Int64
    /// Extra time for a machine that keeps processes waiting, in nanoseconds.
    private let lateness: Int64
    /// How many milliseconds the sandbox's clock may have been set forward meanwhile; nil if another clock counts.
    private let forward: Double?
    /// The rate of that clock.
    private let rate: Double
    /// How long the next request may take to arrive on that connection.
    private static let patience: Int64 = 2_000_000_000

    /// The faults after which a client reads the end of its connection.
    private static let closing: Set = ["EMPTY_RESPONSE", "CONNECTION_RESET_BY_PEER"]

    private var held: [HangUps.Released] = []
    /// Those events of ``held`` that may have been sent again.
    private var lost: [Event] = []
    /// Those of ``held`` that the next request took the place of.
    private var replaced: Set<Int> = []
    /// The first ones, and one of each place at least.
    private(set) var pairs: [Pair] = []

    /// An app whose first retry is due after a second may open its connection half a second after the failure, or a little sooner with jitter. The sum of
    /// both times is shorter.
    init(_ timing: Timing) {
        let second = timing.machineSecond * 1_000_000_000
        window = Int64(min(50_000_000, second / 3))
        lateness = Int64(min(30_000_000, second / 16))
        forward = timing.basis == .sandbox ? timing.scale * 250 : nil
        rate = max(1, timing.rate)
    }

    /// - Returns: what comes next, in order; nothing while it is held back.
    mutating func take(_ next: HangUps.Released) -> [Released] {
        let event = next.sighting.event
        if lost.isEmpty, event.map(Self.isLost) != true { return [(next.sighting, next.isOfEnd, false)] }
        if let event, let index = lost.firstIndex(where: { isSame($0, event) }) {
            let first = lost.remove(at: index)
            let request = event.record.object("request")
            replaced.insert(first.number)
            if pairs.count < Judgement.limit || !pairs.contains(where: { $0.place == next.sighting.place }) {
                pairs.append(
                    Pair(
                        lost: first.number, again: event.number, place: next.sighting.place, method: request?.string("method") ?? "",
                        target: request?.string("target") ?? ""))
            }
        }
        held.append(next)
        if let event {
            if Self.isLost(event) { lost.append(event) }
            lost.removeAll { $0.end.process != event.begin.process || event.begin.monotonic - $0.end.monotonic > Self.patience }
        }
        return release()
    }

    /// There is nothing more to come.
    mutating func finish() -> [Released] {
        lost = []
        return release()
    }

    /// Why a rule that is about such a call was not exercised: the app never heard of the failure.
    func hidden(from form: any RuleForm) -> String? {
        pairs.first { form.concerns($0.place) }.map {
            "the client's HTTP library sent entry \($0.lost) again by itself, so that the app never met the failure"
        }
    }

    private mutating func release() -> [Released] {
        let waiting = lost.first?.number
        let count = waiting.map { number in held.firstIndex { $0.sighting.event?.number == number } ?? held.count } ?? held.count
        defer { held.removeFirst(count) }
        return held.prefix(count).map { released in
            let isReplaced = released.sighting.event.map { replaced.remove($0.number) != nil } ?? false
            return (released.sighting, released.isOfEnd, isReplaced)
        }
    }

    /// A request on a connection that had served others, and not a byte of an answer.
    private static func isLost(_ event: Event) -> Bool {
        guard event.kind == .call, event.outcome?.failureClass == FailureClass.noAnswer, event.begin.opening == 0,
            event.record.object("answer")?.string("received") == JournalEntry.Answer.Received.nothing.rawValue,
            event.record.object("request")?.integer("connection") != nil
        else { return false }
        return event.effects.contains { closing.contains($0) }
    }

    /// Whether an event is a lost one once more: the same bytes, at once, as the first of another connection.
    private func isSame(_ lost: Event, _ event: Event) -> Bool {
        guard event.kind == .call, event.name == lost.name, event.begin.opening > 0, event.begin.process == lost.end.process,
            let first = lost.record.object("request"), let again = event.record.object("request"),
            first.integer("connection") != again.integer("connection")
        else { return false }
        // TLS takes as long as it takes. Without it a library sends as soon as the connection is open; an app that waits may have opened one before.
        let (handshake, idle) = again.string("tls") == nil ? (0, event.begin.opening) : (event.begin.opening, 0)
        let waited = event.begin.monotonic - handshake - lost.end.monotonic
        let kept = max(0, event.begin.delayed - lost.end.delayed)
        guard waited <= window + min(kept + idle, lateness) else { return false }
        if let forward {
            let ran = Double(event.begin.monotonic - lost.end.monotonic) / 1_000_000 * rate
            guard Double(event.begin.sandbox.subtractingClamped(lost.end.sandbox)) - ran <= forward else { return false }
        }
        return ["method", "target", "body", "bodyHex", "bodySHA256"].allSatisfy { first.json($0) == again.json($0) }
            && first.json("headers") == again.json("headers")
    }
}
