import HTTPTypes
import SparringJSON
import Support

final class TalkdeskApp: SimulatedApp, @unchecked Sendable {  // one task at a time
    let line: AppLine
    private let brand: SimulatedBrand
    private let account: String
    private var token: String?
    private var interaction: String?

    init(_ line: AppLine, _ published: JSON) {
        self.line = line
        brand = SimulatedBrand(published)
        account = published["talkdesk"]?["account"]?.string ?? ""
    }

    func signIn(_ code: String) async throws -> Outcome {
        let (outcome, tokens) = try await brand.redeem(code, line)
        guard let session = tokens["access_token"]?.string else { return outcome }
        let reply = try await line.call(.get, "/access?account=\(account)", by: "Bearer \(session)", nil)
        if case .answer(let answer) = reply, answer.status == 200 { token = answer.text }
        return outcome
    }

    func say(_ text: String) async throws -> Outcome {
        if token == nil { return .idle }
        if interaction == nil {
            let opened = try await call(.post, "", ["app_id": "example-app-ios", "intention": "support"])
            interaction = opened.json?["id"]?.string
            await line.rest()
        }
        guard let interaction else { return .unknown }
        return try await call(.post, "/\(interaction)/messages", ["text": .string(text)]).outcome()
    }

    func read() async throws -> Outcome {
        guard let interaction else { return .idle }
        return try await call(.get, "/\(interaction)", nil).outcome()
    }

    func end() async throws -> Outcome {
        guard let interaction else { return .idle }
        self.interaction = nil
        return try await call(.delete, "/\(interaction)", nil).outcome()
    }

    private func call(_ method: HTTPRequest.Method, _ path: String, _ body: JSON?) async throws -> SimulatedServer.Reply {
        try await line.call(
            method, "/gateway/\(account)/visual-sessions/interactions\(path)", by: token.map { "Bearer \($0)" }, body)
    }
}
