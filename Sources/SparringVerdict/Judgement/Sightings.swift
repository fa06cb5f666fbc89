import Dispatch
import SparringJSON
import SparringJournal
import SparringLocks

/// An entry of the journal that was read.
struct Sighting: Sendable {
    let place: EventPlace
    let isMark: Bool
    /// Nil where it lacks what every entry has.
    let event: Event?

    /// Nil where it is no entry.
    ///
    /// - Parameter people: who was behind the names in its calls.
    init?(_ bytes: [UInt8], _ people: People, _ renamed: RenamedPlaces?) {
        let record = JSONScanner(bytes)
        guard let kind = record.string("kind") else { return nil }
        isMark = kind == "mark"
        place = EventPlace(
            operation: OperationName(record.string("operation") ?? ""), isNotification: kind == "notification",
            isConnection: kind == "connection",
            hasFindings: record.has("findings"))
        event = Event(record, place.operation, people, renamed)
    }
}

/// A piece of the journal that another thread reads while this one judges the piece before.
final class Sightings: Sendable {
    private let read = Mutex<[Sighting]>([])
    private let group = DispatchGroup()

    init(_ piece: [[UInt8]], _ people: People, _ renamed: RenamedPlaces?) {
        DispatchQueue.global().async(group: group) { [self] in
            let sightings = piece.compactMap { Sighting($0, people, renamed) }
            read.withLock { $0 = sightings }
        }
    }

    /// Waits for them.
    var all: [Sighting] {
        group.wait()
        return read.withLock { $0 }
    }
}
