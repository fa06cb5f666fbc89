import GRDB
import SparringEngine
import SparringJSON
import SparringJournal
import SparringSandbox

/// Operations of the tags "Clock" and "Faults".
extension AdminAPI {
    func setClock(_ call: AdminCall) async throws -> Answer {
        let sandbox = try sandbox(call)
        let setting: SandboxClock.Setting
        do throws(ConfigurationError) { setting = try SandboxClock.Setting(call.body, current: sandbox.clock.mode) } catch {
            throw AdminProblem(error)
        }
        try await sandbox.change(to: sandbox.clock.change(mode: setting.mode, now: setting.now), alongside: call.alongside)
        return Answer("clock", sandbox.clock.json)
    }

    func advanceClock(_ call: AdminCall) async throws -> Answer {
        let sandbox = try sandbox(call)
        let text = call.body["by"]?.string ?? ""
        guard let by = Duration(text: text) else {
            let error = ConfigurationError(
                JSONPointer(tokens: ["by"]), "\(text.quoted) is not a duration such as PT10M, 10m, 2s or 200ms, of ten years at most")
            throw AdminProblem(error)
        }
        let ran = try await sandbox.advance(by: by, keepsSockets: call.body["keepSockets"]?.bool ?? false)
        return Answer("advanced", ["now": .string(sandbox.clock.now.description), "ran": .integer(Int64(ran)), "settled": true])
    }

    func armFault(_ call: AdminCall) async throws -> Answer {
        let sandbox = try sandbox(call)
        let fault: Fault
        do throws(FaultRefused) { fault = try faultReader.read(call.body) } catch { throw refused(error) }
        let entry = sandbox.entry(.fault, cause: "armed: \(fault.text)")
        let armed = try await store.write { db in
            try call.alongside?(db)
            try sandbox.journal.requireSandbox()
            let armed = try sandbox.arm(fault, db)
            var entry = entry
            entry.faults = [armed.number]
            try sandbox.journal.append(entry, db)
            return armed
        }
        sandbox.journal.committed()
        return Answer("fault-armed", armed.json(at: sandbox.clock.now))
    }

    func fault(_ call: AdminCall) throws -> FaultTable.Armed {
        let sandbox = try sandbox(call)
        guard let fault = sandbox.faults.fault(call.number(path: "fault")) else { throw unknownFault(call) }
        return fault
    }

    func removeFault(_ call: AdminCall) async throws -> Answer {
        let sandbox = try sandbox(call)
        let armed = try fault(call)
        guard try await remove([armed], from: sandbox, call, isFirst: true) else { throw unknownFault(call) }
        return Answer("fault-removed")
    }

    func clearFaults(_ call: AdminCall) async throws -> Answer {
        let sandbox = try sandbox(call)
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

    private func unknownFault(_ call: AdminCall) -> AdminProblem {
        AdminProblem(
            name: "fault-unknown", detail: "sandbox \(call.path("sandbox").quoted) has no fault \(call.path("fault").abbreviated(to: 100))")
    }
}
