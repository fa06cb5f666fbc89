import HTTPTypes
import SparringEngine
import SparringJSON
import SparringSandbox

/// The journal as it grows, for a reader that stays.
extension AdminAPI {
    /// The shortest time between two events that are not full: a page is not drawn more often.
    private static let pace = Duration.milliseconds(50)

    /// Goes on until the reader leaves, the sandbox is deleted or reset, or the server stops.
    func streamJournal(_ call: AdminCall, _ sandbox: Sandbox) async throws -> Answer {
        let since = call.lastEventID?.addingClamped(1) ?? call.number(query: "since") ?? 1
        let (floor, newest) = try await store.read { (try sandbox.journal.losses($0).floor, try sandbox.journal.newest($0)) }
        let opening: JSON = .members([
            "sandbox": .string(sandbox.id), "seed": .integer(sandbox.seed), "made": .string(String(sandbox.made)),
            "node": world.node.map { .string($0.name) }, "process": .integer(Int64(sandbox.process)), "since": .integer(Int64(since)),
            "floor": .integer(Int64(floor)),
            "next": .integer(Int64(max(newest ?? 0, floor) + 1)),
        ])
        return try stream("journal-stream", of: sandbox) { [self] events in
            events.send("open", opening)
            var feed = JournalFeed(since: since, floor: floor)
            while !Task.isCancelled {
                while feed.mustWait(events.waiting) { try await Task.sleep(for: Self.pace) }
                let end = try await sandbox.journal.waits.wait(for: .seconds(15)) { [feed] in
                    try await self.store.read { db -> (JournalFeed, [JournalFeed.Event])? in
                        var feed = feed
                        let found = try feed.events(
                            sandbox, heads: { try Self.entries($0, in: sandbox, db).map { JournalHead.json(of: $0, tags: self.tags) } }, db)
                        return found.isEmpty ? nil : (feed, found)
                    }
                }
                switch end {
                case .found(let (later, found)):
                    feed = later
                    for event in found { events.send(event) }
                    if !found.contains(where: \.isFull) { try await Task.sleep(for: Self.pace) }
                case .timedOut: events.keepAlive()
                case .released:
                    // The server stops, or the sandbox is not the one any more.
                    if world.sandbox(sandbox.id) !== sandbox {
                        let words = world.ended(sandbox.id)?.words ?? "sandbox \(sandbox.id.quoted) was deleted"
                        events.send("gone", ["words": .string(words)])
                    }
                    return
                case .abandoned, .refused: return
                }
            }
        }
    }

    /// An answer that `produce` goes on writing.
    func stream(
        _ name: String, of sandbox: Sandbox, _ produce: @escaping @Sendable (EventStream) async throws -> Void
    ) throws(AdminProblem) -> Answer {
        guard let stream = streams.open(of: sandbox.id, produce) else {
            throw AdminProblem(
                "too-many-waits",
                "\(EventStreams.limit) readers already follow sandbox '\(sandbox.id)', which is the limit: end some of them first")
        }
        return Answer(name, body: .stream(stream), headers: [.cacheControl: "no-store"])
    }
}

extension JournalFeed.Event {
    /// There may be more at once.
    fileprivate var isFull: Bool {
        if case .entries(let heads, _) = self { return heads.count >= JournalFeed.Limits().batch }
        return true
    }
}

extension EventStream {
    fileprivate func send(_ event: JournalFeed.Event) {
        switch event {
        case .entries(let heads, let last): send("entries", id: last, .array(heads))
        case .pruned(let floor): send("pruned", ["floor": .integer(Int64(floor))])
        case .lag(let from, let to): send("lag", id: to, ["from": .integer(Int64(from)), "to": .integer(Int64(to))])
        }
    }
}
