import GRDB
import SparringContract
import SparringEngine
import SparringJSON
import SparringJournal
import SparringSandbox

/// Operations of the tag "Journal".
extension AdminAPI {
    func readJournal(_ call: AdminCall, _ sandbox: Sandbox) async throws -> Answer {
        let query = try query(call, sandbox)
        return Answer("journal", try await store.read { try Self.page(sandbox, query, $0) })
    }

    func clearJournal(_ sandbox: Sandbox) async throws -> Answer {
        try await sandbox.shed()
        try await store.write { try sandbox.journal.clear($0) }
        return Answer("journal-cleared")
    }

    /// The entry that the path names.
    func entry(_ call: AdminCall, _ sandbox: Sandbox) async throws -> JSON {
        let number = call.number(path: "number")
        let (found, floor) = try await store.read { db in
            let records = try sandbox.journal.read(Journal.Query(since: number, limit: 1), db)
            return (try Self.entries(records, in: sandbox, db).first, try sandbox.journal.losses(db).floor)
        }
        if let entry = found {
            if entry["number"]?.integer == Int64(number) { return entry }
        }
        throw noEntry(number, sandbox, floor: floor)
    }

    /// Returns as soon as `count` entries match, or with what there is when the time is over. That is no failure of the call: HTTP libraries repeat a 408 by
    /// themselves (RFC 9110 §15.5.9).
    func waitForJournal(_ call: AdminCall, _ sandbox: Sandbox) async throws -> Answer {
        let count = call.number(query: "count") ?? 1
        var query = try query(call, sandbox)
        query.limit = max(query.limit, count)
        let store = store
        let end = try await sandbox.journal.waits.wait(for: call.timeout, onHangUp: call.onHangUp) { [query] in
            try await store.read { db in
                try sandbox.journal.count(query, db) >= count ? Optional(try Self.page(sandbox, query, db)) : .none
            }
        }
        if let found = try found(end, in: sandbox) { return Answer("journal", found) }
        let late = try await store.read { [query] db in
            var page = try Self.page(sandbox, query, db)
            page["timedOut"] = true
            page["detail"] = .string("\(try sandbox.journal.count(query, db)) of \(count) entries arrived within \(call.timeout.words)")
            page["nearest"] = .array(try sandbox.journal.latest(3, since: query.since, db).map { try JSON(parsing: $0) })
            return page
        }
        return Answer("wait-timed-out", late)
    }

    /// The value that a wait has found; nil where its time was over.
    func found<Value: Sendable>(_ end: JournalWaits.End<Value>, in sandbox: Sandbox) throws -> Value? {
        switch end {
        case .found(let value): return value
        case .timedOut, .abandoned: return nil
        case .released: throw released(sandbox, "there will be no more entries")
        case .refused:
            throw AdminProblem(
                "too-many-waits",
                "\(JournalWaits.limit) calls already wait in sandbox '\(sandbox.id)', which is the limit: end some of them first")
        }
    }

    /// The entries as JSON, each with the person behind its lane if one is known by now.
    static func entries(_ records: [[UInt8]], in sandbox: Sandbox, _ db: Database) throws -> [JSON] {
        let entries = try records.map { try JSON(parsing: $0) }
        let people = try sandbox.aliases.people(named: Set(entries.compactMap { $0["lane"]?.string }), db)
        return people.naming(entries)
    }

    private func query(_ call: AdminCall, _ sandbox: Sandbox) throws(AdminProblem) -> Journal.Query {
        Journal.Query(
            since: call.number(query: "since") ?? 0, operation: try operation(call, sandbox), kind: call.query("kind"),
            lane: call.query("lane")?.laneName, limit: call.number(query: "tail") ?? call.number(query: "limit") ?? 1000,
            isTail: call.number(query: "tail") != nil)
    }

    /// A name that nothing has would never be found: of no operation of a contract, and of nothing that falls due.
    private func operation(_ call: AdminCall, _ sandbox: Sandbox) throws(AdminProblem) -> String? {
        guard let name = call.query("operation") else { return nil }
        let known =
            faultReader.adding(sandbox.stubs).names
            + vendors.all.flatMap { ($0.contract.admin?.operations ?? []).map(\.qualifiedName) }
            + TimelineRequest.operations.map { "\(Timeline.owner).\($0.rawValue)" }
        if known.contains(name) || vendors.hasDueWork(named: name) { return name }
        let slip = name.contains(".") ? Nearest.slip(of: name, in: known).map { [$0] } : Nearest.words(to: name, in: known)
        let words = name.contains(".") ? "there is no operation \(name.quoted)" : "\(name.quoted) needs a vendor, as in identity.token"
        throw AdminProblem(
            "request-malformed", words,
            members: AdminProblem.nearest(slip ?? []).merging(
                ["violations": [["pointer": "operation", "message": .string(words)]]]) { first, _ in first })
    }

    /// Bytes of entries that a page has at most; those that are left come with the next one.
    private static let pageBytes = 8 << 20

    private static func page(_ sandbox: Sandbox, _ query: Journal.Query, _ db: Database) throws -> JSON {
        let entries = try entries(try sandbox.journal.read(query, atMost: pageBytes, db), in: sandbox, db)
        let last = entries.last?["number"]?.integer ?? Int64(max(query.since, 1)) - 1
        return [
            "entries": .array(entries), "next": .integer(last.addingClamped(1)),
            "pruned": .integer(Int64(try sandbox.journal.losses(db).pruned)),
        ]
    }
}
