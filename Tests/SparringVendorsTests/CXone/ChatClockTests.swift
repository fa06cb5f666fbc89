import HTTPTypes
import SparringEngine
import SparringJSON
import Support
import Testing

/// The lifetimes and later deadlines at CXone, by the sandbox's clock.
@Suite struct ChatClockTests {
    /// Something with an end, and what is made of it before and after that.
    struct Lasting: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let seconds: Int
        let channels: JSON.Object
        let brand: JSON.Object
        /// Makes it, and returns what tells whether it is still good.
        let make: @Sendable (ChatScene) async throws -> @Sendable () async throws -> Bool
    }

    private static let ends: [Lasting] = [
        Lasting(testDescription: "a transaction token", seconds: 600, channels: ["securedSessions": true], brand: [:]) { scene in
            let body: JSON = ["customerIdentity": ["idOnExternalPlatform": "ada"]]
            let token = try #require(try await scene.token(.single, "ada", body).json?["accessToken"]?.string)
            return { (try? await scene.open(.single, "ada", more: "&transactionToken=\(token)")) != nil }
        },
        Lasting(testDescription: "an access token", seconds: 3600, channels: ["authorization": "oauth"], brand: [:]) { scene in
            let chatter = try await scene.open(.single, "v")
            let authorized = try await chatter.authorize(["authorizationCode": .string(try await scene.code("ada"))])
            let token = try #require(authorized["postback"]?["data"]?["accessToken"]?["token"])
            return { try await chatter.say("x", 1, ["accessToken": ["token": token]])["error"] == nil }
        },
        Lasting(testDescription: "a large event", seconds: 900, channels: [:], brand: ["largestFrame": 3000, "largeEventLifetime": "15m"]) {
            scene in
            let chatter = try await scene.chatter(.single, "ada")
            _ = try await chatter.say(String(repeating: "long ", count: 400), 1)
            let url = try #require(try await chatter.pushed("EventInS3")["data"]?["s3Object"]?["url"]?.string)
            let target = String(url.dropFirst(scene.server.addresses.baseURL.count))
            return { try await scene.server.send(.get, target).status == 200 }
        },
        Lasting(testDescription: "a silent socket", seconds: 40, channels: [:], brand: ["idleLimit": "40s"]) { scene in
            let chatter = try await scene.open(.single, "ada")
            return { try await chatter.socket.isAlive() }
        },
        // Half an hour, and a minute in which the clocks of client and sandbox may differ.
        Lasting(testDescription: "a visit", seconds: 1861, channels: [:], brand: [:]) { scene in
            let path = "/web-analytics/1.0/tenants/\(ChatScene.brand)/visitors/\(ChatScene.visitor("ada"))/events"
            @Sendable func report() async throws {
                let event: JSON = [
                    "id": "f1c0a9b8-7d6e-4f5a-9c4b-3a2d1e0f9a8b", "type": "PageView", "visitId": "5e4d3c2b-1a0f-4e9d-8c7b-6a5f4e3d2c1b",
                    "destination": ["id": "4d3c2b1a-0f9e-4d8c-9b7a-6f5e4d3c2b1a"],
                    "data": ["title": "Home", "url": "https://shop.example"],
                    "createdAtWithMilliseconds": "2026-01-01T00:00:00.000Z",
                ]
                _ = try await scene.server.send(.post, path, json: event)
            }
            try await scene.prepare("ada")
            try await report()
            return {
                try await report()
                return try await scene.entry("reportVisitorEvent")["findings"] == nil
            }
        },
    ]

    /// A sandbox for each side of the end, as to look may prolong it.
    @Test(arguments: ends, [true, false])
    func `what runs out is good until its last second, and no longer`(_ lasting: Lasting, _ isBefore: Bool) async throws {
        try await TestServer.run(tenants: ChatScene.tenants(lasting.channels, brand: lasting.brand)) { server in
            let scene = ChatScene(server: server)
            let isGood = try await lasting.make(scene)
            try await scene.advance("\(isBefore ? lasting.seconds - 1 : lasting.seconds)s")
            #expect(try await isGood() == isBefore)
        }
    }

    @Test func `an agent's script goes on after a restart where it was, once, when its time has come`() async throws {
        let script: JSON = [["on": "content", "after": "30s", "do": ["act": "say", "text": "On its way"]]]
        let agents: JSON = [["id": 1, "firstName": "Eva", "surname": "Echo", "script": script]]
        try await TemporaryFolder.database { database in
            try await TestServer.run(database: database, tenants: ChatScene.tenants(brand: ["agents": agents])) { server in
                let chatter = try await ChatScene(server: server).chatter(.single, "ada")
                _ = try await chatter.begin("Where is it?")
                try await server.admin(.post, "clock/advance", ["by": "29s"])
                #expect(try await chatter.socket.isAlive())
            }
            try await TestServer.run(database: database) { server in
                let scene = ChatScene(server: server)
                let chatter = try await scene.open(.single, "ada")
                _ = try await chatter.authorize()
                func said() async throws -> [String] {
                    let data = try await chatter.send("RecoverThread", ["thread": Chatter.thread(1)])["postback"]?["data"]
                    return (data?["messages"]?.array ?? []).compactMap { $0["messageContent"]?["payload"]?["text"]?.string }.reversed()
                }
                #expect(try await said() == ["Where is it?"])
                try await scene.advance("1s")
                _ = try await chatter.pushed("MessageCreated")
                try await scene.advance("60s")
                #expect(try await said() == ["Where is it?", "On its way"])
            }
        }
    }

    @Test(arguments: ["9999-12-31T23:59:59.999Z", "0000-01-01T00:00:00Z", "1970-01-01T00:00:00Z"])
    func `a brand at the edge of time signs in, talks, and is judged`(_ now: String) async throws {
        try await TestServer.run(tenants: ChatScene.tenants(["authorization": "oauth"])) { server in
            let scene = ChatScene(server: server)
            try await server.admin(.put, "clock", ["mode": "frozen", "now": .string(now)])
            try await scene.prepare("ada")
            let chatter = try await scene.open(.multi, "ada")
            let authorized = try await chatter.authorize(["authorizationCode": .string(try await scene.code("ada"))])
            let token = authorized["postback"]?["data"]?["accessToken"]?["token"]
            let said = try await chatter.say("hello", 1, token.map { ["accessToken": ["token": $0]] } ?? [:])
            try await scene.advance("3650d")
            #expect(try await chatter.socket.isAlive())
            let names = try await server.journal().compactMap { $0["answer"]?["name"]?.string }
            #expect(!names.contains("internal-error") && !names.contains("internal-server-error"), "\(authorized.text) \(said.text)")
            #expect(try await server.send(.post, "/__admin/sandboxes/default/verdicts").status == 200)
        }
    }
}
