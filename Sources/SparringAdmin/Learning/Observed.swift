package import SparringJSON
package import SparringJournal

/// How often something was seen, and when (`x-observed`).
package struct Observed: Sendable {
    package private(set) var times: Int
    /// How often it could have been seen; at least as often as it was.
    package var of: Int
    package private(set) var first: Timestamp
    package private(set) var last: Timestamp

    init(at time: Timestamp) { (times, of, first, last) = (1, 1, time, time) }

    /// Seen once more.
    mutating func note(at time: Timestamp) {
        times += 1
        of = max(of, times)
        (first, last) = (min(first, time), max(last, time))
    }

    /// The same was seen in another recording.
    mutating func add(_ other: Observed) {
        times += other.times
        of += other.of
        (first, last) = (min(first, other.first), max(last, other.last))
    }

    package var json: JSON {
        [
            "times": .integer(Int64(times)), "of": .integer(Int64(of)), "first": .string(first.description),
            "last": .string(last.description),
        ]
    }

    /// - Parameter json: ``json``.
    init?(_ json: JSON?) {
        guard let json, let times = json["times"]?.integer(in: 1...Int.max), let of = json["of"]?.integer(in: times...Int.max),
            let first = json["first"]?.string.flatMap({ Timestamp($0) }), let last = json["last"]?.string.flatMap({ Timestamp($0) })
        else { return nil }
        (self.times, self.of, self.first, self.last) = (times, of, first, last)
    }
}

extension Observed? {
    /// Seen once more, or for the first time.
    mutating func note(at time: Timestamp) {
        if self == nil { self = Observed(at: time) } else { self?.note(at: time) }
    }
}
