import SparringJSON
import Support
import Testing

/// The owner of a socket decides what it receives (LivePerson reference 5.5).
@Suite struct SocketOwnerTests {
    @Test func `a socket that InitConnection hands to another consumer hears of that one and no more of the former`() async throws {
        try await MessagingScene.run { scene in
            let ada = try await scene.socket("ada")
            let dialog = try await scene.conversation(ada)
            let shared = try await scene.socket("ada")
            _ = try await shared.request("ms.SubscribeMessagingEvents", ["dialogId": .string(dialog), "fromSeq": 0])
            _ = try await shared.notification(MessagingScene.events)
            _ = try await shared.request("cqm.SubscribeExConversations", ["convState": ["OPEN"]])
            _ = try await shared.notification(MessagingScene.conversations)
            _ = try await scene.say("for all of ada's", in: dialog, on: ada)
            #expect(try await shared.notification(MessagingScene.events)["body"]?["changes"]?.array?.count == 1)

            let eve = try await scene.token("eve")
            let handed = try await shared.request(
                "InitConnection", members: ["headers": [["type": ".ams.headers.ConsumerAuthentication", "jwt": .string(eve)]]])
            #expect(handed["code"] == 200, "\(handed.text)")
            _ = try await scene.say("for ada alone", in: dialog, on: ada)
            let opened = try await scene.socket(token: eve).request("cm.ConsumerRequestConversation", [:])
            guard case .message(let heard) = try await shared.next() else {
                Issue.record("the socket ended")
                return
            }
            #expect(heard["type"] == .string(MessagingScene.conversations), "\(heard.text)")
            #expect(heard["body"]?["changes"]?.array?.first?["result"]?["convId"] == opened["body"]?["conversationId"], "\(heard.text)")
        }
    }

    @Test(
        arguments: [
            ["os": "iOS"], ["os": "Mozilla/5.0 (X11; Linux x86_64)", "deviceFamily": "phone"], ["osVersion": 17],
            ["appVersion": "4.2.0-rc1+build.20260101.0123456789abcdef", "integration": "own"],
        ] as [JSON])
    func `whatever a client says of itself, it is signed in`(_ properties: JSON) async throws {
        try await MessagingScene.run { scene in
            let socket = try await scene.socket(token: nil)
            let token = try await scene.token("ada")
            let said = (["type": ".ams.headers.ClientProperties"] as JSON).merging(properties)
            let signIn: JSON = ["type": ".ams.headers.ConsumerAuthentication", "jwt": .string(token)]
            #expect(try await socket.request("InitConnection", members: ["headers": [said, signIn]])["code"] == 200)
            let stages: JSON = ["stage": ["OPEN", "CLOSE", "LOCKED"]]
            #expect(try await socket.request("cqm.SubscribeExConversations", stages)["code"] == 200)
            #expect(try await scene.server.journal("?kind=finding") == [])
            let found = try await scene.server.journal("?operation=liveperson.initConnection").flatMap { $0["findings"]?.array ?? [] }
            #expect(found.isEmpty, "\(found)")
        }
    }
}
