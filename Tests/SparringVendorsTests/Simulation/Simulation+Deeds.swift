import HTTPTypes
import SparringJSON
import Support

/// The deeds of apps and agents in a simulated world.
extension Simulation {
    static func app(_ name: AppName, _ line: AppLine, _ published: JSON) -> (any SimulatedApp)? {
        switch name.vendor {
        case "liveperson": LivePersonApp(line, published)
        case "cxone": CXoneApp(line, published)
        case "khoros": KhorosApp(line, published)
        case "asapp": ASAPPApp(line, published)
        case "talkdesk": TalkdeskApp(line, published)
        default: nil
        }
    }

    private func app(_ name: AppName, in sandbox: String) async throws -> any SimulatedApp {
        if let app = sandboxes[sandbox]?.apps[name] { return app }
        guard let app = Self.app(name, AppLine(name, in: sandbox, server), try await published(sandbox)) else {
            throw SimulationFailure("there is no app of '\(name.vendor)'")
        }
        sandboxes[sandbox]?.apps[name] = app
        return app
    }

    func perform(_ words: [String], by name: AppName, in sandbox: String) async throws -> String {
        let app = try await app(name, in: sandbox)
        let word = words.count > 1 ? words[1] : ""
        let outcome: Outcome
        switch words.first {
        case "sign-in": outcome = try await signIn(app, in: sandbox)
        case "race": return try await race(app, Int(word) ?? 2)
        case "replay":
            guard let code = sandboxes[sandbox]?.spent[name] else { return Outcome.idle.rawValue }
            outcome = try await app.signIn(code)
            if outcome == .done { throw SimulationFailure("\(name) was let in twice with one code") }
        case "say":
            outcome = try await Self.perform(words, by: app)
            sandboxes[sandbox]?.note(Self.text(word, by: name, in: sandbox), by: name, outcome)
        case "register", "unregister":
            outcome = try await Self.perform(words, by: app)
            sandboxes[sandbox]?.note(device: word, of: name, isOn: words[0] == "register", outcome, isHolding: isHolding)
        default: outcome = try await Self.perform(words, by: app)
        }
        return outcome.rawValue
    }

    /// The text that an app says in its conversation, and that is said in no other.
    private static func text(_ word: String, by app: AppName, in sandbox: String) -> String { "\(sandbox)/\(app)/\(word)" }

    /// Performs a deed that an app does by itself.
    ///
    /// - Parameter brand: where it gets its codes; nil: it is signed in.
    static func perform(_ words: [String], by app: any SimulatedApp, _ brand: SimulatedBrand? = nil) async throws -> Outcome {
        let word = words.count > 1 ? words[1] : ""
        switch words.first {
        case "sign-in":
            guard let code = try await brand?.code(app.line) else { return .unknown }
            return try await app.signIn(code)
        case "enter": return try await app.enter()
        case "leave":
            await app.line.leave()
            return .done
        case "say": return try await app.say(text(word, by: app.line.name, in: app.line.sandbox))
        case "read": return try await app.read()
        case "register": return try await app.register(word)
        case "unregister": return try await app.unregister(word)
        case "end": return try await app.end()
        default: throw SimulationFailure("no app does '\(words.joined(separator: " "))'")
        }
    }

    private func signIn(_ app: any SimulatedApp, in sandbox: String) async throws -> Outcome {
        let brand = SimulatedBrand(try await published(sandbox))
        guard let code = try await brand.code(app.line) else { return .unknown }
        let outcome = try await app.signIn(code)
        if outcome == .done { sandboxes[sandbox]?.spent[app.line.name] = code }
        return outcome
    }

    private func published(_ sandbox: String) async throws -> JSON {
        try await server.admin(.get, "sandboxes/\(sandbox)")["tenants"] ?? [:]
    }

    /// Redeems one code many times at once: one of them is let in.
    private func race(_ app: any SimulatedApp, _ runners: Int) async throws -> String {
        let sandbox = app.line.sandbox
        let published = try await published(sandbox)
        let brand = SimulatedBrand(published)
        guard let code = try await brand.code(app.line) else { return Outcome.unknown.rawValue }
        let (name, server) = (app.line.name, server)
        let lines = (0..<runners).map { _ in AppLine(name, in: sandbox, server) }
        let outcomes = try await withThrowingTaskGroup(of: Outcome.self) { group in
            for line in lines {
                group.addTask {
                    if name.vendor == "liveperson" { return try await LivePersonApp(line, published).signIn(code) }
                    return try await brand.redeem(code, line).0
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        app.line.calls += lines.reduce(0) { $0 + $1.calls }
        let winners = outcomes.count { $0 == .done }
        if winners > 1 { throw SimulationFailure("\(winners) of \(runners) were let in with one code") }
        sandboxes[sandbox]?.spent[name] = code
        return outcomes.map(\.rawValue).sorted().joined(separator: " ")
    }

    // MARK: Acts

    func agent(_ words: [String], in sandbox: String) async throws -> String {
        guard words.count > 1, let name = AppName(words[0]) else { throw SimulationFailure("an agent does something for an app") }
        var with: JSON = ["consumer": .string(name.person)]
        var text: String?
        if words[1] == "say", words.count > 2 { text = Self.text(words[2], by: name, in: sandbox) }
        if let text { with["text"] = .string(text) }
        let answer = try await server.reach(
            .post, "sandboxes/\(sandbox)/acts", ["operation": .string(words[1]), "vendor": .string(name.vendor), "with": with])
        if let text {
            let outcome: Outcome = answer.status < 300 ? .done : answer.status < 500 ? .refused : .unknown
            sandboxes[sandbox]?.note(text, by: name, outcome)
        }
        return String(answer.status)
    }

    func push(_ words: [String], in sandbox: String) async throws -> String {
        guard words.count == 2, let name = AppName(words[0]) else { throw SimulationFailure("a push goes to an app") }
        let text = Self.text(words[1], by: name, in: sandbox)
        let answer = try await server.reach(
            .post, "sandboxes/\(sandbox)/acts",
            ["operation": "push", "vendor": .string(name.vendor), "with": ["consumer": .string(name.person), "text": .string(text)]])
        // It is a notification, no part of a conversation: it may be seen, and need not.
        sandboxes[sandbox]?.note(text, by: name, answer.status < 400 ? .unknown : .refused)
        return String(answer.status)
    }
}
