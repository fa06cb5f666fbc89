import HTTPTypes
import SparringEngine
import SparringJSON
import Support
import Testing

/// A brand at CXone with a channel for each chat mode, and customers with sockets.
struct ChatScene: Sendable {
    enum Mode: String, CaseIterable, Sendable {
        case single, multi, live
        var channel: String { "chat_\(rawValue)" }
        /// The event by which clients load what there is.
        var loading: String { self == .single ? "RecoverThread" : self == .multi ? "FetchThreadList" : "RecoverLivechat" }
    }

    let server: TestServer
    var brand = Self.brand
    var sandbox = "default"
    static let brand = "1386"

    /// - Parameters:
    ///   - channels: what all channels have.
    ///   - brand: further members of the brand's configuration.
    static func tenants(_ channels: JSON.Object = [:], brand: JSON.Object = [:]) -> JSON.Object {
        let all = JSON.members([
            "brandId": .string(Self.brand), "channelDefaults": channels.isEmpty ? nil : .object(channels),
            "channels": .array(Mode.allCases.map { ["channelId": .string($0.channel), "mode": .string($0.rawValue)] }),
        ])
        return ["cxone": all.merging(.object(brand)), "identity": ["tenantId": "brand"]]
    }

    static func run(
        _ channels: JSON.Object = [:], brand: JSON.Object = [:], findings: Int = 0, _ body: (ChatScene) async throws -> Void
    ) async throws {
        try await TestServer.run(tenants: tenants(channels, brand: brand)) { server in
            try await body(ChatScene(server: server))
            // Nothing that the vendor sends or answers breaks its contract.
            #expect(try await server.journal("?kind=finding").count == findings)
        }
    }

    func advance(_ by: String) async throws { try await server.admin(.post, "clock/advance", ["by": .string(by)], sandbox: sandbox) }

    // MARK: Calls

    static func visitor(_ name: String) -> String {
        "00000000-0000-4000-8000-\(name.utf8.map { String($0, radix: 16) }.joined().padded(to: 12))"
    }

    func channel(_ mode: Mode, headers: HTTPFields = [:]) async throws -> TestAnswer {
        try await server.send(.get, "/chat/1.0/brand/\(brand)/channel/\(mode.channel)", headers: headers)
    }

    @discardableResult
    func prepare(_ name: String, device: String? = nil) async throws -> TestAnswer {
        let body: JSON = [
            "customerIdentity": ["idOnExternalPlatform": .string(name)],
            "browserFingerprint": .members(["os": "iOS", "deviceToken": device.map { .string($0) }]),
        ]
        return try await server.send(.put, "/web-analytics/1.0/tenants/\(brand)/visitors/\(Self.visitor(name))", json: body)
    }

    func token(_ mode: Mode, _ name: String, _ body: JSON, headers: HTTPFields = [:]) async throws -> TestAnswer {
        try await server.send(
            .post, "/oauth/token?channelId=\(mode.channel)&brandId=\(brand)&visitorId=\(Self.visitor(name))", headers: headers, json: body)
    }

    /// A code of the brand's for somebody.
    func code(_ name: String, _ members: JSON.Object = [:]) async throws -> String {
        let wish: JSON.Object = ["form": "code", "subject": .string(name), "redirectURI": "https://liveperson.net"]
        let minted = try await server.admin(
            .post, "credentials", .object(wish.merging(members, uniquingKeysWith: { $1 })), sandbox: sandbox)
        return try #require(minted["credential"]?.string, "\(minted.text)")
    }

    @discardableResult
    func act(_ name: String, _ body: JSON) async throws -> JSON {
        try await server.admin(.post, "acts", ["operation": .string(name), "vendor": "cxone", "with": body], sandbox: sandbox)
    }

    func arm(_ fault: String) async throws { _ = try await server.arm(fault) }

    func entry(_ operation: String) async throws -> JSON {
        try #require(try await server.journal("?operation=cxone.\(operation)").last, "no entry of \(operation)")
    }

    // MARK: Sockets

    func open(_ mode: Mode, _ name: String, as platform: String = "ios", more: String = "") async throws -> Chatter {
        let target =
            "/?brandId=\(brand)&channelId=\(mode.channel)&visitorId=\(Self.visitor(name))&sdkPlatform=\(platform)&sdkVersion=3.3.1\(more)"
        return Chatter(
            socket: try await SocketClient(port: server.addresses.port, target: target), mode: mode, name: name, channel: mode.channel,
            brand: brand)
    }

    /// A socket on which somebody is signed in without the brand, and has loaded what there is.
    func chatter(_ mode: Mode, _ name: String, as platform: String = "ios") async throws -> Chatter {
        let chatter = try await open(mode, name, as: platform)
        let authorized = try await chatter.authorize()
        #expect(authorized["postback"]?["eventType"] == "ConsumerAuthorized", "\(authorized.text)")
        _ = try await chatter.send(mode.loading)
        return chatter
    }
}

/// A customer's end of a socket, speaking as the iOS SDK does.
struct Chatter: Sendable {
    let socket: SocketClient
    let mode: ChatScene.Mode
    let name: String
    let channel: String
    var brand = ChatScene.brand

    /// The envelope of an event (CXone reference 4.5).
    func event(_ type: String, _ data: JSON?, id: String, action: String = "chatWindowEvent") -> JSON {
        [
            "action": .string(action), "eventId": .string(id),
            "payload": .members([
                "brand": ["id": .integer(Int64(brand) ?? 0)], "channel": ["id": .string(channel)],
                "customerIdentity": ["idOnExternalPlatform": .string(name)], "eventType": .string(type), "data": data,
                "visitor": ["id": .string(ChatScene.visitor(name))],
            ]),
        ]
    }

    /// Sends an event and returns the frame with its id; what else comes meanwhile is kept.
    func send(_ type: String, _ data: JSON? = nil, action: String = "chatWindowEvent") async throws -> JSON {
        let id = socket.freshID()
        socket.send(event(type, data, id: id, action: action))
        return try await socket.message("the answer to \(type)") { $0["eventId"]?.string == id }
    }

    func authorize(_ authorization: JSON? = nil) async throws -> JSON {
        try await send(
            "AuthorizeCustomer",
            .members(["disableChannelInfo": true, "sdkPlatform": "ios", "sdkVersion": "3.3.1", "authorization": authorization]),
            action: "register")
    }

    /// The next event of the server's own of a type.
    func pushed(_ type: String) async throws -> JSON {
        try await socket.message(type) { $0["eventType"]?.string == type }
    }

    static func thread(_ number: Int) -> JSON { ["idOnExternalPlatform": .string(threadId(number))] }
    static func threadId(_ number: Int) -> String { "3118d0df-99aa-49e9-a115-\(String(100_000_000_000 + number))" }
    static func messageId(_ number: Int) -> String { "64eefc99-2a59-4e98-a47a-\(String(100_000_000_000 + number))" }

    /// Says something in a thread; the message has the number for its id.
    func say(_ text: String, _ message: Int, in thread: Int = 1, _ members: JSON.Object = [:], as event: String = "SendMessage")
        async throws -> JSON
    {
        let data: JSON.Object = [
            "thread": Self.thread(thread), "messageContent": ["type": "TEXT", "payload": ["text": .string(text)]],
            "idOnExternalPlatform": .string(Self.messageId(message)), "customer": ["customFields": []], "contact": ["customFields": []],
            "attachments": [], "deviceFingerprint": ["os": "iOS"],
        ]
        return try await send(event, .object(data.merging(members, uniquingKeysWith: { $1 })))
    }

    /// Says the first thing, and returns the contact that it began.
    func begin(_ text: String = "hello", _ message: Int = 1, in thread: Int = 1) async throws -> JSON {
        let answer = try await say(text, message, in: thread)
        #expect(answer.object?.keys.elements == ["eventId"], "\(answer.text)")
        let created = try await pushed("CaseCreated")
        _ = try await pushed("MessageCreated")
        return try #require(created["data"]?["case"])
    }
}

extension String {
    /// Hexadecimal digits of just this many characters.
    fileprivate func padded(to length: Int) -> String { String((self + String(repeating: "0", count: length)).prefix(length)) }
}

extension JSON {
    /// `errorCode errorMessage` of an operation error.
    var errorWords: String? {
        self["error"].map { "\($0["errorCode"]?.string ?? "?") \($0["errorMessage"]?.string ?? "?")" }
    }
}

extension ChatScene {
    /// Does something that leaves rows in each of the vendor's tables.
    func leaveRowsEverywhere() async throws {
        try await server.admin(
            .patch, "tenants/cxone",
            .object([
                "channels": Self.tenants()["cxone"]?["channels"] ?? [], "channelDefaults": ["authorization": "oauth"], "largestFrame": 3000,
            ]), sandbox: sandbox)
        try await prepare("ada", device: "d-1")
        let upload: JSON = ["content": "aGk=", "fileName": "a.txt", "mimeType": "text/plain"]
        _ = try await server.send(.post, "/chat/1.0/brand/\(brand)/channel/chat_live/attachment", json: upload)
        let (ada, bob) = (try await open(.live, "ada"), try await open(.live, "bob"))
        var tokens: [JSON] = []
        for chatter in [ada, bob] {
            let authorized = try await chatter.authorize(["authorizationCode": .string(try await code(chatter.name))])
            tokens.append(["token": try #require(authorized["postback"]?["data"]?["accessToken"]?["token"], "\(authorized.text)")])
        }
        _ = try await ada.say(String(repeating: "long ", count: 300), 1, ["accessToken": tokens[0]])
        let contact = try await ada.pushed("CaseCreated")["data"]?["case"]?["id"] ?? .null
        let invitation = try await ada.send("CreateInvitationToGroupChat", ["contact": ["id": contact]])["postback"]?["data"]?["invitation"]
        let joined = try await bob.send("JoinGroupChat", ["invitation": ["code": invitation?["code"] ?? .null]])
        #expect(joined["postback"] != nil, "\(joined.text)")
    }
}
