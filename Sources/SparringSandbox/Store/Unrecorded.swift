package import SparringJSON
package import SparringJournal

/// Calls and events of a sandbox that could not be written, since the store failed. The sandbox's journal is not the whole story then, and a client cannot be
/// judged by it.
package struct Unrecorded: Sendable, Equatable {
    package private(set) var count: Int
    /// When the first and the last of them came, by the machine's clock.
    package private(set) var first: Timestamp
    package private(set) var last: Timestamp
    /// Why the last could not be written.
    package private(set) var reason: String

    package init(_ reason: String, at time: Timestamp, count: Int = 1) {
        (self.count, first, last) = (count, time, time)
        self.reason = reason
    }

    func adding(_ later: Unrecorded) -> Unrecorded {
        var sum = later
        sum.count = count.addingClamped(later.count)
        sum.first = min(first, later.first)
        sum.last = max(last, later.last)
        return sum
    }

    /// The rest, once `earlier` of them are in the journal.
    func without(_ earlier: Unrecorded) -> Unrecorded? {
        guard count > earlier.count else { return nil }
        var rest = self
        rest.count -= earlier.count
        rest.first = max(first, earlier.last)
        return rest
    }

    package var words: String {
        let what = count == 1 ? "a call or event at \(first)" : "\(count) calls or events from \(first) to \(last)"
        return "\(what) could not be recorded: \(reason)"
    }

    package var json: JSON {
        [
            "count": .integer(Int64(count)), "first": .string(first.description), "last": .string(last.description),
            "reason": .string(reason),
        ]
    }

    /// - Parameter json: ``json``; nil where it is something else.
    package init?(_ json: JSON?) {
        guard let json, let count = json["count"]?.integer(in: 1...Int.max), let first = json["first"]?.string.flatMap({ Timestamp($0) }),
            let last = json["last"]?.string.flatMap({ Timestamp($0) }), let reason = json["reason"]?.string
        else { return nil }
        (self.count, self.first, self.last, self.reason) = (count, first, last, reason)
    }
}
