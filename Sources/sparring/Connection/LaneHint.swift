import SparringJSON
import SparringJournal

/// The lanes of a journal, for somebody who has asked for one that it has not.
struct LaneHint {
    /// The people who have called in each lane; the lane itself where nobody is known.
    private var callers: [String: Set<String>] = [:]

    /// Lanes that a hint names at most.
    private static let mostLanes = 5
    /// Entries that are looked through for lanes: the newest.
    static let mostEntries = 10_000

    /// - Parameters:
    ///   - entries: with the people behind the lanes.
    ///   - areCalls: only the lanes of calls that the client made count: those that faults know.
    init(_ entries: [JSON], areCalls: Bool = false) {
        for entry in entries where !areCalls || Self.isCall(entry) {
            guard let lane = entry["lane"]?.string else { continue }
            callers[lane, default: []].insert(entry["actor"]?.string ?? lane)
        }
    }

    private static func isCall(_ entry: JSON) -> Bool {
        let kinds = [JournalEntry.Kind.exchange, .message].map(\.rawValue)
        return entry["causedBy"] == nil && kinds.contains(entry["kind"]?.string ?? "")
    }

    /// The reason why `journal --lane` finds nothing; nil where the lane has entries, or there are no lanes.
    func words(forEntriesOf lane: String) -> String? {
        let people = Set(callers.values.joined())
        if people.isEmpty || people.contains(lane) { return nil }
        guard let known = callers[lane] else { return "nothing is in lane \(lane.quoted); \(Self.choice(of: people, near: lane))" }
        return "\(lane.quoted) is known as \(known.sorted().joined(separator: ", ")): --lane \(known.sorted()[0])"
    }

    /// The reason why a plan for a lane may show what will never happen; nil where the lane has calls or is a person's name, or there are no calls.
    func words(forCallsOf lane: String) -> String? {
        if callers.isEmpty || callers[lane] != nil || callers.values.contains(where: { $0.contains(lane) }) { return nil }
        return "no call was in lane \(lane.quoted) so far; \(Self.choice(of: Set(callers.keys), near: lane))"
    }

    /// `there are ann, bob and 3 more`, the nearest first.
    private static func choice(of lanes: Set<String>, near lane: String) -> String {
        let sorted = lanes.sorted()
        let nearest = Nearest.words(to: lane, in: sorted)
        let all = nearest + sorted.filter { !nearest.contains($0) }
        // A device's lane may be its token.
        let shown = Redaction.withoutTokens(all.prefix(mostLanes).map { $0.abbreviated(to: 60) }.joined(separator: ", "))
        let rest = all.count > mostLanes ? " and \(all.count - mostLanes) more" : ""
        return (all.count == 1 ? "there is " : "there are ") + shown + rest
    }
}
