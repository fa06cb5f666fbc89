import GRDB
import SparringContract
import SparringEngine
import SparringJSON
import SparringJournal
import SparringSandbox

/// A sandbox as it was once an entry had been written.
extension AdminAPI {
    /// The admin operation by which each vendor shows what was said.
    private static let transcript = "readConversation"
    /// Conversations of which all is shown, and notifications of each device: the newest.
    private static let newest = 50

    func readPast(_ call: AdminCall, _ sandbox: Sandbox) async throws -> Answer {
        let (past, now) = try await past(call, sandbox, isBounded: true)
        return Answer(
            "past",
            try await past.read { [self] db in
                let clock = try Past.clock(of: sandbox, db)
                let pending = try Past.pending(of: sandbox, db).map { item -> JSON in
                    ["due": .string(item.due.description), "what": .string(item.what)]
                }
                let tenants = try tenants(of: sandbox, inPast: db)
                let armed = try FaultTable.armed(in: sandbox.id, reader: faultReader.adding(sandbox.stubs), db)
                return [
                    "entry": .integer(Int64(past.entry)),
                    "clock": .members([
                        "mode": clock["mode"], "now": .string(now.description), "rate": clock["rate"], "pending": .array(pending),
                    ]),
                    "faults": .array(armed.map { $0.json(at: now) }),
                    "consumers": .array(try consumers(of: sandbox, tenants, db).map(Self.withoutSockets)),
                    "conversations": .array(try transcripts(of: sandbox, tenants, db)),
                    "devices": .array(try inboxes(of: sandbox, tenants, db)),
                ]
            })
    }

    /// Made of the past, it has all of the journal up to there, but no socket.
    func forkSandbox(_ call: AdminCall, _ sandbox: Sandbox) async throws -> Answer {
        let (past, now) = try await past(call, sandbox, isBounded: false)
        try await requireRoom()
        let lifetime = try options.lifetimes.lifetime(nil, isRenewed: nil)
        let fork = try await world.fork(sandbox, at: past, now: now, name: call.body["name"]?.string, lifetime: lifetime)
        return Answer("sandbox-forked", json(of: fork, call))
    }

    /// The state that the entry named by the path has left, and the time at which the clock stood then.
    ///
    /// - Parameter isBounded: it comes soon or not at all.
    private func past(_ call: AdminCall, _ sandbox: Sandbox, isBounded: Bool) async throws -> (Past, now: Timestamp) {
        let number = call.number(path: "number")
        let entry = try await entry(call, sandbox)
        let past: Past
        do {
            past = isBounded ? try await sandbox.pasts.past(of: sandbox, at: number) : try await sandbox.distantPast(at: number)
        } catch let lost as Past.Lost {
            switch lost {
            case .entry: throw noEntry(number, sandbox, floor: try await store.read { try sandbox.journal.losses($0).floor })
            case .tooFarBack(let oldest):
                let hint =
                    oldest.map { "nothing is known of the time before entry \($0) (see --journal-size; a fork has only its own past)" }
                    ?? "too much has happened since"
                throw AdminProblem("entry-pruned", "entry \(number) is too far back to show the sandbox as it was then: \(hint)")
            }
        }
        let clock = try await past.read { try Past.clock(of: sandbox, $0) }
        // The entry of a change of the clock tells the time before it.
        let isSet = clock["mode"] == "frozen" || entry["kind"]?.string == JournalEntry.Kind.clock.rawValue
        let stood = isSet ? clock["base"]?.integer.map { Timestamp(milliseconds: $0) } : nil
        return (past, stood ?? entry["sandboxTime"]?.string.flatMap { Timestamp($0) } ?? sandbox.clock.now)
    }

    private func tenants(of sandbox: Sandbox, inPast db: Database) throws -> [(any Vendor, Tenant)] {
        let then = try world.tenants(of: sandbox, inPast: db)
        return tenants(of: sandbox).map { vendor, tenant in (vendor, then[vendor.name] ?? tenant) }
    }

    private func transcripts(of sandbox: Sandbox, _ tenants: [(any Vendor, Tenant)], _ db: Database) throws -> [JSON] {
        let summaries = try tenants.flatMap { vendor, tenant in
            try (vendor.conversations(of: tenant, consumer: nil, state: nil, db) ?? []).map { (vendor.name, tenant, $0) }
        }
        return try summaries.suffix(Self.newest).map { name, tenant, summary in
            guard let (operation, handler) = vendors[name]?.adminOperation(Self.transcript), case .read(let show) = handler.kind,
                let id = summary["id"]?.string
            else { return summary }
            let parts = try OperationRequest(operation, ["conversation": .string(id)], at: .root).parts(of: sandbox.id)
            let answer = try show(db, AdminRequest(operation: operation, sandbox: sandbox, tenant: tenant, body: [:], parts: parts))
            guard case .json(let whole) = answer.body else { return summary }
            return whole
        }
    }

    /// Sockets are in memory alone, as they are now.
    private static func withoutSockets(_ consumer: JSON) -> JSON {
        var members = consumer.object ?? [:]
        members["sockets"] = nil
        return .object(members)
    }

    private func inboxes(of sandbox: Sandbox, _ tenants: [(any Vendor, Tenant)], _ db: Database) throws -> [JSON] {
        try devices(of: sandbox, tenants, db).map { device in
            var device = device
            let token = device["token"]?.string ?? ""
            let count = try sandbox.devices.count(on: token, db)
            let got = try sandbox.devices.notifications(on: token, since: count - Self.newest + 1, limit: Self.newest, db)
            device["inbox"] = .array(got.map(\.json))
            return device
        }
    }

    func noEntry(_ number: Int, _ sandbox: Sandbox, floor: Int) -> AdminProblem {
        guard number > 0, number <= floor else { return AdminProblem("entry-unknown", "sandbox '\(sandbox.id)' has no entry \(number)") }
        return AdminProblem(
            "entry-pruned", "entry \(number) is no longer in the journal; the oldest possible entry is \(floor.addingClamped(1))")
    }
}
