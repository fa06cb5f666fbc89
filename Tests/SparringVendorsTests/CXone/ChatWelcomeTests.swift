import HTTPTypes
import SparringEngine
import SparringJSON
import Support
import Testing

/// When a channel offers its welcome (CXone reference 6.2; SDK for iOS, docs/cs-analytics.md; SDK for Android, docs/implementation.md).
@Suite struct ChatWelcomeTests {
    private static let welcome: JSON = ["bodyText": "How can we help?"]

    /// The visitor reports that the chat's window is open.
    private func openWindow(_ scene: ChatScene) async throws {
        let event: JSON = [
            "id": "f1c0a9b8-7d6e-4f5a-9c4b-3a2d1e0f9a8b", "type": "ChatWindowOpened", "visitId": "5e4d3c2b-1a0f-4e9d-8c7b-6a5f4e3d2c1b",
            "destination": ["id": "4d3c2b1a-0f9e-4d8c-9b7a-6f5e4d3c2b1a"], "createdAtWithMilliseconds": "2026-11-21T02:56:53.123z",
            "data": [:],
        ]
        let path = "/web-analytics/1.0/tenants/\(scene.brand)/visitors/\(ChatScene.visitor("ada"))/events"
        #expect(try await scene.server.send(.post, path, json: event).status == 200)
    }

    private func offers(_ scene: ChatScene) async throws -> Int {
        try await scene.server.journal("?operation=cxone.fireProactiveAction").count
    }

    @Test(arguments: ChatScene.Mode.allCases, ["ios", "android"])
    func `an app that reports no open window gets no welcome, and gets it with the report`(_ mode: ChatScene.Mode, _ platform: String)
        async throws
    {
        try await ChatScene.run(["proactiveActions": [Self.welcome]]) { scene in
            try await scene.prepare("ada")
            let chatter = try await scene.chatter(mode, "ada", as: platform)
            #expect(try await offers(scene) == 0)
            try await openWindow(scene)
            let action = try await chatter.pushed("FireProactiveAction")["data"]?["proactiveAction"]?["action"]
            #expect(action?["actionType"] == "WelcomeMessage" && action?["data"]?["content"]?["bodyText"] == "How can we help?")
            #expect(try await scene.entry("reportVisitorEvent")["cause"] == "ChatWindowOpened; it sets off Welcome")
        }
    }

    /// The SDK for iOS creates its thread when it hears that there is none, and looks for a welcome only then.
    @Test(arguments: [true, false])
    func `a window that was opened before the sign-in has its welcome before the answer to what is loaded`(_ isConnected: Bool) async throws
    {
        try await ChatScene.run(["proactiveActions": [Self.welcome]]) { scene in
            try await scene.prepare("ada")
            if !isConnected { try await openWindow(scene) }
            let chatter = try await scene.open(.single, "ada")
            if isConnected { try await openWindow(scene) }
            for event in ["AuthorizeCustomer", "RecoverThread"] {
                let action = event == "AuthorizeCustomer" ? "register" : "chatWindowEvent"
                chatter.socket.send(chatter.event(event, [:], id: event, action: action))
            }
            var came: [String?] = []
            for _ in 1...3 {
                guard case .message(let frame) = try await chatter.socket.next() else { break }
                came.append(
                    frame["postback"]?["eventType"]?.string ?? frame["eventType"]?.string ?? frame["error"]?["errorCode"]?.string)
            }
            #expect(came == ["ConsumerAuthorized", "FireProactiveAction", "RecoveringThreadFailed"])
            // It was offered once: another socket has no welcome until the window is opened again.
            chatter.socket.close(1000)
            _ = try await scene.chatter(.single, "ada")
            #expect(try await offers(scene) == 1)
        }
    }

    @Test func `with secured sessions it comes as soon as the socket is open`() async throws {
        let actions: JSON = [["on": "connected", "bodyText": "Hello"], Self.welcome]
        try await ChatScene.run(["securedSessions": true, "proactiveActions": actions]) { scene in
            try await scene.prepare("ada")
            try await openWindow(scene)
            let body: JSON = ["customerIdentity": ["idOnExternalPlatform": "ada"]]
            let token = try await scene.token(.single, "ada", body).json?["accessToken"]?.string ?? ""
            let chatter = try await scene.open(.single, "ada", more: "&transactionToken=\(token)")
            for text in ["Hello", "How can we help?"] {
                guard case .message(let frame) = try await chatter.socket.next() else { Issue.record("nothing came"); return }
                #expect(frame["data"]?["proactiveAction"]?["action"]?["data"]?["content"]?["bodyText"]?.string == text)
            }
        }
    }

    @Test(arguments: [true, false])
    func `the Web SDK reports no window, and has its welcome with the sign-in`(_ isSecured: Bool) async throws {
        try await ChatScene.run(["securedSessions": .bool(isSecured), "proactiveActions": [Self.welcome]]) { scene in
            var more = ""
            if isSecured {
                let body: JSON = ["customerIdentity": ["idOnExternalPlatform": "ada"]]
                more = "&transactionToken=\(try await scene.token(.multi, "ada", body).json?["accessToken"]?.string ?? "")"
            }
            let chatter = try await scene.open(.multi, "ada", as: "web", more: more)
            if !isSecured { _ = try await chatter.authorize() }
            _ = try await chatter.send("FetchThreadList")
            _ = try await chatter.pushed("FireProactiveAction")
            #expect(try await offers(scene) == 1)
        }
    }

    @Test func `who has a thread gets no welcome any more, and other offers all the same`() async throws {
        let popup: JSON = ["actionType": "CustomPopupBox", "on": "chatWindowOpened", "bodyText": "Sale"]
        try await ChatScene.run(["proactiveActions": [Self.welcome, popup]]) { scene in
            try await scene.prepare("ada")
            let chatter = try await scene.chatter(.multi, "ada")
            _ = try await chatter.begin()
            try await openWindow(scene)
            let action = try await chatter.pushed("FireProactiveAction")["data"]?["proactiveAction"]?["action"]
            #expect(action?["actionType"] == "CustomPopupBox")
            #expect(try await offers(scene) == 1)
        }
    }

    @Test func `a live chat that still waits hears of its place again when it is recovered, and no other does`() async throws {
        try await ChatScene.run { scene in
            _ = try await (try await scene.chatter(.live, "ada")).begin()
            let bob = try await scene.chatter(.live, "bob")
            let contact = try await bob.begin("hi", 2, in: 2)["id"]
            _ = try await bob.pushed("SetPositionInQueue")
            bob.socket.close(1000)
            let again = try await scene.open(.live, "bob")
            _ = try await again.authorize()
            let recovered = try await again.send("RecoverLivechat", ["thread": Chatter.thread(2)])
            #expect(recovered["postback"]?["eventType"] == "LivechatRecovered")
            let data = try await again.pushed("SetPositionInQueue")["data"]
            #expect(data?["positionInQueue"] == 2 && data?["consumerContact"]?["id"] == contact)
            try await scene.act("join", ["consumer": "bob"])
            let before = try await scene.server.journal("?operation=cxone.setPositionInQueue").count
            _ = try await again.send("RecoverLivechat", ["thread": Chatter.thread(2)])
            #expect(try await scene.server.journal("?operation=cxone.setPositionInQueue").count == before, "an agent has it")
        }
    }
}
