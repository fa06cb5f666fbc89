import HTTPTypes
import SparringJSON
import Support

final class ASAPPApp: SimulatedApp, @unchecked Sendable {  // one task at a time
    let line: AppLine
    private let brand: SimulatedBrand
    private let company: String
    private var context: JSON = [:]
    private var session: String?

    init(_ line: AppLine, _ published: JSON) {
        self.line = line
        brand = SimulatedBrand(published)
        company = published["asapp"]?["appId"]?.string ?? ""
    }

    func signIn(_ code: String) async throws -> Outcome {
        let (outcome, tokens) = try await brand.redeem(code, line)
        guard let token = tokens["id_token"]?.string ?? tokens["access_token"]?.string else { return outcome }
        context = CompanyScene.context(token)
        let reply = try await call(
            .post, "/session", ["userIdentifier": .string(line.name.person), "context": context, "platform": "ios"])
        if let given = reply.json?["sessionToken"]?.string { session = given }
        return outcome
    }

    func enter() async throws -> Outcome {
        if session == nil { return .idle }
        let reply = try await call(.post, "/socket-url", nil)
        guard let url = reply.json?["url"]?.string, let start = url.firstRange(of: "/chat/")?.lowerBound else { return reply.outcome() }
        return try await line.open(String(url[start...])).outcome()
    }

    func say(_ text: String) async throws -> Outcome {
        if session == nil { return .idle }
        return try await call(.post, "/messages", ["clientMessageId": .string(text), "text": .string(text)]).outcome()
    }

    func read() async throws -> Outcome { session == nil ? .idle : try await call(.get, "/messages", nil).outcome() }

    func register(_ device: String) async throws -> Outcome {
        if session == nil { return .idle }
        return try await call(.put, "/push-token", ["deviceToken": .string(device), "platform": "ios", "context": context]).outcome()
    }

    func unregister(_ device: String) async throws -> Outcome {
        if session == nil { return .idle }
        return try await call(.delete, "/push-token", ["deviceToken": .string(device), "context": context]).outcome()
    }

    func end() async throws -> Outcome { session == nil ? .idle : try await call(.get, "/status", nil).outcome() }

    private func call(_ method: HTTPRequest.Method, _ path: String, _ body: JSON?) async throws -> SimulatedServer.Reply {
        var headers: HTTPFields = [HTTPField.Name("asapp-api-id")!: company]
        headers[.authorization] = session.map { "Bearer \($0)" }
        if body != nil { headers[.contentType] = "application/json" }
        return try await line.call(method, "/chat/v1" + path, headers: headers, body: body?.bytes ?? [])
    }
}
