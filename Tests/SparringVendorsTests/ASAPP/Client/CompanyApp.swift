import Foundation
import HTTPTypes
import SparringJSON
import Support
import Testing

/// A company's app with ASAPP's SDK, written with knowledge of the rules. Paths and members are those of the reference.
actor CompanyApp {
    enum Platform: String, CaseIterable, Sendable {
        case ios, android
    }

    /// When the app's provider gives the SDK another token: at each question, or once the old one was refused.
    enum Style: String, CaseIterable, Sendable {
        case always, whenRefused
    }

    let stage: ClientStage
    let platform: Platform
    let style: Style
    let company: String
    let habit: CompanyHabit?

    // What stays while the app is closed
    /// Nil: nobody has signed in.
    var user: String?
    var name = ""
    var session: String?
    var token: String?
    var device: String?
    var isRegistered = false
    var sent = 0

    // As long as it runs
    var hasGivenUp = false
    var line: (any Line)?
    var endings = 0
    var seenPushes = 0
    var badge = 0
    var lastURL: String?

    init(_ stage: ClientStage, _ platform: Platform, _ style: Style, company: String, habit: CompanyHabit? = nil) {
        (self.stage, self.platform, self.style, self.company, self.habit) = (stage, platform, style, company, habit)
    }

    func has(_ habit: CompanyHabit) -> Bool { self.habit == habit }

    // MARK: The SDK

    /// Nil where no answer came.
    func send(_ method: HTTPRequest.Method, _ path: String, _ json: JSON?) async throws -> TestAnswer? {
        var headers: HTTPFields = [HTTPField.Name("asapp-api-id")!: company]
        headers[.authorization] = session.map { "Bearer \($0)" }
        let (server, fields) = (stage.server, headers)
        return try await stage.drive(timeOut: 45) {
            guard let json else { return try await server.send(method, "/chat/v1" + path, headers: fields) }
            return try await server.send(method, "/chat/v1" + path, headers: fields, json: json)
        }
    }

    /// A call that brings the context: refused as expired, it is sent again once with fresh credentials.
    func identified(_ method: HTTPRequest.Method, _ path: String, _ json: JSON.Object) async throws -> TestAnswer? {
        for isRefresh in [false, true] {
            var body = json
            body["context"] = try await context(needsRefresh: isRefresh)
            guard let answer = try await send(method, path, .object(body)) else { return nil }
            guard answer.json?["error"]?["code"] == "401-02" else { return answer }
            if isRefresh { break }
            if has(.neverRecovers) { return answer }
        }
        if has(.repeatsForEver) {
            for _ in 1...3 {
                try await stage.pass(1)
                var body = json
                body["context"] = try await context(needsRefresh: true)
                _ = try await send(method, path, .object(body))
            }
        }
        hasGivenUp = true
        try await mark("gave-up")
        return nil
    }

    /// A call in the session, which is restarted once it has ended; what fails for now is sent again.
    func call(_ method: HTTPRequest.Method, _ path: String, _ json: JSON? = nil, attempts: Int = 3) async throws -> TestAnswer? {
        for attempt in 0..<attempts where !hasGivenUp {
            if attempt > 0 { try await stage.pass(has(.ignoresRetryAfter) ? 0.2 : 5) }
            var answer = try await send(method, path, json)
            if has(.losesMessages), path == "/messages" { return answer }
            if has(.letsTheSessionEnd), answer?.status == 401 { return nil }
            if has(.keepsTheDeadSession), answer?.status == 401 { answer = try await send(method, path, json) }
            if ["401-03", "401-04"].contains(answer?.json?["error"]?["code"]?.string ?? "") {
                guard try await start() else { return nil }
                answer = try await send(method, path, json)
            }
            if let answer, answer.status < 500, answer.status != 429 { return answer }
        }
        return nil
    }

    func start() async throws -> Bool {
        let user = user.map { JSON.string($0) } ?? .null
        let answer = try await identified(
            .post, "/session", ["userIdentifier": user, "platform": .string(platform.rawValue), "region": "US", "languages": ["en"]])
        guard let answer, answer.status == 200 else { return false }
        session = answer.json?["sessionToken"]?.string
        name = self.user ?? answer.json?["customerId"]?.string ?? ""
        return true
    }

    // MARK: The app's provider

    private func context(needsRefresh: Bool) async throws -> JSON {
        guard let user else { return [:] }
        if has(.bringsTheExpiredToken), token != nil { return ["Auth": ["Token": token.map { .string($0) } ?? .null]] }
        if token == nil || needsRefresh || style == .always {
            let minted = try await stage.server.admin(
                .post, "credentials", ["form": "jwt", "subject": .string(user)], sandbox: stage.sandbox)
            token = minted["credential"]?.string
        }
        return ["Auth": ["Token": token.map { .string($0) } ?? .null]]
    }

    // MARK: Around it

    /// Before the first session nobody is there to tell of.
    func mark(_ mark: String, _ members: JSON = [:]) async throws {
        guard let lane = user ?? (name.isEmpty ? nil : name) else { return }
        try await stage.mark(mark, members, lane: lane)
    }

    /// Performs an act at the company's end; there may be no conversation.
    func act(_ operation: String, _ members: JSON.Object = [:]) async throws {
        let named: JSON.Object = ["consumer": .string(name)]
        let with = JSON.object(named.merging(members, uniquingKeysWith: { $1 }))
        _ = try await stage.server.send(
            .post, "/__admin/sandboxes/\(stage.sandbox)/acts", json: ["operation": .string(operation), "vendor": "asapp", "with": with])
    }
}
