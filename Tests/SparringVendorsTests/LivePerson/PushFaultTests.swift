import HTTPTypes
import SparringJSON
import SparringSandbox
import Support
import Testing

/// The mishaps of a push on its way: `liveperson.deliverPush`, whether the brand has a proxy of its own or not.
@Suite struct PushFaultTests {
    /// Effect; what the proxy got and the device shows of two messages: texts, badges, and whether each has its conversation.
    @Test(
        arguments: [
            ("drop-push times=1", ["two"], [2], [true]),
            ("duplicate-push times=1", ["one", "one", "two"], [1, 1, 2], [true, true, true]),
            ("stale-badge skip=1", ["one", "two"], [1, 1], [true, true]), ("stale-badge times=1", ["one", "two"], [0, 2], [true, true]),
            ("malformed-payload times=1", ["one", "two"], [1, 2], [false, true]),
        ] as [(String, [String], [Int64], [Bool])], ["APNS", "FCM"])
    func `a push is lost, doubled, stale or unreadable`(
        _ row: (effect: String, texts: [String], badges: [Int64], isReadable: [Bool]), _ type: String
    ) async throws {
        try await TestServer.run(.pipeline) { server in
            let scene = try await Scene(server)
            let app = type == "APNS" ? "test.brand.app" : "test.brand.android"
            let phone = try await Phone(scene, app: app, type: type)
            #expect(try await phone.register().status < 300)
            try await scene.arm("liveperson.deliverPush \(row.effect)")
            try await phone.message("one", 1)
            try await scene.advance("1s")
            try await phone.message("two", 2)
            try await scene.advance("1h")
            let shown = try await phone.notifications()
            let data = shown.map { $0["payload"] ?? $0 }
            #expect(data.map(Self.text) == row.texts, "\(shown)")
            #expect(data.map(Self.badge) == row.isReadable.enumerated().map { type == "FCM" && !$0.element ? nil : row.badges[$0.offset] })
            #expect(data.map(Self.isReadable) == row.isReadable, "\(shown)")
            let attempts = try await scene.attempts().map(\.cause)
            #expect(attempts.count == 2 && attempts.allSatisfy { $0.hasSuffix("accepted") }, "nobody tells LivePerson: \(attempts)")
        }
    }

    @Test func `a late push comes when the sandbox's time has`() async throws {
        try await TestServer.run(.pipeline) { server in
            let scene = try await Scene(server)
            let phone = try await Phone(scene)
            try await phone.register()
            try await scene.arm("liveperson.deliverPush delay by=90s times=1")
            try await phone.message("one", 1)
            try await scene.advance("89s")
            #expect(try await phone.notifications().isEmpty)
            try await scene.advance("1s")
            #expect(try await phone.texts() == ["Agent: one"])
        }
    }

    private static func payload(_ notification: JSON) -> JSON {
        guard let text = notification["data"]?["payload"]?.string else { return notification }
        return (try? JSON(parsing: text)) ?? .null
    }

    private static func text(_ notification: JSON) -> String {
        let text = notification["aps"]?["alert"]?.string ?? notification["data"]?["message"]?.string ?? ""
        return text.replacing("Agent: ", with: "")
    }

    private static func badge(_ notification: JSON) -> Int64? { payload(notification)["badge"]?.integer }
    private static func isReadable(_ notification: JSON) -> Bool { payload(notification)["conversationId"]?.string == "c-1" }
}
