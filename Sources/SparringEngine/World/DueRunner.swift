import GRDB
import HTTPTypes
import SparringContract
import SparringHTTP
import SparringJSON
import SparringJournal
import SparringLocks

/// Does what has fallen due, and journals that it did.
final class DueRunner: Sendable {
    let pipeline: Pipeline

    init(_ pipeline: Pipeline) { self.pipeline = pipeline }

    var store: Store { pipeline.store }
    var outboundClient: OutboundClient { pipeline.outboundClient }
    var addresses: Addresses { pipeline.addresses.withLock { $0 } }
    private var world: World { pipeline.world }

    func run(_ item: DueItem, of dueWork: DueWork, _ work: SandboxClock.Work) async {
        // A sandbox that was deleted or reset has nothing left to do.
        guard let sandbox = world.sandbox(dueWork.sandbox), sandbox.dueWork === dueWork else { return }
        var ordinal: Int?
        do {
            if item.vendor == AdminAPI.name {
                var entry = Self.entry(item, sandbox, sandbox.clock.now, world.moment(.now))
                ordinal = sandbox.nextOrdinal(of: item.lane)
                (entry.ordinal, entry.cause) = (ordinal, Cause(item.what))
                try await follow(item, in: sandbox, entry)
                return sandbox.journal.committed()
            }
            guard let vendor = world.vendor(item.vendor), let tenant = sandbox.tenant(of: item.vendor),
                let handler = vendor.vendor.dueHandler(of: item.kind)
            else { throw ToolError("nobody does '\(item.vendor).\(item.kind)'") }
            let call = DueCall(item, sandbox, tenant, vendor.contract, work, self)
            ordinal = call.ordinal
            let prepared: any Sendable = try await handler.prepare?(call) ?? ()
            let arrival = Arrival.now
            try await world.write(sending: call.outbox, causedBy: call.origin) { [world] db in
                // Taken back meanwhile, or its sandbox is gone: then nothing of it counts.
                guard try DueItem.remove(item.number, db) else { return }
                var call = call
                call.entry = try sandbox.journal.next(db)
                let outcome = try handler.decide(db, call, prepared)
                var entry = Self.entry(item, sandbox, call.now, world.moment(arrival))
                entry.ordinal = call.ordinal
                entry.cause = Cause(outcome.cause)
                entry.findings = outcome.findings
                var details = outcome.details
                if !call.calls.all.isEmpty { details["outbound"] = .array(call.calls.all) }
                if !details.isEmpty { entry.details = .object(details) }
                try sandbox.journal.append(entry, db)
            }
        } catch is SandboxGone {
            return
        } catch {
            await fail(item, ordinal, sandbox, error)
        }
        sandbox.journal.committed()
    }

    /// It is not tried again: what fails once would fail at each start. The journal keeps what was to be done.
    private func fail(_ item: DueItem, _ ordinal: Int?, _ sandbox: Sandbox, _ error: any Error) async {
        var entry = Self.entry(item, sandbox, sandbox.clock.now, world.moment(.now))
        entry.ordinal = ordinal
        entry.cause = .failed(error)
        entry.details = ["what": .string(item.what), "body": item.body]
        let failed = entry
        do {
            try await store.write { db in
                guard try DueItem.remove(item.number, db) else { return }
                try sandbox.journal.append(failed, db)
            }
        } catch {
            // Where not even this can be written, the item stays, and the next process tries.
            if let ordinal { sandbox.takeBack(ordinal, of: item.lane) }
        }
    }

    private static func entry(_ item: DueItem, _ sandbox: Sandbox, _ now: Timestamp, _ arrival: JournalEntry.Moment) -> JournalEntry {
        JournalEntry(
            kind: .due, operation: item.name, lane: item.lane, causedBy: item.causedBy, sandboxTime: now,
            arrival: arrival)
    }
}
