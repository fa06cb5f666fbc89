/// Deals out a body in time.
struct Pacer {
    enum Step: Equatable {
        case send(Int)
        case wait(Duration)
    }

    private let pace: Transmission.Pace
    /// From when on and from where on bandwidth is counted.
    private var base: (time: ContinuousClock.Instant, place: Int)?
    /// The place before which the last gap was.
    private var gapped = 0

    init(_ pace: Transmission.Pace) { self.pace = pace }

    /// - Parameter wanted: bytes that could be sent from there, at least one.
    mutating func step(at place: Int, wanted: Int, now: ContinuousClock.Instant = .now) -> Step {
        switch pace {
        case .slices(let size, let gap):
            let size = max(1, size)
            if place > 0, place % size == 0, gapped != place {
                gapped = place
                return .wait(gap)
            }
            return .send(min(wanted, size - place % size))
        case .bandwidth(let rate):
            let rate = max(1, rate)
            let base = base ?? (now, place)
            self.base = base
            let count = min(wanted, max(1, rate / 20))
            let due = base.time + .seconds(1) * (Double(place + count - base.place) / Double(rate))
            return due > now ? .wait(due - now) : .send(count)
        }
    }

    /// The time that has passed meanwhile is not made up for.
    mutating func restart() { base = nil }
}
