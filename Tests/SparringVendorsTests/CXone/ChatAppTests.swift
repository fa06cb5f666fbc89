import HTTPTypes
import SparringEngine
import SparringJSON
import Support
import Testing

/// What apps read of the frames besides what NICE's SDKs read.
@Suite struct ChatAppTests {
    /// Recorded messages have it (SDK for iOS, tag 1.0.0, MessageAddedIntoCaseEvent.json). DEFRA's flood-webchat and NICE's own sample show nothing else.
    @Test func `each message has its text beside the payload, wherever it comes`() async throws {
        try await ChatScene.run(brand: ["historyPage": 1]) { scene in
            let chatter = try await scene.chatter(.multi, "ada", as: "web")
            func text(_ frame: JSON) -> JSON? { frame["data"]?["message"]?["messageContent"]?["text"] }
            _ = try await chatter.say("one", 1)
            #expect(text(try await chatter.pushed("MessageCreated")) == "one")
            try await scene.act("say", ["consumer": "ada", "text": "two"])
            #expect(text(try await chatter.pushed("MessageSent")) == "two")
            #expect(text(try await chatter.pushed("MessageCreated")) == "two")
            try await scene.act("read", ["consumer": "ada"])
            #expect(text(try await chatter.pushed("MessageReadChanged")) == "one")
            _ = try await chatter.send("MessageSeenByConsumer", ["thread": Chatter.thread(1)])
            #expect(text(try await chatter.pushed("MessageSeenChanged")) == "two")

            func load(_ event: String, _ members: JSON.Object = [:]) async throws -> JSON? {
                let data: JSON.Object = ["thread": Chatter.thread(1)]
                return try await chatter.send(event, .object(data.merging(members, uniquingKeysWith: { $1 })))["postback"]?["data"]
            }
            let recovered = try await load("RecoverThread")
            #expect(recovered?["messages"]?.array?.first?["messageContent"]?["text"] == "two")
            let more = try await load("LoadMoreMessages", ["scrollToken": recovered?["messagesScrollToken"] ?? .null])
            #expect(more?["messages"]?.array?.first?["messageContent"]?["text"] == "one")
            #expect(try await load("LoadThreadMetadata")?["lastMessage"]?["messageContent"]?["text"] == "two")
        }
    }

    /// The text of what is no text is the fallback; a recorded plugin has another one than its payload (CustomMessageCreatedEvent.json).
    @Test(
        arguments: [
            (["type": "QUICK_REPLIES", "payload": ["text": ["content": "Yes?"], "actions": []]], "Yes?"),
            (["type": "RICH_LINK", "payload": ["title": ["content": "x"]], "fallbackText": "See this"], "See this"),
            (["type": "PLUGIN", "payload": ["text": "CUSTOM", "elements": []], "fallbackText": "A message"], "A message"),
            (["type": "POSTBACK", "payload": ["text": "Today", "postback": "1"]], "Today"),
            (["type": "TEXT", "payload": ["text": ""], "fallbackText": "x"], ""),
            (["type": "TEXT", "payload": ["text": 7]], "Unsupported message content"),
            (["type": "FORM", "payload": [:], "text": "its own"], "its own"),
            (["type": "FORM", "payload": [:], "text": 7], "Unsupported message content"),
        ] as [(JSON, JSON)])
    func `content of any kind has a text`(_ content: JSON, _ text: JSON) async throws {
        try await ChatScene.run { scene in
            let chatter = try await scene.chatter(.single, "ada")
            _ = try await chatter.begin()
            try await scene.act("card", ["consumer": "ada", "content": content])
            #expect(try await chatter.pushed("MessageCreated")["data"]?["message"]?["messageContent"]?["text"] == text)
        }
    }
}
