import SparringJSON
import SparringJournal

/// One difference between the vendor and Sparring, in all recordings.
struct Sighting {
    struct Key: Hashable {
        let subject: Learner.Subject
        let kind: Difference.Kind
        /// ``Place/member``
        let member: String
    }

    /// The difference as it was first seen.
    let difference: Difference
    private(set) var observed: Observed
    /// The vendor's values, in words: one, if it is the same each time.
    private(set) var recorded: Set<String>
    /// It is of two answers that have different statuses.
    let isInner: Bool
    /// The entry in which it was seen last.
    private var entry: Int
    /// How often it was seen there, of how many items of a list.
    private var count: Int
    private var breadth: Int
    /// In some entry before, not all items of a list had it.
    private var wasPartial = false

    init(_ difference: Difference, isInner: Bool, at time: Timestamp, in entry: Int) {
        (self.difference, self.isInner, self.entry) = (difference, isInner, entry)
        (observed, recorded) = (Observed(at: time), [Self.value(difference)])
        (count, breadth) = (1, difference.place.breadth)
    }

    /// Not all items of a list had it.
    var isPartial: Bool { wasPartial || count < breadth }

    mutating func note(_ difference: Difference, at time: Timestamp, in entry: Int) {
        recorded.insert(Self.value(difference))
        // Several items of a list count once.
        guard entry != self.entry else { return count += 1 }
        wasPartial = isPartial
        (self.entry, count, breadth) = (entry, 1, difference.place.breadth)
        observed.note(at: time)
    }

    private static func value(_ difference: Difference) -> String { difference.values.recorded?.text ?? difference.recorded ?? "" }
}

/// An answer with a status that the contract does not have.
struct StrangeAnswer {
    let operation: String
    let status: Int
    let mediaType: String?
    let body: JSON?
    var observed: Observed
    /// The names of Sparring's answers to the same calls.
    var replayed: Set<String?>
}
