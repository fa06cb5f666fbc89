import Foundation
import HTTPTypes
@testable import SparringEngine
import SparringJSON
@testable import SparringSandbox
import Support

/// The conditions that must hold in a simulated world after each step.
extension Simulation {
    /// - Parameters:
    ///   - touched: the sandbox that the step was about; nil: all of them.
    ///   - isThorough: all of them are looked at in any case, and the file.
    func check(_ touched: String?, isThorough: Bool) async throws {
        let now = try await views(of: isThorough ? nil : touched)
        if isThorough { try await checkFile(now) }
        for (name, view) in now {
            try await checkJournal(name, view)
            try checkTexts(name, view)
            try checkDevices(name, view)
            try checkReceived(name)
            try checkDue(name)
        }
        try await checkHealth()
    }

    /// A call has begun, and is not decided.
    var isHolding: Bool { server.engine.world.sandboxes.contains { $0.clock.delayed > 0 } }

    /// Sandboxes, as the admin API shows them.
    func views(of one: String? = nil) async throws -> [String: JSON] {
        let server = server
        var views: [String: JSON] = [:]
        for name in sandboxes.keys where one == nil || name == one { views[name] = try await Self.view(name, server) }
        return views
    }

    static func view(_ name: String, _ server: SimulatedServer) async throws -> JSON {
        var view = try await WorldView.now { try await server.admin(.get, "sandboxes/\(name)/\($0)") }
        // What a fault holds back, and sockets' timers, end with the process.
        let pending = view["clock"]?["pending"]?.array ?? []
        view["clock"]?["pending"] = .array(pending.filter { !isOfProcess($0["what"]?.string ?? "") })
        return view
    }

    /// A fault has counted a call that it holds back, which is written when the call is decided.
    static func withoutCounts(_ view: JSON) -> JSON {
        var view = view
        view["faults"] = .array(
            (view["faults"]?.array ?? []).map { fault in
                .object((fault.object ?? [:]).filter { !["hits", "matched", "left", "lanes"].contains($0.key) })
            })
        return view
    }

    private static func isOfProcess(_ what: String) -> Bool {
        what.contains("delayed by") || what.contains("socket") || what.hasPrefix("a client waits")
    }

    func compare(_ one: [String: JSON], _ other: [String: JSON], _ words: String, isHeld: Bool) throws {
        if isHeld { return try compare(one.mapValues(Self.withoutCounts), other.mapValues(Self.withoutCounts), words, isHeld: false) }
        guard one.keys.sorted() == other.keys.sorted() else {
            throw SimulationFailure("\(words): \(one.keys.sorted()) and \(other.keys.sorted())")
        }
        for (name, view) in one {
            for (part, value) in view.object ?? [:] where other[name]?[part] != value {
                throw SimulationFailure("\(words): \(part) of \(name) \(value.text) and \(other[name]?[part]?.text ?? "-")")
            }
        }
    }

    /// Memory is what the file has: an engine that starts on a copy shows the same.
    private func checkFile(_ now: [String: JSON]) async throws {
        let copy = folder + "/copy.sqlite"
        for end in ["", "-wal", "-unrecorded"] {
            try? FileManager.default.removeItem(atPath: copy + end)
            guard FileManager.default.fileExists(atPath: server.database + end) else { continue }
            try FileManager.default.copyItem(atPath: server.database + end, toPath: copy + end)
        }
        let restarted = try SimulatedServer(database: copy)
        do {
            var found: [String: JSON] = [:]
            for sandbox in restarted.engine.world.sandboxes { found[sandbox.id] = try await Self.view(sandbox.id, restarted) }
            try compare(now, found, "in memory, and in the file", isHeld: isHolding)
        } catch {
            try? await restarted.stop()
            throw error
        }
        try await restarted.stop()
    }

    /// Entries have no gap, and none of them is Sparring's own failure; each call has one, and nothing changes without one.
    private func checkJournal(_ name: String, _ view: JSON) async throws {
        let known = sandboxes[name]?.journal.count ?? 0
        let new = try await entries(name, since: known)
        for (index, entry) in new.enumerated() {
            guard entry["number"]?.integer == Int64(known + index + 1) else {
                throw SimulationFailure("entry \(known + index + 1) of \(name) has the number \(entry["number"]?.text ?? "-")")
            }
            try checkEntry(entry, name)
        }
        sandboxes[name]?.journal += new.map(Self.lasting)
        for entry in new where entry["request"]?["method"] != nil {
            if let lane = entry["lane"]?.string { sandboxes[name]?.exchanges[lane, default: 0] += 1 }
        }
        guard let model = sandboxes[name] else { return }
        for (app, client) in model.apps where !hasFailed && client.line.calls > model.exchanges[app.lane] ?? 0 {
            throw SimulationFailure("\(app) made \(client.line.calls) calls in \(name), and the journal has fewer of them")
        }
        let past = SimulatedPast(entry: known + new.count, view: view, isHeld: isHolding)
        if let last = model.pasts.last, last.entry == past.entry {
            let isHeld = last.isHeld || past.isHeld
            // After a failure of the store the journal says what it lacks with its next entry.
            if !hasFailed { try compare([name: last.view], [name: view], "while the journal was at \(past.entry)", isHeld: isHeld) }
        } else if past.entry > 0 {
            sandboxes[name]?.pasts.append(past)
        }
    }

    func entries(_ name: String, since number: Int) async throws -> [JSON] {
        try await server.admin(.get, "sandboxes/\(name)/journal?since=\(number + 1)&limit=5000")["entries"]?.array ?? []
    }

    /// Entries are never taken back, and never changed.
    func checkJournals() async throws {
        for (name, model) in sandboxes {
            let now = try await entries(name, since: 0).map(Self.lasting)
            guard now.count == model.journal.count else {
                throw SimulationFailure("\(name) had \(model.journal.count) entries, and has \(now.count)")
            }
            for (index, (before, now)) in zip(model.journal, now).enumerated() where before != now {
                throw SimulationFailure("entry \(index + 1) of \(name) was \(before), and is \(now)")
            }
        }
    }

    private func checkEntry(_ entry: JSON, _ name: String) throws {
        let cause = entry["cause"]?.string ?? ""
        let isOwn = cause.hasPrefix("Sparring failed") || entry["kind"] == "finding" && cause.hasPrefix("Sparring's own")
        if isOwn, !hasFailed { throw SimulationFailure("the journal of \(name) says: \(entry.text)") }
    }

    nonisolated(unsafe) private static let signature = /(eyJ[\w-]+\.eyJ[\w-]+)\.[\w-]+/

    /// An entry without what the machine's clock says, without who it was, which may be found out later, and without signatures: those of ECDSA are new ones
    /// each time.
    static func lasting(_ entry: JSON) -> String {
        var members = entry.object ?? [:]
        for name in ["arrival", "answered", "began", "sent", "actor"] { members[name] = nil }
        // It says when.
        if entry["causeCode"] == "unrecorded" { for name in ["cause", "findings", "details"] { members[name] = nil } }
        if entry["causeCode"] == "server-killed" { members["details"] = nil }
        return JSON.object(members).text.replacing(signature) { $0.output.1 }
    }

    // MARK: Effects

    nonisolated(unsafe) private static let text = /[a-z]\d?\/[a-z]+@[a-z]+\/\d+/

    static func texts(in words: String) -> Set<String> { Set(words.matches(of: text).map { String($0.output) }) }

    /// Each acknowledged text is there, in its order; one that was refused, or said elsewhere, is not.
    private func checkTexts(_ name: String, _ view: JSON) throws {
        guard let model = sandboxes[name] else { return }
        let conversations = (view["conversations"]?.array ?? []).map(\.text)
        for (app, said) in model.said {
            var last: (conversation: Int, place: String.Index)?
            for text in said {
                guard let index = conversations.firstIndex(where: { $0.contains("\"\(text)\"") }),
                    let place = conversations[index].firstRange(of: "\"\(text)\"")?.lowerBound
                else { throw SimulationFailure("\(app) said '\(text)' in \(name), and it is not there") }
                if let last, last.conversation == index, place < last.place {
                    throw SimulationFailure("'\(text)' of \(app) in \(name) is before what was said earlier")
                }
                last = (index, place)
            }
        }
        if let stray = Self.texts(in: view.text).subtracting(model.possible).first {
            throw SimulationFailure("'\(stray)' is in \(name), where nobody can have said it")
        }
    }

    private func checkDevices(_ name: String, _ view: JSON) throws {
        let there = (view["devices"]?.array ?? []).filter { $0["registrations"]?.array?.isEmpty == false }
        let registered = Set(there.compactMap { $0["token"]?.string })
        for (device, isOn) in sandboxes[name]?.devices ?? [:] {
            guard let isOn, isOn != registered.contains(device) else { continue }
            throw SimulationFailure(
                "\(device) was \(isOn ? "registered" : "unregistered") in \(name), and is not: \(view["devices"]?.text ?? "-")")
        }
    }

    /// Nobody hears what was not said to them.
    private func checkReceived(_ name: String) throws {
        guard let model = sandboxes[name] else { return }
        for (app, client) in model.apps {
            client.line.listen()
            let received = client.line.received
            for words in received.dropFirst(model.read[app] ?? 0) {
                for text in Self.texts(in: words) where !text.contains("/\(app)/") || !model.possible.contains(text) {
                    throw SimulationFailure("\(app) in \(name) received '\(text)': \(words)")
                }
            }
            sandboxes[name]?.read[app] = received.count
        }
    }

    /// Nothing is left lying that has fallen due.
    private func checkDue(_ name: String) throws {
        guard let clock = server.engine.world.sandbox(name)?.clock else { return }
        let now = clock.now
        for (due, what) in clock.pending where due <= now {
            throw SimulationFailure("in \(name), \(what) was due at \(due), and it is \(now)")
        }
    }

    private func checkHealth() async throws {
        let health = try await server.reach(.get, "health").text
        if !hasFailed, !health.contains("\"status\":\"ok\"") { throw SimulationFailure("health says: \(health)") }
    }
}
