import HTTPTypes
import SparringEngine
import SparringJSON
import Support
import Testing

/// A company at ASAPP, and people with its app. Paths stand here as the reference has them, not as the contract does.
struct CompanyScene: Sendable {
    let server: TestServer
    var company = "acme"
    var sandbox = "default"

    /// - Parameters:
    ///   - company: further members of the company's configuration.
    ///   - identity: of the identity provider's.
    static func tenants(_ company: JSON.Object = [:], identity: JSON.Object = [:]) -> JSON.Object {
        [
            "asapp": (["appId": "acme"] as JSON).merging(.object(company)),
            "identity": (["tenantId": "brand"] as JSON).merging(.object(identity)),
        ]
    }

    static func run(
        _ company: JSON.Object = [:], identity: JSON.Object = [:], _ speed: TestServer.Speed = .pipeline, findings: Int = 0,
        _ body: (CompanyScene) async throws -> Void
    ) async throws {
        try await TestServer.run(speed, tenants: tenants(company, identity: identity)) { server in
            try await body(CompanyScene(server: server))
            // Nothing that the vendor sends or answers breaks its contract. A finding may be written after the answer that it is about.
            var found: [JSON] = []
            try await until {
                found = try await server.journal("?kind=finding")
                return found.count >= findings
            }
            #expect(found.count == findings, "\(found.map(\.text))")
        }
    }

    func advance(_ by: String) async throws { try await server.admin(.post, "clock/advance", ["by": .string(by)], sandbox: sandbox) }
    func arm(_ fault: String) async throws { _ = try await server.arm(fault) }

    @discardableResult
    func act(_ name: String, _ body: JSON) async throws -> JSON {
        try await server.admin(.post, "acts", ["operation": .string(name), "vendor": "asapp", "with": body], sandbox: sandbox)
    }

    func entries(_ operation: String) async throws -> [JSON] { try await server.journal("?operation=asapp.\(operation)") }
    func entry(_ operation: String) async throws -> JSON { try #require(try await entries(operation).last, "no entry of \(operation)") }

    /// The codes of an operation's last entry's findings.
    func findings(_ operation: String) async throws -> [String] {
        try await entry(operation)["findings"]?.array?.compactMap { $0["code"]?.string } ?? []
    }

    func notifications(_ device: String) async throws -> [JSON] {
        try await advance("0s")
        let shown = try await server.admin(.get, "devices/\(device)/notifications", sandbox: sandbox)
        return shown["notifications"]?.array ?? []
    }

    // MARK: Credentials

    func token(_ user: String, _ wishes: JSON.Object = [:], form: String = "jwt") async throws -> String {
        let wish: JSON.Object = ["form": .string(form), "subject": .string(user)]
        let minted = try await server.admin(
            .post, "credentials", .object(wish.merging(wishes, uniquingKeysWith: { $1 })), sandbox: sandbox)
        return try #require(minted["credential"]?.string, "\(minted.text)")
    }

    static func context(_ token: String?) -> JSON { token.map { ["Auth": ["Token": .string($0)]] } ?? [:] }

    // MARK: Calls

    func call(
        _ method: HTTPRequest.Method, _ path: String, _ body: JSON? = nil, by session: String? = nil, secret: String? = nil
    ) async throws -> TestAnswer {
        var headers: HTTPFields = [HTTPField.Name("asapp-api-id")!: company]
        headers[.authorization] = session.map { "Bearer \($0)" }
        if let secret { headers[HTTPField.Name("asapp-api-secret")!] = secret }
        if let body { return try await server.send(method, "/chat/v1" + path, headers: headers, json: body) }
        return try await server.send(method, "/chat/v1" + path, headers: headers)
    }

    /// - Parameter user: nil: nobody in particular.
    func start(
        _ user: String?, _ context: JSON = [:], after session: String? = nil, platform: String = "ios", secret: String? = nil
    ) async throws -> TestAnswer {
        let body: JSON = ["userIdentifier": user.map { .string($0) } ?? .null, "context": context, "platform": .string(platform)]
        return try await call(.post, "/session", body, by: session, secret: secret)
    }

    /// Somebody who has a session.
    func person(_ user: String?, after session: String? = nil, platform: String = "ios") async throws -> Person {
        var context: JSON = [:]
        if let user { context = Self.context(try await token(user)) }
        let answer = try await start(user, context, after: session, platform: platform)
        let session = try #require(answer.json?["sessionToken"]?.string, "\(answer.text)")
        return Person(scene: self, name: user ?? answer.json?["customerId"]?.string ?? "", session: session, platform: platform)
    }

    func socket(_ url: String) async throws -> SocketClient {
        let target = try #require(url.firstRange(of: "/chat/"), "\(url)").lowerBound
        return try await SocketClient(port: server.addresses.port, target: String(url[target...]))
    }

    /// The code by which a socket is refused; nil where it opens.
    func refusal(of url: String) async throws -> String? {
        do {
            _ = try await socket(url)
            return nil
        } catch let refused as SocketClient.Refused {
            return try JSON(parsing: refused.answer.body)["error"]?["code"]?.string
        }
    }

    /// Does something that leaves rows in each of the vendor's tables.
    func leaveRowsEverywhere() async throws {
        let ann = try await person("ann")
        #expect(try await ann.register("d").status == 204)
        #expect(try await ann.say("hello").status == 201)
        _ = try await ann.call(.post, "/socket-url")
        try await act("say", ["consumer": "ann", "text": "hello"])
        try await server.admin(.post, "clock/advance", ["by": "0s"], sandbox: sandbox)
    }
}

/// Somebody with a session.
struct Person: Sendable {
    let scene: CompanyScene
    /// The person's name in the journal.
    let name: String
    let session: String
    let platform: String

    func call(_ method: HTTPRequest.Method, _ path: String, _ body: JSON? = nil) async throws -> TestAnswer {
        try await scene.call(method, path, body, by: session)
    }

    func register(_ device: String, _ context: JSON? = nil) async throws -> TestAnswer {
        try await call(
            .put, "/push-token", .members(["deviceToken": .string(device), "platform": .string(platform), "context": context]))
    }

    func deregister(_ device: String? = nil, _ context: JSON? = nil) async throws -> TestAnswer {
        try await call(.delete, "/push-token", .members(["deviceToken": device.map { .string($0) }, "context": context]))
    }

    func say(_ text: String, id: String? = nil) async throws -> TestAnswer {
        try await call(.post, "/messages", ["clientMessageId": .string(id ?? text), "text": .string(text)])
    }

    func texts(after id: String? = nil) async throws -> [String] {
        let answer = try await call(.get, "/messages" + (id.map { "?after=\($0)" } ?? ""))
        return (answer.json?["messages"]?.array ?? []).compactMap { $0["text"]?.string }
    }

    /// `2 live`: what the app's status is made of.
    func status() async throws -> String {
        let json = try await call(.get, "/status").json
        return "\(json?["unreadMessages"]?.text ?? "?")\(json?["isLiveChat"] == true ? " live" : "")"
    }

    func socketURL() async throws -> String {
        let answer = try await call(.post, "/socket-url")
        return try #require(answer.json?["url"]?.string, "\(answer.text)")
    }

    /// Enters chat.
    func enter() async throws -> SocketClient { try await scene.socket(try await socketURL()) }
}

extension TestAnswer {
    /// `401-02`: the code of an error.
    var code: String? { json?["error"]?["code"]?.string }
}
