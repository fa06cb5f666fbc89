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
        do {
            if item.vendor == AdminAPI.name {
                var entry = Self.entry(item, sandbox, sandbox.clock.now, world.moment(.now))
                (entry.ordinal, entry.cause) = (sandbox.nextOrdinal(of: item.lane), item.what)
                try await follow(item, in: sandbox, entry)
                return sandbox.journal.committed()
            }
            guard let vendor = world.vendor(item.vendor), let tenant = sandbox.tenant(of: item.vendor),
                let behaviour = vendor.vendor.dueBehaviour(of: item.kind)
            else { throw ToolError("nobody does '\(item.vendor).\(item.kind)'") }
            let call = DueCall(item, sandbox, tenant, vendor.contract, work, self)
            let prepared: any Sendable = try await behaviour.prepare?(call) ?? ()
            let arrival = Arrival.now
            try await world.write(sending: call.outbox, causedBy: call.origin) { [world] db in
                // Taken back meanwhile, or its sandbox is gone: then nothing of it counts.
                guard try DueItem.remove(item.number, db) else { return }
                var call = call
                call.entry = try sandbox.journal.next(db)
                let outcome = try behaviour.decide(db, call, prepared)
                var entry = Self.entry(item, sandbox, call.now, world.moment(arrival))
                entry.ordinal = call.ordinal
                entry.cause = outcome.cause
                entry.findings = outcome.findings
                var details = outcome.details
                if !call.calls.all.isEmpty { details["outbound"] = .array(call.calls.all) }
                if !details.isEmpty { entry.details = .object(details) }
                try sandbox.journal.append(entry, db)
            }
        } catch {
            await fail(item, sandbox, error)
        }
        sandbox.journal.committed()
    }

    /// It is not tried again: what fails once would fail at each start.
    private func fail(_ item: DueItem, _ sandbox: Sandbox, _ error: any Error) async {
        sandbox.journal.forgetNumbers()
        var entry = Self.entry(item, sandbox, sandbox.clock.now, world.moment(.now))
        entry.cause = "Sparring failed: \(error)"
        let failed = entry
        // Where not even this can be written, the item stays, and the next process tries.
        try? await store.write { db in
            guard try DueItem.remove(item.number, db) else { return }
            try sandbox.journal.append(failed, db)
        }
    }

    private static func entry(_ item: DueItem, _ sandbox: Sandbox, _ now: Timestamp, _ arrival: JournalEntry.Moment) -> JournalEntry {
        JournalEntry(
            kind: .due, operation: "\(item.vendor).\(item.kind)", lane: item.lane, causedBy: item.causedBy, sandboxTime: now,
            arrival: arrival)
    }

    // MARK: Calls of a declared kind to strangers

    func send(_ request: OutboundRequest, as operation: ContractOperation, for caller: Caller) async -> OutboundResult {
        let sandbox = caller.sandbox
        let disturbance = Disturbance(sandbox.faults.choose(operation, lane: caller.origin.lane))
        guard !disturbance.touched.isEmpty else { return await outboundClient.send(request, for: caller) }
        let touched = disturbance.touched
        store.submit { db in
            try FaultTable.store(touched, sandbox: sandbox.id, db)
        } finished: { _ in
        }
        await wait(disturbance.delayBefore, operation, caller)
        let by = disturbance.numbers.map(String.init).joined(separator: ", ")
        var result: OutboundResult
        if let forced = forced(disturbance, operation, request) {
            result = forced
            await pipeline.journal(request, result, for: caller, arrival: .now, faults: disturbance.numbers)
        } else {
            result = await outboundClient.send(request, for: caller)
            if disturbance.cut != nil { result = .failed("\(request.url): the answer was lost by fault \(by)") }
        }
        await wait(disturbance.delayAfter, operation, caller)
        return result
    }

    /// What the stranger is made to have answered; nil where it is asked.
    private func forced(_ disturbance: Disturbance, _ operation: ContractOperation, _ request: OutboundRequest) -> OutboundResult? {
        if disturbance.isCutBefore { return .failed("\(request.url): cut off by \(disturbance.cause ?? "a fault"), nothing was sent") }
        switch disturbance.replacement?.with {
        case nil: return nil
        case .refusal(let name):
            let declared = operation.answer(name)
            return .answered(
                OutboundAnswer(
                    status: declared?.status ?? 500, headers: [:], body: declared?.example?.bytes ?? [], name: name,
                    cause: disturbance.cause))
        case .status(let code, _):
            return .answered(OutboundAnswer(status: code, headers: [:], body: [], name: nil, cause: disturbance.cause))
        }
    }

    private func wait(_ duration: Duration, _ operation: ContractOperation, _ caller: Caller) async {
        guard duration > .zero else { return }
        _ = await caller.sandbox.clock.sleep(
            for: duration, what: "\(operation.qualifiedName) of \(caller.origin.lane), delayed by a fault", work: caller.work
        ) { _ in }
    }
}
