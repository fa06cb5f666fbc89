import HTTPTypes
import SparringEngine
import SparringJSON
import Support
import Testing

/// An app at Khoros, and users with devices. Paths stand here as the reference has them, not as the contract does.
struct MessengerScene: Sendable {
    let server: TestServer
    var app = Self.app
    var sandbox = "default"
    /// Before `/v2`: web clients have a base with a path.
    var base = ""
    static let app = "5f0c0e1a2b3c4d5e6f708190"
    static let integrations = ["ios": "5f0c0e1a2b3c4d5e6f708191", "android": "5f0c0e1a2b3c4d5e6f708192", "web": "5f0c0e1a2b3c4d5e6f708193"]
    static let key: JSON = ["id": "app_1", "secret": "khoros-example-secret"]

    /// - Parameters:
    ///   - app: further members of the app's configuration.
    ///   - identity: of the identity provider's.
    static func tenants(_ app: JSON.Object = [:], identity: JSON.Object = [:]) -> JSON.Object {
        let integrations = Self.integrations.sorted { $0.key < $1.key }.map { platform, id -> JSON in
            ["id": .string(id), "platform": .string(platform)]
        }
        let own: JSON = ["appId": .string(Self.app), "integrations": .array(integrations)]
        return [
            "khoros": own.merging(.object(app)),
            "identity": (["tenantId": "brand", "appKey": key] as JSON).merging(.object(identity)),
        ]
    }

    static func run(
        _ app: JSON.Object = [:], identity: JSON.Object = [:], findings: Int = 0, _ body: (MessengerScene) async throws -> Void
    ) async throws {
        try await TestServer.run(tenants: tenants(app, identity: identity)) { server in
            try await body(MessengerScene(server: server))
            // Nothing that the vendor sends or answers breaks its contract.
            let found = try await server.journal("?kind=finding")
            #expect(found.count == findings, "\(found.map(\.text))")
        }
    }

    func advance(_ by: String) async throws { try await server.admin(.post, "clock/advance", ["by": .string(by)], sandbox: sandbox) }
    func arm(_ fault: String) async throws { _ = try await server.arm(fault) }

    @discardableResult
    func act(_ name: String, _ body: JSON) async throws -> JSON {
        try await server.admin(.post, "acts", ["operation": .string(name), "vendor": "khoros", "with": body], sandbox: sandbox)
    }

    func entry(_ operation: String) async throws -> JSON {
        try #require(try await server.journal("?operation=khoros.\(operation)").last, "no entry of \(operation)")
    }

    // MARK: Credentials

    /// A JWT as the brand's backend would sign it.
    func jwt(_ user: String, _ wishes: JSON.Object = [:]) async throws -> String {
        try await credential("app-jwt", user, wishes)
    }

    func credential(_ form: String, _ user: String, _ wishes: JSON.Object = [:]) async throws -> String {
        let wish: JSON.Object = ["form": .string(form), "subject": .string(user)]
        let minted = try await server.admin(
            .post, "credentials", .object(wish.merging(wishes, uniquingKeysWith: { $1 })), sandbox: sandbox)
        return try #require(minted["credential"]?.string, "\(minted.text)")
    }

    // MARK: Calls

    static func client(_ platform: String, id: String? = nil, token: String? = nil) -> JSON {
        .members([
            "id": .string(id ?? "\(platform)-1"), "platform": .string(platform),
            "integrationId": integrations[platform].map { .string($0) }, "pushNotificationToken": token.map { .string($0) },
        ])
    }

    func config(_ integration: String) async throws -> TestAnswer {
        try await server.send(.get, "\(base.isEmpty ? "/sdk" : base)/v2/integrations/\(integration)/config")
    }

    /// - Parameter path: behind `/v2/apps/{appId}`.
    func call(
        _ method: HTTPRequest.Method, _ path: String, _ body: JSON? = nil, by authorization: String? = nil, client: String? = nil
    ) async throws -> TestAnswer {
        var headers: HTTPFields = [:]
        headers[.authorization] = authorization
        if let client { headers[HTTPField.Name("x-smooch-clientid")!] = client }
        let target = "\(base)/v2/apps/\(app)\(path)"
        if let body { return try await server.send(method, target, headers: headers, json: body) }
        return try await server.send(method, target, headers: headers)
    }

    func logIn(_ user: String, _ jwt: String, _ client: JSON = Self.client("ios"), more: JSON.Object = [:]) async throws -> TestAnswer {
        let body: JSON.Object = ["userId": .string(user), "client": client]
        return try await call(
            .post, "/login", .object(body.merging(more, uniquingKeysWith: { $1 })), by: "Bearer \(jwt)", client: client["id"]?.string)
    }

    /// Somebody who has logged in.
    func member(_ user: String, _ client: JSON = Self.client("ios")) async throws -> Member {
        let jwt = try await jwt(user)
        let answer = try await logIn(user, jwt, client)
        let id = try #require(answer.json?["appUser"]?["_id"]?.string, "\(answer.text)")
        return Member(scene: self, user: user, id: id, jwt: jwt, client: client)
    }

    func faye() async throws -> BayeuxClient {
        BayeuxClient(socket: try await SocketClient(port: server.addresses.port, target: "/faye/\(app)"), app: app)
    }

    /// Does something that leaves rows in each of the vendor's tables.
    func leaveRowsEverywhere() async throws {
        let integration = try await server.admin(.get, "tenants/khoros", sandbox: sandbox)["iosIntegrationId"] ?? .null
        let ann = try await member("ann", ["id": "c", "platform": "ios", "integrationId": integration, "pushNotificationToken": "t"])
        _ = try await ann.begin("hello")
        try await act("file", ["consumer": "ann", "fileName": "a.txt", "mimeType": "text/plain", "content": "aGk="])
        try await act("issueAuthCode", ["consumer": "ann"])
        let session = try await credential("access-token", "ann")
        #expect(!session.isEmpty)
    }
}

/// A user on a device.
struct Member: Sendable {
    let scene: MessengerScene
    let user: String
    /// The vendor's.
    let id: String
    var jwt: String
    let client: JSON

    var author: JSON { ["role": "appUser", "appUserId": .string(id), "client": client] }

    func call(_ method: HTTPRequest.Method, _ path: String, _ body: JSON? = nil) async throws -> TestAnswer {
        try await scene.call(method, path, body, by: "Bearer \(jwt)", client: client["id"]?.string)
    }

    func read() async throws -> TestAnswer { try await call(.get, "/appusers/\(id)") }

    /// Begins a conversation, and returns its id.
    func begin(_ text: String) async throws -> String {
        let body: JSON = [
            "type": "personal", "messages": [["text": .string(text), "type": "text"]], "client": client,
        ]
        let answer = try await call(.post, "/appusers/\(id)/conversations", body)
        return try #require(answer.json?["conversation"]?["_id"]?.string, "\(answer.text)")
    }

    func say(_ text: String, in conversation: String) async throws -> TestAnswer {
        try await send(["text": .string(text), "role": "appUser", "type": "text"], in: conversation)
    }

    /// - Parameter author: further members of the author.
    func send(_ message: JSON, in conversation: String, author more: JSON = [:]) async throws -> TestAnswer {
        let body: JSON = ["message": message, "author": author.merging(more)]
        return try await call(.post, "/conversations/\(conversation)/messages", body)
    }

    func report(_ activity: JSON, in conversation: String) async throws -> TestAnswer {
        try await call(.post, "/conversations/\(conversation)/activity", ["activity": activity, "author": author])
    }

    func texts(of conversation: String) async throws -> [String] {
        let answer = try await call(.get, "/conversations/\(conversation)/messages")
        return (answer.json?["messages"]?.array ?? []).compactMap { $0["text"]?.string }
    }

    func unread(_ conversation: String) async throws -> Int64? {
        let answer = try await call(.get, "/conversations/\(conversation)")
        return answer.json?["conversation"]?["participants"]?.array?.first?["unreadCount"]?.integer
    }

    /// A socket that is subscribed.
    func listen() async throws -> BayeuxClient {
        let faye = try await scene.faye()
        let subscribed = try await faye.subscribe(to: id, ["jwt": .string(jwt)])
        #expect(subscribed["successful"] == true, "\(subscribed.text)")
        return faye
    }
}

/// A client's end of a Bayeux socket.
final class BayeuxClient: @unchecked Sendable {  // one test, one task
    let socket: SocketClient
    let app: String
    private(set) var clientId = ""

    init(socket: SocketClient, app: String) { (self.socket, self.app) = (socket, app) }

    /// Sends a message and returns the one of the answer's array.
    func send(_ channel: String, _ members: JSON.Object = [:]) async throws -> JSON {
        var message: JSON.Object = ["channel": .string(channel)]
        if !clientId.isEmpty { message["clientId"] = .string(clientId) }
        socket.send(.object(message.merging(members, uniquingKeysWith: { $1 })))
        return try await answer(channel)
    }

    func answer(_ channel: String) async throws -> JSON {
        let frame = try await socket.message("the answer of \(channel)") { $0.array?.first?["channel"]?.string == channel }
        #expect(frame.array?.count == 1)
        return frame.array?.first ?? .null
    }

    @discardableResult
    func shakeHands() async throws -> JSON {
        let done = try await send(
            "/meta/handshake",
            ["version": "1.0", "minimumVersion": "1.0beta", "supportedConnectionTypes": ["long-polling", "websocket"]])
        clientId = done["clientId"]?.string ?? ""
        return done
    }

    func connect() async throws -> JSON { try await send("/meta/connect", ["connectionType": "websocket"]) }

    /// Shakes hands, connects and subscribes.
    func subscribe(to user: String, _ credential: JSON.Object) async throws -> JSON {
        if clientId.isEmpty {
            try await shakeHands()
            _ = try await connect()
        }
        let ext: JSON.Object = ["appId": .string(app), "appUserId": .string(user)]
        return try await send(
            "/meta/subscribe",
            [
                "subscription": .string("/sdk/apps/\(app)/appusers/\(user)"),
                "ext": .object(ext.merging(credential, uniquingKeysWith: { $1 })),
            ])
    }

    /// The next event of a type.
    func event(_ type: String) async throws -> JSON {
        func event(in frame: JSON) -> JSON? { frame.array?.first?["data"]?["events"]?.array?.first { $0["type"]?.string == type } }
        let frame = try await socket.message("the event \(type)") { event(in: $0) != nil }
        return event(in: frame) ?? .null
    }
}

extension TestAnswer {
    /// `401 invalid_auth`: the status and the body's code.
    var refusalWords: String { "\(status) \(json?["error"]?["code"]?.string ?? "")" }
}
