import Foundation
import HTTPTypes
import SparringJSON
import Support
import Testing

/// An app with Talkdesk's SDK, written with knowledge of the rules. Paths and messages are those of the reference.
actor AuthorizedApp {
    enum Form: String, CaseIterable, Sendable {
        /// `GET /access`, as in the guide.
        case guide
        /// `POST /token/{app}` with Basic, as in the published samples.
        case samples
        /// The guide's, by people who are signed in at the brand.
        case signedIn
    }

    enum State: Equatable, Sendable {
        case idle, running(String), failed(String)
    }

    let stage: ClientStage
    let form: Form
    let account: String
    /// Seconds: `authorizationTimeoutSeconds`.
    let limit = 30.0

    private var session: String?
    private(set) var token: String?
    /// The end of the token's lifetime, by the sandbox's clock.
    private var expires = 0.0
    private(set) var state = State.idle

    init(_ stage: ClientStage, _ form: Form, account: String) {
        (self.stage, self.form, self.account) = (stage, form, account)
    }

    private var lane: String {
        switch form {
        case .guide: "talkdesk.fetchAccess"
        case .samples: "talkdesk.fetchAppToken"
        case .signedIn: ClientStage.lane
        }
    }

    private func mark(_ name: String) async throws { try await stage.mark(name, [:], lane: lane) }

    func start() async throws {
        (token, state) = (nil, .idle)
        if form == .signedIn, session == nil {
            let minted = try await stage.server.admin(
                .post, "credentials", ["form": "access-token", "subject": .string(ClientStage.lane)], sandbox: stage.sandbox)
            session = minted["credential"]?.string
        }
        try await mark("started")
    }

    // MARK: The SDK

    /// Asks the app where there is no authorization, or no more.
    private func authorize() async throws -> Bool {
        if token != nil, try stage.now() < expires { return true }
        token = nil
        try await mark("asked")
        let (began, answer) = (try stage.now(), try await fetch())
        if try stage.now() - began > limit { return false }
        guard let answer else {
            try await mark("not-authorized")
            return false
        }
        (token, expires) = (answer, Self.expiry(of: answer))
        try await mark("authorized")
        return true
    }

    /// A call of the SDK's: refused because of its token, it is sent once more with another.
    private func call(_ method: HTTPRequest.Method, _ path: String, _ json: JSON? = nil) async throws -> TestAnswer? {
        for _ in 1...2 {
            guard try await authorize() else { return nil }
            let (server, bearer) = (stage.server, token ?? "")
            let answer = try await stage.drive(timeOut: 60) {
                let headers: HTTPFields = [.authorization: "Bearer \(bearer)"]
                guard let json else { return try await server.send(method, path, headers: headers) }
                return try await server.send(method, path, headers: headers, json: json)
            }
            guard answer?.status == 401 else { return answer }
            token = nil
        }
        try await mark("gave-up")
        return nil
    }

    func startInteraction() async throws {
        let answer = try await call(
            .post, "/gateway/\(account)/visual-sessions/interactions", ["app_id": "example-app-ios", "intention": "support"])
        state = answer?.json?["id"]?.string.map { .running($0) } ?? .failed("not authorized")
    }

    func say(_ text: String) async throws {
        guard case .running(let id) = state else { return }
        _ = try await call(.post, "/gateway/\(account)/visual-sessions/interactions/\(id)/messages", ["text": .string(text)])
    }

    func read() async throws {
        guard case .running(let id) = state else { return }
        _ = try await call(.get, "/gateway/\(account)/visual-sessions/interactions/\(id)")
    }

    func end() async throws {
        guard case .running(let id) = state else { return }
        _ = try await call(.delete, "/gateway/\(account)/visual-sessions/interactions/\(id)")
        state = .idle
    }

    // MARK: The app

    /// The token, or nil where the backend says no.
    private func fetch() async throws -> String? {
        let (server, form, account, session) = (stage.server, form, account, session)
        let late: @Sendable () async throws -> Void = { try await self.mark("timed-out") }
        let answer = try await stage.drive(timeOut: 60, meanwhile: (limit, late)) {
            switch form {
            case .guide: try await server.send(.get, "/access?account=\(account)")
            case .signedIn:
                try await server.send(.get, "/access?account=\(account)", headers: [.authorization: "Bearer \(session ?? "")"])
            case .samples:
                try await server.send(
                    .post, "/token/example-app-ios?account=\(account)",
                    headers: [.authorization: TalkdeskScene.basic("user", "pwd"), .accept: "application/json"])
            }
        }
        return form == .samples
            ? (answer?.status == 201 ? answer?.json?["auth_token"]?.string : nil) : (answer?.status == 200 ? answer?.text : nil)
    }

    private static func expiry(of token: String) -> Double {
        let part = token.split(separator: ".").dropFirst().first.map(String.init) ?? ""
        let padded = part.replacing("-", with: "+").replacing("_", with: "/") + String(repeating: "=", count: (4 - part.count % 4) % 4)
        let claims = Data(base64Encoded: padded).flatMap { try? JSON(parsing: Array($0)) }
        return claims?["exp"]?.double ?? .infinity
    }
}
