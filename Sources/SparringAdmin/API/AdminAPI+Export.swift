import Foundation
import SparringContract
import SparringEngine
import SparringJSON
import SparringJournal
import SparringSandbox

/// An entry in another form than the journal's, to be put elsewhere.
extension AdminAPI {
    func exportEntry(_ call: AdminCall, _ sandbox: Sandbox) async throws -> Answer {
        let entry = try await entry(call, sandbox)
        let form = call.query("as") ?? ""
        let text =
            switch form {
            case "curl": try code(of: entry, form, call).curl
            case "python": try code(of: entry, form, call).python
            case "swift": try code(of: entry, form, call).swift
            case "step": try await step(entry, sandbox)
            case "tokens": try tokens(entry, sandbox)
            default: throw ToolError("the contract lists the forms")
            }
        return Answer("code", body: .text(text))
    }

    private func code(of entry: JSON, _ form: String, _ call: AdminCall) throws(AdminProblem) -> RequestCode {
        let number = call.path("number")
        if RequestCode.isMessage(entry) {
            throw Self.noForm(
                "entry \(number) is a message on a socket, not an HTTP call, so it has no \(form) form; "
                    + "`sparring journal show \(number) --json` prints all of it")
        }
        guard let code = RequestCode(entry, call.addresses) else {
            throw Self.noForm("entry \(number) is not an HTTP request, so it has no \(form) form")
        }
        if entry["request"]?["bodySize"] != nil {
            throw Self.noForm("the journal has only the beginning of the body of entry \(number)")
        }
        return code
    }

    private func tokens(_ entry: JSON, _ sandbox: Sandbox) throws -> String {
        let now = entry["sandboxTime"]?.string.flatMap { Timestamp($0) } ?? sandbox.clock.now
        let found = EntryTokens(entry)
        guard !found.all.isEmpty else { throw Self.noForm("entry \(entry["number"]?.text ?? "") has no token") }
        return found.text(at: now) { token in
            for vendor in vendors.all {
                if let look = sandbox.tenant(of: vendor.name).flatMap({ vendor.look(at: token, of: $0) }) { return look }
            }
            return nil
        }
    }

    /// The step of a timeline that does what somebody did to the sandbox.
    private func step(_ entry: JSON, _ sandbox: Sandbox) async throws -> String {
        let number = entry["number"]?.integer(in: 0...Int.max) ?? 0
        let first = try await store.read { db in try sandbox.journal.read(Journal.Query(limit: 1), db).first }
        let oldest = try first.map { try JSON(parsing: $0) }
        let began = oldest?["sandboxTime"]?.string.flatMap { Timestamp($0) }
        let time = entry["sandboxTime"]?.string.flatMap { Timestamp($0) }
        let seconds = began.flatMap { began in time.map { max(0, $0.seconds - began.seconds) } } ?? 0
        if entry["causeCode"]?.string == Cause.clockAdvanced {
            throw Self.noForm(
                "entry \(number) is an advance of the clock, for which a timeline needs no step: what comes later has a later 'at'")
        }
        let done = Self.done(entry, among: Set(TimelineRequest.all(contract, vendors).map(\.name)))
        guard !done.isEmpty else { throw Self.noForm("entry \(number) is not something that a timeline can do") }
        let start = oldest?["number"]?.integer ?? 1
        let note = start == 1 ? "" : "  # from entry \(start) on, the oldest that the journal has"
        return done.map { "- { at: \(seconds)s, do: \($0.operation), with: \($0.arguments.text) }\(note)\n" }.joined()
    }

    /// The operations that an entry records.
    ///
    /// - Parameter known: those that a timeline can have.
    private static func done(_ entry: JSON, among known: Set<String>) -> [(operation: String, arguments: JSON)] {
        let armed = "armed: "
        switch (entry["kind"]?.string.flatMap(JournalEntry.Kind.init), entry["cause"]?.string) {
        case (.fault?, let cause?) where cause.hasPrefix(armed):
            // Several that were armed together are one entry.
            let (all, count) = (String(cause.dropFirst(armed.count)), entry["faults"]?.array?.count ?? 1)
            let texts = count == 1 ? [all] : all.components(separatedBy: "; ")
            guard texts.count == count else { return [] }
            return texts.map { (AdminOperation.armFault.rawValue, ["fault": .string($0)]) }
        case (.clock?, _):
            guard let mode = entry["details"]?["mode"]?.string else { return [] }
            let rate = mode == "rate" ? entry["details"]?["rate"] : nil
            return [(AdminOperation.setClock.rawValue, .members(["mode": .string(mode), "rate": rate]))]
        default:
            guard var arguments = entry["details"]?.object, let act = arguments.removeValue(forKey: JournalEntry.act)?.string else {
                return []
            }
            let own = "admin."
            let operation = act.hasPrefix(own) ? String(act.dropFirst(own.count)) : act
            return known.contains(operation) ? [(operation, .object(arguments))] : []
        }
    }

    private static func noForm(_ detail: String) -> AdminProblem { AdminProblem("no-such-form", detail) }
}
