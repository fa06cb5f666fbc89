import BirdSupport
import GRDB
import HTTPTypes
@testable import SparringAdmin
import SparringEngine
import SparringJSON
@testable import SparringSandbox
import Support
import Testing

/// The events that a slow reader of a journal's stream gets, without a connection.
@Suite struct JournalFeedTests {
    private static let limits = JournalFeed.Limits(batch: 4, waiting: 100, behind: 10, resumed: 3)

    /// In words: `1-4`, `lag 5-17`, `pruned 3`.
    private static func words(_ event: JournalFeed.Event) -> String {
        switch event {
        case .entries(let heads, let last): "\(last - heads.count + 1)-\(last)"
        case .pruned(let floor): "pruned \(floor)"
        case .lag(let from, let to): "lag \(from)-\(to)"
        }
    }

    private func all(_ feed: inout JournalFeed, _ sandbox: Sandbox) async throws -> [String] {
        var words: [String] = []
        while true {
            let (later, events) = try await sandbox.store.read { [feed] db in
                var feed = feed
                let events = try feed.events(sandbox, heads: { try $0.map { try JSON(parsing: $0) } }, db)
                return (feed, events)
            }
            feed = later
            if events.isEmpty { return words }
            words += events.map(Self.words)
        }
    }

    private func with(entries: Int, _ body: (Sandbox) async throws -> Void) async throws {
        try await Aviary.run(.pipeline) { server in
            for _ in 0..<entries { try await server.admin(.post, "journal/marks", ["mark": "badge"]) }
            try await body(try #require(server.engine.world.sandbox("default")))
        }
    }

    @Test func `a reader that keeps up gets all, in pieces`() async throws {
        try await with(entries: 10) { sandbox in
            var feed = JournalFeed(since: 1, floor: 0, limits: Self.limits)
            let isHeld = feed.mustWait(100)
            #expect(!isHeld)
            let seen = try await all(&feed, sandbox)
            #expect(seen == ["1-4", "5-8", "9-10"])
            #expect(feed.next == 11)
        }
    }

    @Test(arguments: [
        // Behind by no more than the limit: nothing is passed over.
        (11, ["1-4", "5-8", "9-11"]),
        (12, ["lag 1-9", "10-12"]), (20, ["lag 1-17", "18-20"]),
    ])
    func `one that was held up is taken to the newest only if it is too far behind`(_ entries: Int, _ expected: [String]) async throws {
        try await with(entries: entries) { sandbox in
            var feed = JournalFeed(since: 1, floor: 0, limits: Self.limits)
            let isHeld = feed.mustWait(101)
            #expect(isHeld)
            let seen = try await all(&feed, sandbox)
            #expect(seen == expected)
        }
    }

    @Test func `one that is far behind at first gets all: it has only just come`() async throws {
        try await with(entries: 20) { sandbox in
            var feed = JournalFeed(since: 0, floor: 0, limits: Self.limits)
            let seen = try await all(&feed, sandbox)
            #expect(seen == ["1-4", "5-8", "9-12", "13-16", "17-20"])
        }
    }
}
