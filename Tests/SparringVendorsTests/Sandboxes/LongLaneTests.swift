import HTTPTypes
import SparringEngine
import SparringJSON
import Support
import Testing

/// Lanes made of what clients send: their names end at 255 bytes, wherever they come from.
@Suite struct LongLaneTests {
    private static let long = String(repeating: "n", count: 256)
    /// Three bytes each in UTF-8.
    private static let wide = String(repeating: "\u{20AC}", count: 86)

    private func expectShortLanes(_ server: TestServer, of operations: String...) async throws {
        let entries = try await server.journal("?limit=10000")
        for operation in operations { #expect(entries.contains { $0["operation"]?.string == operation }, "\(operation)") }
        for entry in entries {
            let lanes = [entry["lane"], entry["actor"], entry["causedBy"]?["lane"]].compactMap { $0?.string }
            #expect(lanes.allSatisfy { $0.utf8.count <= 255 }, "\(entry["operation"]?.string ?? ""): \(lanes)")
        }
    }

    /// Scheduled work, and the call that it makes.
    @Test(arguments: [(255, nil), (256, "asapp.push"), (3068, "asapp.push")] as [(Int, String?)])
    func `a device token that is no lane leaves its pushes in that of their kind`(_ count: Int, _ lane: String?) async throws {
        try await CompanyScene.run { scene async throws in
            let token = String(repeating: "t", count: count)
            #expect(try await scene.person("ann").register(token).status == 204)
            try await scene.act("push", ["consumer": "ann", "text": "hello"])
            try await scene.advance("0s")
            #expect(try await scene.entry("receivePush")["answer"]?["status"] == 200)
            #expect(try await scene.entry("push")["lane"]?.string == lane ?? token)
            #expect(try await scene.entry("receivePush")["lane"]?.string == lane ?? token)
            try await expectShortLanes(scene.server, of: "asapp.push", "asapp.receivePush")
        }
    }

    /// The owner of a credential, and of a socket.
    @Test(arguments: [long, wide])
    func `a subject that is no lane leaves a consumer's calls and messages in those of their operations`(_ subject: String) async throws {
        try await MessagingScene.run { scene in
            let minted = try await scene.server.admin(
                .post, "credentials", ["form": "jwt", "subject": "ada", "claims": ["sub": .string(subject)]])
            let answer = try await scene.server.send(
                .post, "/api/account/acme/app/default/authenticate?v=2.0", json: ["id_token": minted["credential"] ?? .null])
            let socket = try await scene.socket(token: try #require(answer.json?["jwt"]?.string, "\(answer.text)"))
            let conversation = try await scene.conversation(socket)
            #expect(try await scene.say("hello", in: conversation, on: socket)["code"] == 200)
            try await expectShortLanes(scene.server, of: "liveperson.openConsumerSocket", "liveperson.publishText")
        }
    }

    /// The app may have 255 characters in a userId, not bytes.
    @Test func `a user's id that is no lane is none on the socket either, nor for an agent`() async throws {
        let user = Self.wide
        try await MessengerScene.run { scene async throws in
            let jwt = try await scene.jwt("ann", ["claims": ["userId": .string(user)]])
            let answer = try await scene.logIn(user, jwt)
            let id = try #require(answer.json?["appUser"]?["_id"]?.string, "\(answer.text)")
            let ann = Member(scene: scene, user: user, id: id, jwt: jwt, client: MessengerScene.client("ios"))
            _ = try await ann.begin("hello")
            _ = try await ann.listen()
            try await scene.act("say", ["consumer": .string(id), "text": "hello"])
            try await expectShortLanes(scene.server, of: "khoros.logIn", "khoros.subscribe")
        }
    }

    @Test func `a customer's id that is no lane is none on the socket`() async throws {
        try await ChatScene.run { scene in
            let chatter = try await scene.chatter(.single, Self.long)
            _ = try await chatter.begin()
            try await expectShortLanes(scene.server, of: "cxone.authorizeCustomer", "cxone.sendMessage")
        }
    }
}
