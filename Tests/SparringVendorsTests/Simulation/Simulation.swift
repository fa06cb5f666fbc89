import Foundation
import HTTPTypes
import SparringJSON
@testable import SparringEngine
@testable import SparringSandbox
import Support

/// Plays a story in a world of its own, one step after another, and looks after each whether all that was promised is kept.
final class Simulation: @unchecked Sendable {  // one task
    let story: Story
    let folder: String
    let trouble = Trouble()
    private(set) var server: SimulatedServer
    var sandboxes: [String: SandboxModel] = [:]
    private var lives = 1
    /// Whether the store was made to fail: then some calls are missing from the journal.
    var hasFailed = false
    private var isArmed = false
    /// The outcome of each step.
    private(set) var outcomes: [String] = []

    private init(_ story: Story, in folder: String) throws {
        (self.story, self.folder) = (story, folder)
        server = try SimulatedServer(database: folder + "/1.sqlite", trouble: trouble)
    }

    /// The record that a story left.
    struct Record: Equatable {
        /// Each step, and what it came to.
        var outcomes: [String]
        /// The entries by sandbox, without what the machine's clock and the client's network say.
        var journals: [String: [String]]
    }

    /// - Throws: ``SimulationFailure`` where something is not kept.
    static func play(_ story: Story) async throws -> Record {
        let folder = try TemporaryFolder()
        defer { withExtendedLifetime(folder) {} }
        let simulation = try Simulation(story, in: folder.path)
        do {
            for (number, step) in story.steps.enumerated() {
                do {
                    try await simulation.take(step, isThorough: (number + Int(story.seed)).isMultiple(of: 8))
                } catch {
                    throw SimulationFailure("after step \(number + 1), '\(step)': \(error)")
                }
            }
            try await simulation.checkJournals()
            try await simulation.checkPasts()
        } catch {
            try? await simulation.server.stop()
            throw error
        }
        try await simulation.server.stop()
        return Record(outcomes: simulation.outcomes, journals: simulation.sandboxes.mapValues { replayable($0.journal) })
    }

    /// Entries without their numbers, and last the ends of sockets that Sparring closed: each is written when the client has answered the close frame, which
    /// nothing waits for.
    private static func replayable(_ journal: [String]) -> [String] {
        var (entries, ends): ([String], [String]) = ([], [])
        for text in journal {
            guard var entry = try? JSON(parsing: text) else { continue }
            entry["number"] = nil
            let isClosed = entry["kind"] == "socket" && entry["details"]?["by"] == "server" && entry["details"]?["code"] != nil
            if isClosed { entry["sandboxTime"] = nil }
            if isClosed { ends.append(entry.text) } else { entries.append(entry.text) }
        }
        return entries + ends
    }

    // MARK: Steps

    private func take(_ step: Story.Step, isThorough: Bool) async throws {
        let words = step.words
        var outcome = "-"
        switch words.first {
        case "restart", "kill":
            _ = try await isStruck()
            try await startAgain(isKilled: words[0] == "kill")
        case "trouble" where words.count == 2:
            isArmed = true
            try await trouble.arm(.one, after: Int(words[1]) ?? 0, server.engine.world.store)
            return
        case "create" where words.count == 2: try await create(words[1])
        case let name? where sandboxes[name] != nil && words.count > 1: outcome = try await act(Array(words.dropFirst()), in: name)
        default: break
        }
        await server.settle(sockets)
        let isStruck = try await isStruck()
        if isStruck { await server.settle(sockets) }
        outcomes.append("\(step): \(outcome)")
        let touched = words.first.flatMap { sandboxes[$0] == nil ? nil : $0 }
        // A fork is another one, which its own steps are about.
        try await check(words.contains("fork") ? nil : touched, isThorough: isThorough || isStruck)
    }

    /// Ends the store's trouble.
    ///
    /// - Returns: whether a statement was made to fail.
    private func isStruck() async throws -> Bool {
        guard isArmed else { return false }
        isArmed = false
        let isStruck = try await trouble.disarm(server.engine.world.store)
        hasFailed = hasFailed || isStruck
        return isStruck
    }

    var sockets: [MemorySocket] { sandboxes.values.flatMap { $0.apps.values.compactMap(\.line.socket) } }

    /// An agent's later acts, which a restart must not forget.
    private static let script: JSON = [
        ["on": "opened", "after": "3s", "do": ["act": "join"]], ["on": "text", "after": "20s", "do": ["act": "say", "text": "Noted."]],
    ]

    static func create(_ name: String, seed: Int64, _ server: SimulatedServer) async throws {
        let answer = try await server.reach(
            .post, "sandboxes",
            [
                "name": .string(name), "seed": .integer(seed), "clock": ["mode": "frozen", "now": "2026-01-01T00:00:00Z"],
                "tenants": [
                    "cxone": ["channelDefaults": ["authorization": "oauth"]],
                    "liveperson": ["agents": [["userId": "55", "nickname": "Robin", "script": script]]],
                    "talkdesk": ["agents": [["id": "7", "name": "Robin", "script": script]]],
                ],
            ])
        // What is refused would make a story in which nothing happens.
        if 400..<500 ~= answer.status { throw UnexpectedAnswer(answer: answer) }
        if answer.status < 300, server.engine.world.sandbox(name) == nil {
            throw SimulationFailure("sandbox \(name) was created, and is not there")
        }
    }

    private func create(_ name: String) async throws {
        guard sandboxes[name] == nil else { return }
        try await Self.create(name, seed: story.seed, server)
        // A creation of which the client was not told may have come about or not.
        if server.engine.world.sandbox(name) != nil { sandboxes[name] = SandboxModel() }
    }

    private func act(_ words: [String], in name: String) async throws -> String {
        if let app = AppName(words[0]) { return try await perform(Array(words.dropFirst()), by: app, in: name) }
        let rest = words.dropFirst().joined(separator: " ")
        switch words[0] {
        case "agent": return try await agent(Array(words.dropFirst()), in: name)
        case "clock": return try await status(.post, "sandboxes/\(name)/clock/advance", ["by": .string(rest)])
        case "fault": return try await status(.post, "sandboxes/\(name)/faults", ["fault": .string(rest)])
        case "clear": return try await status(.delete, "sandboxes/\(name)/faults")
        case "rotate": return try await status(.post, "sandboxes/\(name)/tenants/identity/keys/rotate")
        case "settings":
            let members = try JSON(parsing: words.dropFirst(2).joined(separator: " "))
            let answer = try await server.reach(.patch, "sandboxes/\(name)/tenants/\(words[1])", members)
            if 400..<500 ~= answer.status { throw UnexpectedAnswer(answer: answer) }
            return String(answer.status)
        case "push": return try await push(Array(words.dropFirst()), in: name)
        case "fork" where words.count == 3: return try await fork(name, to: words[1], back: Int(words[2]) ?? 0)
        case "reset", "delete": return try await end(name, isReset: words[0] == "reset")
        default: throw SimulationFailure("there is no step '\(words.joined(separator: " "))'")
        }
    }

    private func status(_ method: HTTPRequest.Method, _ path: String, _ json: JSON? = nil) async throws -> String {
        String(try await server.reach(method, path, json).status)
    }

    private func end(_ name: String, isReset: Bool) async throws -> String {
        let before = server.engine.world.sandbox(name)
        let answer = try await server.reach(isReset ? .post : .delete, "sandboxes/\(name)" + (isReset ? "/reset" : ""))
        let after = server.engine.world.sandbox(name)
        if answer.status < 300, after === before { throw SimulationFailure("sandbox \(name) is still the one that it was") }
        if after !== before {
            sandboxes[name]?.apps.values.forEach { $0.line.lose() }
            sandboxes[name] = after == nil ? nil : SandboxModel()
        }
        return String(answer.status)
    }

    private func fork(_ name: String, to fork: String, back: Int) async throws -> String {
        guard sandboxes[fork] == nil, let model = sandboxes[name], !model.pasts.isEmpty else { return "-" }
        let past = model.pasts[max(0, model.pasts.count - 1 - back)]
        let answer = try await server.reach(.post, "sandboxes/\(name)/journal/\(past.entry)/fork", ["name": .string(fork)])
        guard server.engine.world.sandbox(fork) != nil else {
            return answer.status < 300 ? try failed("the fork \(fork) was made, and is not there") : String(answer.status)
        }
        sandboxes[fork] = model.forked(at: past.entry, texts: Self.texts(in: past.view.text))
        try await checkFork(fork, of: name, at: past.entry, past.isHeld ? Self.withoutCounts(past.view) : past.view, isHeld: past.isHeld)
        return String(answer.status)
    }

    private func failed(_ words: String) throws -> String { throw SimulationFailure(words) }

    // MARK: Lives

    private func startAgain(isKilled: Bool) async throws {
        let (before, isHolding) = (try await views(), isHolding)
        for model in sandboxes.values { for app in model.apps.values { app.line.lose() } }
        lives += 1
        let old = server
        var database = old.database
        if isKilled {
            // What a process leaves that ends just now: what it has written, and no more.
            database = folder + "/\(lives).sqlite"
            for end in ["", "-wal", "-unrecorded"] where FileManager.default.fileExists(atPath: old.database + end) {
                try FileManager.default.copyItem(atPath: old.database + end, toPath: database + end)
            }
        }
        try await old.stop()
        server = try SimulatedServer(database: database, trouble: trouble)
        for model in sandboxes.values { for app in model.apps.values { app.line.server = server } }
        // What was held back is decided while a server stops in order.
        if !isHolding { try compare(before, try await views(), "before the \(isKilled ? "kill" : "restart"), and after it", isHeld: false) }
    }
}
