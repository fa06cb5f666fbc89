import HTTPTypes
import SparringEngine
import SparringJSON
import Support
import Testing

/// Frames that are too large for the socket (Event diagrams, Process Large Events; CXone reference 3.7).
@Suite struct ChatLargeEventTests {
    private func fetch(_ event: JSON, _ scene: ChatScene) async throws -> TestAnswer {
        let url = try #require(event["data"]?["s3Object"]?["url"]?.string, "\(event.text)")
        let base = scene.server.addresses.baseURL
        #expect(url.hasPrefix(base + "/"))
        return try await scene.server.send(.get, String(url.dropFirst(base.count)))
    }

    @Test func `an answer lies at a URL with its own event id, and the URL runs out`() async throws {
        try await ChatScene.run(brand: ["largestFrame": 3000, "largeEventLifetime": "15m"]) { scene in
            let chatter = try await scene.chatter(.single, "ada")
            _ = try await chatter.say(String(repeating: "long ", count: 400), 1)
            let created = try await chatter.pushed("EventInS3")
            #expect(created["eventObject"] == "S3Object" && created["data"]?["originEvent"]?["eventType"] == "MessageCreated")
            #expect(try await fetch(created, scene).json?["eventType"] == "MessageCreated")
            chatter.socket.send(chatter.event("RecoverThread", nil, id: "the-id"))
            let event = try await chatter.socket.message("EventInS3") { $0["data"]?["originEvent"]?["eventType"] == "ThreadRecovered" }
            #expect(event["eventId"] != "the-id")
            let answer = try await fetch(event, scene)
            #expect(answer.status == 200 && answer.json?["eventId"] == "the-id")
            #expect(answer.json?["postback"]?["data"]?["messages"]?.array?.count == 1)
            try await scene.advance("15m")
            #expect(try await fetch(event, scene).status == 403)
            #expect(try await scene.server.send(.get, "/large-events/1386/unheard-of").status == 404)
        }
    }

    @Test func `what fits goes over the socket`() async throws {
        try await ChatScene.run { scene in
            let chatter = try await scene.chatter(.single, "ada")
            // Its text comes twice, in the payload and beside it.
            _ = try await chatter.say(String(repeating: "x", count: 60_000), 1)
            #expect(try await chatter.pushed("MessageCreated")["data"]?["message"] != nil)
            // Two of them are more than 128 KB.
            _ = try await chatter.say(String(repeating: "x", count: 60_000), 2)
            chatter.socket.send(chatter.event("RecoverThread", nil, id: "the-id"))
            #expect(try await chatter.pushed("EventInS3")["data"]?["originEvent"]?["eventType"] == "ThreadRecovered")
        }
    }
}
