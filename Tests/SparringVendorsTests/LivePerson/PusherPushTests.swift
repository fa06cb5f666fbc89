import HTTPTypes
import SparringJSON
import Support
import Testing

/// The devices that get a push, its badge and its form.
@Suite struct PusherPushTests {
    @Test func `each message makes one push with a running badge, until the socket has received them`() async throws {
        try await TestServer.run { server in
            let scene = try await Scene(server)
            let phone = try await Phone(scene)
            try await phone.register()
            for (sequence, text) in [(3, "one"), (5, "two")] { try await phone.message(text, sequence) }
            try await phone.message("three", 1, in: "c-2")
            #expect(try await phone.badges() == [1, 2, 3])
            #expect(try await phone.texts() == ["Agent: one", "Agent: two", "Agent: three"])
            #expect(try await phone.unread() == ["total": 3, "conversations": ["c-1": 2, "c-2": 1]])
            #expect(try await phone.message("four", 6, hasOpenSocket: true) == ["the consumer's socket is open: no push"])
            #expect(try await phone.unread()?["total"] == 3, "the socket receives it")

            try await phone.receives(upTo: 3)
            #expect(try await phone.unread() == ["total": 2, "conversations": ["c-1": 1, "c-2": 1]])
            try await phone.receives(upTo: 9)
            try await phone.receives(upTo: 9, in: "c-2")
            #expect(try await phone.unread() == ["total": 0, "conversations": [:]])
            try await phone.message("five", 10)
            #expect(try await phone.badges() == [1, 2, 3, 1])
            // The same message is counted once.
            try await phone.message("five", 10)
            #expect(try await phone.unread()?["total"] == 1)
            let entry = try #require(try await scene.attempts().first)
            #expect(entry.cause == "push for ada to device phone-1, attempt 1 of 4: accepted" && entry["lane"] == "phone-1")
            #expect(entry["causedBy"]?["operation"] == "liveperson.publish" && entry["findings"] == nil)
            #expect(try await scene.findings().isEmpty)
        }
    }

    @Test func `the unread count needs no registration`() async throws {
        try await TestServer.run(.pipeline) { server in
            let phone = try await Phone(try await Scene(server))
            #expect(try await phone.message("one", 1) == ["the consumer has no registered device: no push"])
            #expect(try await phone.unread() == ["total": 1, "conversations": ["c-1": 1]])
        }
    }

    @Test func `unregistered from ALL nothing comes, from AGENT only proactive pushes`() async throws {
        try await TestServer.run(.pipeline) { server in
            let scene = try await Scene(server)
            let phone = try await Phone(scene)
            try await phone.register()
            try await phone.unregister("AGENT")
            #expect(try await phone.message("one", 1) == ["test.brand.app was unregistered from agents' messages: no push"])
            #expect(try await phone.proactive() == ["push with badge 2 to device phone-1"])
            try await phone.proactive("Go on here", ["backendService": "c2m"])
            #expect(try await phone.notifications().map { $0["backendService"] } == ["prmsg", "c2m"])
            #expect(try await phone.unread()?["total"] == 1)
            try await phone.unregister("ALL")
            try await phone.message("two", 2)
            #expect(try await phone.proactive() == ["the consumer has no registered device: no push"])
            #expect(try await phone.notifications().count == 2)
        }
    }

    @Test func `the last device that was registered gets the push, and each app of the consumer has one`() async throws {
        try await TestServer.run(.pipeline) { server in
            let scene = try await Scene(server)
            let old = try await Phone(scene, device: "old")
            let new = try await Phone(scene, device: "new")
            let tablet = try await Phone(scene, app: "test.brand.tablet", device: "fcm:tablet/1", type: "FCM")
            for phone in [old, new, tablet] { try await phone.register() }
            try await new.message("one", 1)
            #expect(try await old.notifications().isEmpty)
            #expect(try await new.badges() == [1])
            #expect(try await tablet.badges() == [1])
            let devices = try await server.admin(.get, "devices")["devices"]?.array ?? []
            #expect(devices.map { $0["token"] } == ["fcm:tablet/1", "new", "old"])
            #expect(devices.map { $0["registrations"]?.array?.count } == [1, 1, 0])
            #expect(devices.map { $0["notifications"] } == [1, 1, 0])
        }
    }

    @Test func `a consumer who never unregistered leaks to the next one on the device, and the journal says so`() async throws {
        try await TestServer.run(.pipeline) { server in
            let scene = try await Scene(server)
            let ada = try await Phone(scene)
            let grace = try await Phone(scene, "grace")
            try await ada.register()
            try await grace.register()
            #expect(
                try await scene.entry("liveperson.registerPush")?.cause
                    == "grace registered device phone-1 of test.brand.app (APNS); ada was never unregistered from this device: "
                    + "what is pushed for ada will be read by grace")
            try await ada.message("secret", 1)
            try await grace.message("hello", 1)
            #expect(try await grace.texts() == ["Agent: secret", "Agent: hello"])
            #expect(try await grace.notifications().map { $0["consumer"] } == ["ada", "grace"])
            let findings = try await scene.attempts().map { $0["findings"]?.array?.first }
            #expect(
                findings == [
                    ["code": "leak", "words": "grace reads on this device what was for ada, who was never unregistered from it"], nil,
                ])
            // Once ada is unregistered it is over.
            try await ada.unregister()
            try await ada.message("more", 2)
            #expect(try await grace.notifications().count == 2)
        }
    }

    // MARK: Forms

    @Test func `an APNs device gets the reference's members, and the simulator a file of them`() async throws {
        try await TestServer.run { server in
            let scene = try await Scene(server)
            let phone = try await Phone(scene, app: "test.brand.app-Dev")
            try await phone.register()
            try await phone.message("hello", 8)
            let expected: JSON = [
                "aps": ["alert": "Agent: hello", "sound": "default"], "backendService": "ams", "conversationId": "c-1", "dialogId": "c-1",
                "originatorId": .string("\(scene.account).55"), "brandId": .string(scene.account), "badge": 1, "sequence": 8,
                "notificationType": "apn",
            ]
            let notification = try #require(try await phone.notifications().first)
            #expect(notification["payload"] == expected)
            #expect(notification["time"] == "2026-01-01T00:00:00.000Z" && notification["pushType"] == "APNS")
            #expect(try await phone.admin("/1").json == notification)
            var file = expected
            file["Simulator Target Bundle"] = "test.brand.app"
            for rest in ["/1.apns", "/1?form=apns"] {
                let answer = try await phone.admin(rest)
                #expect(answer.status == 200 && answer.json == file, "\(answer.text)")
            }
            #expect(try await phone.admin("/2.apns").status == 404)
            #expect(try await phone.admin("/2").json?["type"] == "urn:sparring:problem:notification-unknown")
            let posted = try await scene.entry("liveperson.deliverPush")?["request"]?["body"]?.string.map { try JSON(parsing: $0) }
            #expect(posted?["push-service"] == 1 && posted?["device-token"] == "phone-1")
        }
    }

    @Test(arguments: [("FCM", 2, "gcm"), ("HUAWEI", 3, "huawei")] as [(String, Int64, String)])
    func `other devices get data, the payload as a string in it`(_ type: String, _ service: Int64, _ word: String) async throws {
        try await TestServer.run(.pipeline) { server in
            let scene = try await Scene(server)
            let phone = try await Phone(scene, device: "fcm:APA91b/+=", type: type)
            try await phone.register()
            try await phone.message("hello", 6)
            let payload: JSON = [
                "backendService": "ams", "conversationId": "c-1", "dialogId": "c-1", "originatorId": .string("\(scene.account).55"),
                "brandId": .string(scene.account), "badge": 1, "sequence": 6, "id": "c-1:6", "from": "Agent",
            ]
            let got = try #require(try await phone.notifications().first?["payload"])
            #expect(got.object?.keys.elements == ["data"] && got["data"]?["message"] == "hello")
            #expect(try JSON(parsing: got["data"]?["payload"]?.string ?? "") == payload)
            let posted = try await scene.entry("liveperson.deliverPush")?["request"]?["body"]?.string.map { try JSON(parsing: $0) }
            #expect(
                posted == [
                    "data": ["message": "hello", "payload": payload], "push-service": .integer(service), "device-token": "fcm:APA91b/+=",
                    "notificationType": .string(word),
                ])
            let file = try await phone.admin("/1.apns")
            #expect(file.status == 409 && file.json?["type"] == "urn:sparring:problem:no-such-form")
        }
    }

    @Test(arguments: ["APNS", "FCM"])
    func `a proactive push carries its members where the others are`(_ type: String) async throws {
        try await TestServer.run(.pipeline) { server in
            let scene = try await Scene(server)
            let phone = try await Phone(scene, type: type)
            try await phone.register()
            let campaign: JSON = ["campaignId": 1001, "engagementId": 2002]
            try await phone.proactive(
                "Your parcel waits 📦",
                [
                    "backendService": "c2m", "lookBackPeriod": 86_400_000, "agentPid": "agent-1", "campaignInfo": campaign,
                    "title": "Parcel", "conversationId": "c-9",
                ])
            let payload = try #require(try await phone.notifications().first?["payload"])
            let members = type == "APNS" ? payload : try JSON(parsing: payload["data"]?["payload"]?.string ?? "")
            #expect(members["backendService"] == "c2m" && members["lookBackPeriod"] == 86_400_000 && members["agentPid"] == "agent-1")
            #expect(members["campaignInfo"] == campaign && members["title"] == "Parcel" && members["conversationId"] == "c-9")
            #expect(members["badge"] == 1 && members["brandId"] == .string(scene.account))
            #expect(try await phone.texts() == [type == "APNS" ? "Brand: Your parcel waits 📦" : "Your parcel waits 📦"])
        }
    }

    // MARK: The admin API

    @Test func `what cannot be pushed or shown is refused with its place`() async throws {
        try await TestServer.run(.pipeline) { server in
            let scene = try await Scene(server)
            let phone = try await Phone(scene)
            try await phone.register()
            for (body, status, word) in [
                (["consumer": ""], 400, "/consumer"), (["consumer": "ada"], 400, "/text"), ([:], 400, "/text"),
                (["consumer": "ad", "text": "x"], 422, "did you mean 'ada'"),
                (["consumer": "ada", "text": "x", "backendService": "ams"], 400, "/backendService"),
                (["consumer": "ada", "text": "x", "colour": 1], 400, "/colour"),
                (["consumer": "ada", "text": "x", "vendor": "identity"], 400, "/vendor"),
            ] as [(JSON, Int, String)] {
                let answer = try await server.send(.post, "/__admin/sandboxes/default/liveperson/push", json: body)
                #expect(answer.status == status && answer.text.contains(word), "\(answer.text)")
            }
            let unknown = try await server.send(.get, "/__admin/sandboxes/default/devices/phone-2/notifications")
            #expect(unknown.status == 404 && unknown.json?["nearest"] == ["phone-1"])
            let waited = try await phone.admin("/wait?count=1&timeout=1ms")
            #expect(waited.json?["timedOut"] == true && waited.json?["notifications"] == [])
        }
    }

    @Test func `a wait ends as soon as so many notifications are there`() async throws {
        try await TestServer.run { server in
            let scene = try await Scene(server)
            let phone = try await Phone(scene)
            async let waited = phone.admin("/wait?count=2&timeout=60s")
            try await phone.register()
            for number in 1...2 { try await phone.message("\(number)", number) }
            let page = try #require(try await waited.json)
            #expect(page["notifications"]?.array?.count == 2 && page["next"] == 3)
            #expect(try await phone.admin("?since=2").json?["notifications"]?.array?.map { $0["number"] } == [2])
            #expect(try await phone.admin("?limit=1").json?["next"] == 2)
        }
    }

    @Test func `an app that the account does not have gets nothing, and the answer names the nearest`() async throws {
        try await TestServer.run(.pipeline) { server in
            var scene = try await Scene(server)
            scene = try await scene.configure("liveperson", ["push": ["apps": [["appId": "test.brand.app", "pushType": "APNS"]]]])
            let debug = try await Phone(scene, app: "test.brand.app-Dev")
            try await debug.register()
            let words = "the account has no app 'test.brand.app-Dev' (did you mean 'test.brand.app'?)"
            #expect(try await scene.entry("liveperson.registerPush")?.cause.hasSuffix("nothing will be pushed: " + words) == true)
            #expect(try await debug.message("one", 1) == [words + ": no push"])
            let android = try await Phone(scene, "grace", type: "FCM")
            try await android.register()
            #expect(
                try await android.message("one", 1) == [
                    "the app 'test.brand.app' is configured for APNS, its device registered for FCM: no push"
                ])
        }
    }

    @Test func `E13 who was logged out from agents' messages alone leaks nothing to the next user`() async throws {
        try await TestServer.run(.pipeline) { server in
            let scene = try await Scene(server)
            let ada = try await Phone(scene)
            try await ada.register()
            #expect(try await ada.unregister("AGENT").status == 204)
            try await Phone(scene, "eve").register()
            try await ada.proactive()
            try await until {
                try await server.journal("?operation=liveperson.push", sandbox: scene.sandbox).contains { $0.cause.contains("accepted") }
            }
            #expect(try await server.journal("?kind=finding", sandbox: scene.sandbox).isEmpty)
            #expect(try await server.journal("", sandbox: scene.sandbox).allSatisfy { $0["findings"] == nil })
        }
    }
}
