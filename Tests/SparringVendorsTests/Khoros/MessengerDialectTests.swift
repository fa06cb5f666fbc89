import HTTPTypes
import SparringEngine
import SparringJSON
import Support
import Testing

/// What public clients of the Smooch wire send otherwise than the SDK for Android, and what they read.
@Suite struct MessengerDialectTests {
    /// The role is the author's where the message has none, as iOS sends it (CLBMessage.m, serializeAppUserMessage).
    @Test(arguments: [(nil, 201), ("appUser", 201), ("appMaker", 400), ("", 400)] as [(JSON?, Int)])
    func `a message needs no role of its own, and a user's may have no other`(_ role: JSON?, _ status: Int) async throws {
        try await MessengerScene.run { scene async throws in
            let ann = try await scene.member("ann")
            let conversation = try await ann.begin("hello")
            let message = JSON.members(["type": "text", "text": "hi", "role": role])
            let sent = try await ann.send(message, in: conversation)
            #expect(sent.status == status, "\(sent.text)")
            guard status == 201 else { return }
            #expect(sent.json?["messages"]?.array?.first?["role"] == "appUser")
            let findings = try await scene.entry("sendMessage")["findings"]?.array ?? []
            #expect(findings.isEmpty, "\(findings)")
        }
    }
}
