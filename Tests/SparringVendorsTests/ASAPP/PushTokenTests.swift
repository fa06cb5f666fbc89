import HTTPTypes
import SparringEngine
import SparringJSON
import Support
import Testing

/// The life of a device token (ASAPP reference 2.3).
@Suite struct PushTokenTests {
    static let tokens = [
        "0f744707bebcf74f", "ZXlKaGJHY2lPaUpJVXpJMU5pSjkuZTMwLmM=", "  spaces and \u{1F9A9} ", "with/slash?and=query&", "{\"a\":1}",
        String(repeating: "x", count: 16384),
    ]

    @Test(arguments: tokens)
    func `a token is stored byte for byte, and comes back with each push`(_ token: String) async throws {
        try await CompanyScene.run { scene async throws in
            let ann = try await scene.person("ann")
            #expect(try await ann.register(token).status == 204)
            #expect(try await ann.register(token).status == 204)
            try await scene.act("push", ["consumer": "ann", "text": "hello"])
            try await scene.advance("0s")
            let pushes = try await scene.entries("receivePush")
            #expect(pushes.count == 1 && pushes.first?["answer"]?["status"] == 200)
            let body = try JSON(parsing: Array((pushes.first?["request"]?["body"]?.string ?? "").utf8))
            #expect(body["deviceToken"] == .string(token))
        }
    }

    @Test func `a context that comes along is the session's user's`() async throws {
        try await CompanyScene.run { scene async throws in
            let ann = try await scene.person("ann")
            let (own, eves) = (try await scene.token("ann"), try await scene.token("eve"))
            #expect(try await ann.register("d", CompanyScene.context(eves)).code == "401-01")
            #expect(try await ann.register("d", CompanyScene.context(own)).status == 204)
            #expect(try await ann.deregister("d", CompanyScene.context(eves)).code == "401-01")
            #expect(
                try await ann.deregister("d", CompanyScene.context(try await scene.token("ann", ["defect": "expired"]))).code == "401-02")
            #expect(try await ann.deregister("d", CompanyScene.context(own)).status == 204)
            #expect(try await scene.entry("deregisterPushToken")["cause"]?.string == "'d', by ann's session, with JWT of ann")
        }
    }

    @Test func `only the session's user loses registrations, one or all`() async throws {
        try await CompanyScene.run { scene async throws in
            let (ann, bob) = (try await scene.person("ann"), try await scene.person("bob"))
            for device in ["d-1", "d-2", "d-3"] { #expect(try await ann.register(device).status == 204) }
            #expect(try await bob.register("d-1").status == 204)
            #expect(try await bob.deregister("d-2").status == 204)
            #expect(
                try await scene.entry("deregisterPushToken")["cause"]?.string == "nothing was registered, by bob's session (JWT of bob)")
            #expect(try await ann.deregister("d-2").status == 204)
            #expect(try await devices(of: "ann", scene) == ["d-1", "d-3"])
            #expect(try await scene.call(.delete, "/push-token", by: ann.session).status == 204)
            #expect(try await devices(of: "ann", scene) == [])
            #expect(try await devices(of: "bob", scene) == ["d-1"])
        }
    }

    private func devices(of user: String, _ scene: CompanyScene) async throws -> [String] {
        let devices = try await scene.server.admin(.get, "devices")["devices"]?.array ?? []
        return devices.filter { $0["registrations"]?.array?.contains { $0["consumer"]?.string == user } == true }
            .compactMap { $0["token"]?.string }
    }

    @Test func `a device that changes hands without a deregistration is reported, and leaks`() async throws {
        try await CompanyScene.run { scene async throws in
            let ann = try await scene.person("ann")
            #expect(try await ann.register("d").status == 204)
            let bob = try await scene.person("bob", after: ann.session)
            #expect(try await scene.findings("startSession") == ["user-left-registered"])
            #expect(try await bob.register("d").status == 204)
            #expect(try await scene.findings("registerPushToken") == ["device-of-another"])
            try await scene.act("push", ["consumer": "ann", "text": "for ann"])
            #expect(try await scene.notifications("d").count == 1)
            #expect(try await scene.findings("push") == ["push-for-another"])
            // Her own credentials end it, as long as she has them.
            #expect(try await ann.deregister("d").status == 204)
            try await scene.act("push", ["consumer": "ann", "text": "for ann"])
            #expect(try await scene.notifications("d").count == 1)
        }
    }

    @Test func `with one user for each device the next one takes it over`() async throws {
        try await CompanyScene.run(["oneUserForEachDevice": true]) { scene async throws in
            let (ann, bob) = (try await scene.person("ann"), try await scene.person("bob"))
            #expect(try await ann.register("d").status == 204)
            #expect(try await bob.register("d").status == 204)
            #expect(try await scene.findings("registerPushToken") == [])
            #expect(try await devices(of: "ann", scene) == [])
        }
    }

    @Test func `an anonymous user whose session was cleared is reported, and one who signs in stays the same person`() async throws {
        try await CompanyScene.run { scene async throws in
            let first = try await scene.person(nil)
            #expect(try await first.register("d").status == 204)
            let second = try await scene.person(nil)
            #expect(try await second.register("d").status == 204)
            #expect(try await scene.findings("registerPushToken") == ["anonymous-session-left-behind"])
            let ann = try await scene.person("ann")
            #expect(try await ann.register("d").status == 204)
            let left = "anonymous-session-left-behind"
            #expect(try await scene.findings("registerPushToken") == [left, left], "neither session was brought along")
            let third = try await scene.person(nil)
            #expect(try await third.register("e").status == 204)
            #expect(try await scene.person("eve", after: third.session).register("e").status == 204)
            #expect(try await scene.findings("registerPushToken") == [])
            try await scene.act("push", ["consumer": .string(first.name), "text": "hello"])
            #expect(try await scene.notifications("d").count == 1)
            #expect(try await scene.findings("push") == [])
        }
    }

    static let personal: [(String, Bool)] = [
        ("ann@example.com", true), (Data64.encode(#"{"email":"a"}"#), true), (Data64.encode(#"{"device":"d1"}"#), false),
        (#"{"user":{"phone":"1"}}"#, true),
        (Data64.encode("eyJhbGciOiJub25lIn0.\(Data64.encode(#"{"name":"Ann"}"#).replacing("=", with: "")).c2ln"), true),
        ("0f744707bebcf74f9b7c25d48e3358945f6aa01da5ddb387462c7eaf61bb78ad", false), ("d1:APA91bGq", false),
    ]

    @Test(arguments: personal)
    func `personal data in a token are noted, however it is encoded`(_ token: String, _ isPersonal: Bool) async throws {
        try await CompanyScene.run { scene async throws in
            #expect(try await scene.person("ann").register(token).status == 204)
            #expect(try await scene.findings("registerPushToken") == (isPersonal ? ["personal-data-in-device-token"] : []))
        }
    }
}
