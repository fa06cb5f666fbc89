import GRDB
import HTTPTypes
import SparringEngine
import SparringJSON
import SparringJournal
import SparringSandbox

/// Whether new sandboxes are let in.
extension AdminAPI {
    /// Seconds after which a client may ask again; a balancer asks another node at once.
    private static let retryAfter: HTTPFields = [.retryAfter: "5"]
    /// Sandboxes that are named where there is no room.
    private static let named = 10

    var isAccepting: Bool { drain.underWay == nil }

    /// Sandboxes that come to an end: those that the server has made itself stay.
    private var passing: Int { world.sandboxes.count { !isOwn($0.id) } }

    /// - Throws: ``AdminProblem`` where the server takes no new sandbox now.
    func requireRoom() async throws {
        if let drain = drain.underWay {
            throw AdminProblem(
                "draining", "this server has taken no new sandboxes since \(drain.since), as it is about to stop: make it at another one",
                members: drain.json.object ?? [:], headers: Self.retryAfter)
        }
        let limits = options.engine.limits
        if let limit = limits.sandboxes, world.count >= limit {
            let oldest = world.sandboxes.prefix(Self.named)
            throw full("there are \(world.count) sandboxes, and this server takes \(limit) (--max-sandboxes)", oldest.map(Self.ending))
        }
        if let limit = limits.bytes {
            let held = try await store.read { try Self.bytes($0) }
            guard held >= limit else { return }
            let largest = world.sandboxes.map { ($0, $0.journal.knownBytes ?? 0) }.sorted { $0.1 > $1.1 }.prefix(Self.named)
            throw full(
                "the database holds \(held >> 20) MiB, and this server takes \(limit >> 20) (--max-size)",
                largest.map { sandbox, bytes in "\(sandbox.id): \(bytes >> 10) KiB in its journal" })
        }
    }

    private func full(_ words: String, _ holders: [String]) -> AdminProblem {
        AdminProblem(
            "server-full", "\(words): delete some, or give them a time to live",
            members: ["holders": .array(holders.map { .string($0) })], headers: Self.retryAfter)
    }

    private static func ending(_ sandbox: Sandbox) -> String {
        let made = Timestamp(milliseconds: sandbox.made / 1_000_000)
        return "\(sandbox.id): made at \(made), " + (sandbox.ends.map { "ends at \($0)" } ?? "does not end by itself")
    }

    /// Bytes of the pages that are in use (sqlite.org, PRAGMA page_count).
    private static func bytes(_ db: Database) throws -> Int {
        let pages = try Int.fetchOne(db, sql: "PRAGMA page_count") ?? 0
        let free = try Int.fetchOne(db, sql: "PRAGMA freelist_count") ?? 0
        return (pages - free) * (try Int.fetchOne(db, sql: "PRAGMA page_size") ?? 0)
    }

    // MARK: Draining

    func beginDrain(_ call: AdminCall) throws -> Answer {
        let text = call.body["deadline"]?.string
        if let text, Duration(text: text) == nil {
            throw AdminProblem(ConfigurationError(["deadline"], Duration.refusal(of: text)))
        }
        return Answer("draining-begun", json(of: beginDrain(for: text.flatMap { Duration(text: $0) })))
    }

    func cancelDrain() -> Answer {
        drain.cancel()
        return Answer("draining-cancelled")
    }

    /// - Parameter time: nil: an hour.
    func beginDrain(for time: Duration?) -> Drain.UnderWay {
        world.afterEnd { [weak self] in self?.endDrainIfEmpty() }
        return drain.begin(for: time ?? Drain.standardTime) { [weak self] in self?.passing == 0 }
    }

    private func endDrainIfEmpty() { if passing == 0 { drain.end() } }

    private func json(of drain: Drain.UnderWay) -> JSON {
        var members = drain.json.object ?? [:]
        members["sandboxes"] = .integer(Int64(passing))
        return .object(members)
    }
}
