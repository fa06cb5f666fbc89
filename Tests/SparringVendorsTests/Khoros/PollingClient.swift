import HTTPTypes
import SparringJSON
import Support
import Testing

/// A client's end of Bayeux over HTTP, as Faye's libraries have it.
struct PollingClient {
    let scene: MessengerScene
    var clientId = ""

    init(_ scene: MessengerScene) { self.scene = scene }

    /// Posts messages, with the client's id where there is one.
    func post(_ messages: JSON.Object...) async throws -> TestAnswer {
        try await scene.server.send(.post, "/faye/\(scene.app)", json: .array(messages.map(filled)))
    }

    /// The messages of the answer.
    func send(_ messages: JSON.Object...) async throws -> [JSON] {
        let answer = try await scene.server.send(.post, "/faye/\(scene.app)", json: .array(messages.map(filled)))
        return try #require(answer.json?.array, "\(answer.status) \(answer.text)")
    }

    private func filled(_ message: JSON.Object) -> JSON {
        .object(clientId.isEmpty ? message : message.merging(["clientId": .string(clientId)]) { given, _ in given })
    }

    static let handshake: JSON.Object = [
        "channel": "/meta/handshake", "version": "1.0", "id": "1",
        "supportedConnectionTypes": ["long-polling", "callback-polling", "in-process"],
    ]
    static let connect: JSON.Object = ["channel": "/meta/connect", "connectionType": "long-polling", "id": "c"]

    @discardableResult
    mutating func shakeHands() async throws -> JSON {
        let done = try #require(try await send(Self.handshake).first)
        clientId = done["clientId"]?.string ?? ""
        return done
    }

    static func subscription(_ user: Member) -> JSON.Object {
        [
            "channel": "/meta/subscribe", "id": "s", "subscription": .string("/sdk/apps/\(user.scene.app)/appusers/\(user.id)"),
            "ext": ["appId": .string(user.scene.app), "appUserId": .string(user.id), "jwt": .string(user.jwt)],
        ]
    }

    /// Shakes hands, connects and subscribes.
    static func listening(as user: Member) async throws -> PollingClient {
        var client = PollingClient(user.scene)
        try await client.shakeHands()
        let first = try await client.send(connect)
        let subscribed = try await client.send(subscription(user))
        #expect(first.map(\.isSuccess) == [true] && subscribed.map(\.isSuccess) == [true], "\(first), \(subscribed)")
        return client
    }

    /// Polls until something comes.
    func poll() async throws -> [JSON] { try await send(Self.connect) }
}

extension JSON {
    fileprivate var isSuccess: Bool { self["successful"] == true }
    /// The texts of the messages in an event's frame.
    var texts: [String] { self["data"]?["events"]?.array?.compactMap { $0["message"]?["text"]?.string } ?? [] }
}
