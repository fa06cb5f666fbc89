import SparringContract
import SparringEngine
import SparringJSON
import SparringJournal
import SparringSandbox

/// Operations of the tag "Faults".
extension AdminAPI {
    func armFault(_ call: AdminCall, _ sandbox: Sandbox) async throws -> Answer {
        let fault = try faultReader.adding(sandbox.stubs).read(call.body)
        let armed = try await sandbox.write(sandbox.entry(.fault, cause: "armed: \(fault.text)")) { db, entry in
            try call.alongside?(db)
            let armed = try sandbox.arm(fault, db)
            entry.faults = [armed.number]
            entry.note(call.asked)
            return armed
        }
        return Answer("fault-armed", armed.json(at: sandbox.clock.now))
    }

    func listFaults(_ sandbox: Sandbox) throws -> Answer {
        let now = sandbox.clock.now
        return Answer("faults", ["seed": .integer(sandbox.seed), "faults": .array(sandbox.faults.all.map { $0.json(at: now) })])
    }

    func readFault(_ call: AdminCall, _ sandbox: Sandbox) throws -> Answer {
        Answer("fault", try fault(call, sandbox).json(at: sandbox.clock.now))
    }

    func removeFault(_ call: AdminCall, _ sandbox: Sandbox) async throws -> Answer {
        let armed = try fault(call, sandbox)
        guard try await remove([armed], from: sandbox, call, isFirst: true) else { throw unknownFault(call) }
        return Answer("fault-removed")
    }

    func clearFaults(_ call: AdminCall, _ sandbox: Sandbox) async throws -> Answer {
        let all = sandbox.faults.all
        // In pieces: there may be thousands, and other sandboxes do not wait for all of them.
        for first in stride(from: 0, through: max(0, all.count - 1), by: Self.faultsAtOnce) {
            _ = try await remove(all[first..<min(first + Self.faultsAtOnce, all.count)], from: sandbox, call, isFirst: first == 0)
        }
        return Answer("faults-cleared")
    }

    /// Faults that one job of the writer removes at most, with an entry for each.
    private static let faultsAtOnce = 100

    /// - Parameter isFirst: what is to be done alongside the call is done now.
    private func remove(
        _ faults: ArraySlice<FaultTable.Armed>, from sandbox: Sandbox, _ call: AdminCall, isFirst: Bool
    ) async throws -> Bool {
        let entries = faults.map { armed in
            var entry = sandbox.entry(.fault, cause: "removed: \(armed.fault.text)")
            entry.faults = [armed.number]
            entry.note(
                JournalEntry.Asked(
                    AdminAPI.name + "." + AdminOperation.removeFault.rawValue, ["fault": .integer(Int64(armed.number))], origin: call.origin
                ))
            return (armed.number, entry)
        }
        let removed = try await store.write { db in
            if isFirst { try call.alongside?(db) }
            let removed = Set(try sandbox.faults.remove(entries.map(\.0), sandbox: sandbox.id, db))
            for (number, entry) in entries where removed.contains(number) { try sandbox.journal.append(entry, db) }
            return removed.count
        }
        sandbox.journal.committed()
        return removed == faults.count
    }

    func listEffects(_ call: AdminCall) throws -> Answer {
        let vocabulary = FaultVocabulary(vendors.all.map(\.contract), stubs: world.stubbingTenants.flatMap(\.stubs.operations))
        return Answer("effects", ["effects": .array(try vocabulary.effects(at: call.query("where")).map(\.json))])
    }

    /// The faults that are armed; or others, with the numbers that they would get if they were armed now.
    func planFaults(_ call: AdminCall, _ sandbox: Sandbox) async throws -> Answer {
        let lanes = call.body["lanes"]?.array?.compactMap(\.string) ?? []
        let calls = call.body["calls"]?.integer(in: 1...1000) ?? 10
        let faults: [(number: Int, text: String)]
        if let texts = call.body["faults"]?.array?.compactMap(\.string) {
            let next = try await store.read { try sandbox.faults.next(in: sandbox.id, $0) }
            faults = texts.enumerated().map { (next + $0.offset, $0.element) }
        } else {
            faults = sandbox.faults.all.map { ($0.number, $0.fault.text) }
        }
        let plan = try ChaosPlan(
            seed: sandbox.seed, faults: faults, lanes: lanes.map(\.laneName), calls: calls, contracts: vendors.all.map(\.contract),
            stubs: sandbox.stubs)
        return Answer("fault-plan", plan.json)
    }

    private func fault(_ call: AdminCall, _ sandbox: Sandbox) throws -> FaultTable.Armed {
        guard let fault = sandbox.faults.fault(call.number(path: "fault")) else { throw unknownFault(call) }
        return fault
    }

    private func unknownFault(_ call: AdminCall) -> AdminProblem {
        AdminProblem("fault-unknown", "sandbox \(call.path("sandbox").quoted) has no fault \(call.path("fault").abbreviated(to: 100))")
    }
}
