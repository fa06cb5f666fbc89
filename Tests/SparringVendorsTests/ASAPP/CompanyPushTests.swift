import HTTPTypes
import SparringEngine
import SparringJSON
import SparringLocks
import Support
import Testing

/// Calling the customer's push endpoint (ASAPP reference 2.4), the built-in one and one on the network.
@Suite struct CompanyPushTests {
    @Test func `the built-in backend shows a push in APNs' form and in Firebase's`() async throws {
        try await CompanyScene.run { scene async throws in
            for (user, platform) in [("ann", "ios"), ("bea", "android")] {
                let person = try await scene.person(user, platform: platform)
                #expect(try await person.say("hello").status == 201)
                #expect(try await person.register("d-\(user)").status == 204)
                let said = try await scene.act("say", ["consumer": .string(user), "text": "How can we help?"])
                #expect(said["delivery"] == "push")
            }
            let apns = try #require(try await scene.notifications("d-ann").first)
            #expect(
                apns["payload"] == [
                    "aps": ["alert": ["title": "New Message", "body": "How can we help?"], "badge": 1, "sound": "default"],
                    "UnreadMessages": 1, "isLiveChat": true,
                ])
            #expect(apns["text"] == "How can we help?" && apns["badge"] == 1 && apns["pushType"] == "APNS")
            let file = try await scene.server.send(.get, "/__admin/sandboxes/default/devices/d-ann/notifications/1.apns")
            #expect(file.json?["Simulator Target Bundle"] == "asapp-acme" && file.json?["UnreadMessages"] == 1, "\(file.text)")
            let fcm = try #require(try await scene.notifications("d-bea").first)
            #expect(
                fcm["payload"] == [
                    "notification": [
                        "title": "New Message", "body": "How can we help?", "click_action": "asapp.intent.action.OPEN_CHAT",
                    ], "data": ["UnreadMessages": "1", "isLiveChat": "true"],
                ])
        }
    }

    @Test func `an endpoint on the network gets the agreed template with the agreed secret`() async throws {
        let template: JSON = [
            "notification": ["to": "{{deviceToken}}", "heading": "{{title}}", "text": "ASAPP: {{body}}"],
            "data": [["UnreadMessages": "{{unreadMessages}}", "live": "{{isLiveChat}}"], "{{clickAction}}"], "version": 3,
            "reference": "{{messageId}}",
        ]
        try await ScriptedServer.run({ _ in .answer(200, "") }) { endpoint async throws in
            let push: JSON = [
                "url": .string(endpoint.url("/hooks/push?v=1")), "secret": "agreed", "template": template, "title": "Shop",
                "headers": ["Authorization": "Bearer {{authToken}}", "X-Tenant": "acme"],
            ]
            try await CompanyScene.run(["push": push]) { scene async throws in
                #expect(try await scene.person("ann").register("d \u{1F9A9}").status == 204)
                try await scene.act("push", ["consumer": "ann", "text": "Your {{parcel}} {{unreadMessages}} waits"])
                try await scene.advance("0s")
                let request = try #require(endpoint.requests.first)
                #expect(request.line == "POST /hooks/push?v=1 HTTP/1.1" && request.headers["authorization"] == "Bearer agreed")
                #expect(request.headers["x-tenant"] == "acme" && request.headers["content-type"] == "application/json")
                let body = try JSON(parsing: request.body)
                #expect(
                    body["notification"] == [
                        "to": "d \u{1F9A9}", "heading": "Shop", "text": "ASAPP: Your {{parcel}} {{unreadMessages}} waits",
                    ])
                #expect(body["data"] == [["UnreadMessages": 1, "live": false], "asapp.intent.action.OPEN_CHAT"] && body["version"] == 3)
                let outbound = try #require(try await scene.entries("receivePush").last)
                #expect(outbound["kind"] == "outbound" && outbound["answer"]?["outcome"] == "ok")
                let shown = try await scene.server.admin(.get, "devices")["devices"]?.array?.first
                #expect(shown?["notifications"] == 1, "\(shown?.text ?? "")")
            }
        }
    }

    static let answers: [([Int], Int, Int, String)] = [
        ([200], 1, 1, "accepted"), ([500, 200], 2, 1, "accepted"), ([401, 404, 204, 200], 4, 1, "accepted"),
        ([500, 503, 500, 500], 4, 0, "500: dropped"),
    ]

    @Test(arguments: answers)
    func `anything but 200 is tried again after 1, 2 and 4 s, and then the push is dropped`(
        _ statuses: [Int], _ sent: Int, _ arrived: Int, _ end: String
    ) async throws {
        let left = Mutex(statuses[...])
        try await ScriptedServer.run({ _ in .answer(left.withLock { $0.popFirst() } ?? 200, "{}") }) { endpoint async throws in
            try await CompanyScene.run(["push": ["url": .string(endpoint.url("/push"))]]) { scene async throws in
                #expect(try await scene.person("ann").register("d").status == 204)
                try await scene.act("push", ["consumer": "ann", "text": "hello"])
                try await scene.advance("1h")
                let attempts = try await scene.entries("push")
                #expect(attempts.count == sent && attempts.last?["cause"]?.string?.hasSuffix(": " + end) == true, "\(attempts.map(\.text))")
                let times = [0, 1, 3, 7].prefix(sent).map { "2026-01-01T00:00:0\($0).000Z" }
                #expect(attempts.compactMap { $0["sandboxTime"]?.string } == times)
                #expect(try await scene.notifications("d").count == arrived)
                let ids = try endpoint.requests.map { try JSON(parsing: $0.body)["messageId"]?.string ?? "" }
                #expect(Set(ids).count == 1)
            }
        }
    }

    @Test func `an endpoint that does not answer in time, or is not there, is tried again`() async throws {
        let left = Mutex([ScriptedServer.Script.silence][...])
        try await ScriptedServer.run({ _ in left.withLock { $0.popFirst() } ?? .answer(200, "{}") }) { endpoint async throws in
            let push: JSON = ["url": .string(endpoint.url("/push")), "timeout": "100ms", "waits": ["10s"]]
            try await CompanyScene.run(["push": push]) { scene async throws in
                #expect(try await scene.person("ann").register("d").status == 204)
                try await scene.act("push", ["consumer": "ann", "text": "hello"])
                try await scene.advance("10s")
                let causes = try await scene.entries("push").compactMap { $0["cause"]?.string }
                #expect(causes.count == 2 && causes.first?.hasSuffix(": again in 10 s") == true, "\(causes)")
            }
        }
        try await ScriptedServer.runClosed { url async throws in
            try await CompanyScene.run(["push": ["url": .string(url), "waits": []]]) { scene async throws in
                #expect(try await scene.person("ann").register("d").status == 204)
                try await scene.act("push", ["consumer": "ann", "text": "hello"])
                try await scene.advance("1h")
                #expect(try await scene.entry("push")["cause"]?.string?.hasSuffix(": dropped") == true)
            }
        }
    }

    @Test func `whose device is deregistered meanwhile gets nothing more`() async throws {
        try await CompanyScene.run { scene async throws in
            let ann = try await scene.person("ann")
            #expect(try await ann.register("d").status == 204)
            try await scene.arm("asapp.receivePush unavailable times=1")
            try await scene.act("push", ["consumer": "ann", "text": "hello"])
            #expect(try await scene.notifications("d").isEmpty)
            #expect(try await ann.deregister("d").status == 204)
            try await scene.advance("1h")
            #expect(try await scene.notifications("d").isEmpty)
            #expect(
                try await scene.entry("push")["cause"]?.string
                    == "push for ann to device d not sent: the device was deregistered meanwhile")
        }
    }

    @Test func `a restart goes on with the attempts that are left`() async throws {
        try await TemporaryFolder.database { database in
            try await TestServer.run(.pipeline, database: database, tenants: CompanyScene.tenants()) { server in
                let scene = CompanyScene(server: server)
                #expect(try await scene.person("ann").register("d").status == 204)
                try await scene.arm("asapp.receivePush unavailable times=2")
                try await scene.act("push", ["consumer": "ann", "text": "hello"])
                try await scene.advance("1s")
            }
            try await TestServer.run(.pipeline, database: database) { server in
                let scene = CompanyScene(server: server)
                #expect(try await server.admin(.get, "clock")["pending"]?.array?.first?["what"] == "push for ann to device d, attempt 3")
                try await scene.advance("2s")
                #expect(try await scene.notifications("d").count == 1)
            }
        }
    }

    // MARK: The built-in backend

    static let requests: [(String, JSON, Int, String)] = [
        ("sound", [:], 200, ""), ("no secret", ["authToken": .null], 401, "push-credentials-refused"),
        ("another secret", ["authToken": "x"], 401, "push-credentials-refused"),
        ("payload as a text", ["payload": "x"], 400, "push-malformed"), ("no device", ["deviceToken": .null], 400, "device-token-missing"),
        ("an empty device", ["deviceToken": ""], 400, "device-token-missing"),
        ("a number", ["deviceToken": 7], 400, "device-token-missing"),
        ("an unknown device", ["deviceToken": "e"], 404, "device-unknown"),
    ]

    @Test(arguments: requests)
    func `the built-in backend looks at what it gets`(_ what: String, _ change: JSON, _ status: Int, _ error: String) async throws {
        try await CompanyScene.run { scene async throws in
            #expect(try await scene.person("ann").register("d").status == 204)
            var body: JSON = [
                "authToken": "asapp-push-secret", "deviceToken": "d",
                "payload": [
                    "aps": ["alert": ["title": "t", "body": "b"], "badge": 1], "UnreadMessages": 1, "isLiveChat": true, "click_action": "c",
                ], "messageId": "m-1",
            ]
            for (name, value) in change.object ?? [:] { body[name] = value.isNull ? nil : value }
            let answer = try await scene.server.send(.post, "/customer/acme/push", json: body)
            #expect(answer.status == status && (answer.json?["error"]?.string ?? "") == error, "\(what): \(answer.text)")
            #expect(try await scene.notifications("d").count == (status == 200 ? 1 : 0))
        }
    }

    /// The fault that strikes two messages, the numbers on the device, and the number of attempts.
    static let effects: [(String, [Int64], Int)] = [
        ("drop-push times=1", [2], 2), ("duplicate-push times=1", [1, 2], 2), ("stale-badge skip=1", [1, 1], 2),
        ("malformed-payload times=1", [2, 1], 3), ("wrong-credentials times=1", [2, 1], 3), ("unavailable times=1", [2, 1], 3),
        ("CONNECTION_RESET_BY_PEER phase=onResponseStart times=1", [1, 2], 3),
    ]

    @Test(arguments: effects)
    func `a push is lost, doubled, stale, unreadable or a stranger's`(_ effect: String, _ numbers: [Int64], _ attempts: Int) async throws {
        try await CompanyScene.run { scene async throws in
            #expect(try await scene.person("ann").register("d").status == 204)
            try await scene.arm("asapp.receivePush " + effect)
            for text in ["one", "two"] {
                try await scene.act("push", ["consumer": "ann", "text": .string(text)])
                try await scene.advance("0s")
            }
            try await scene.advance("1h")
            #expect(try await scene.notifications("d").compactMap { $0["badge"]?.integer } == numbers)
            #expect(try await scene.entries("push").count == attempts)
        }
    }

    static let foreign: [(String, Int)] = [
        ("drop-push", 0), ("duplicate-push", 2), ("wrong-credentials", 1), ("malformed-payload", 1), ("unavailable", 0), ("delay by=5s", 1),
    ]

    @Test(arguments: foreign)
    func `faults strike on the way to an endpoint on the network too`(_ effect: String, _ sent: Int) async throws {
        try await ScriptedServer.run({ _ in .answer(200, "{}") }) { endpoint async throws in
            try await CompanyScene.run(["push": ["url": .string(endpoint.url("/push")), "waits": []]]) { scene async throws in
                #expect(try await scene.person("ann").register("d").status == 204)
                try await scene.arm("asapp.receivePush \(effect) times=1")
                try await scene.act("push", ["consumer": "ann", "text": "one"])
                try await scene.advance("10s")
                #expect(endpoint.requests.count == sent)
                let bodies = try endpoint.requests.map { try JSON(parsing: $0.body) }
                #expect(bodies.allSatisfy { ($0["authToken"] == "asapp-push-secret") == (effect != "wrong-credentials") })
                #expect(bodies.allSatisfy { ($0["payload"]?.object != nil) == (effect != "malformed-payload") })
                #expect(try await scene.entries("receivePush").allSatisfy { $0["faults"] != nil })
            }
        }
    }

    @Test(arguments: [("delay by=6s", 2, ["nothing", "whole"]), ("delay by=4s", 1, ["whole"])])
    func `an endpoint that takes longer than ASAPP waits is called again`(_ fault: String, _ calls: Int, _ heard: [String]) async throws {
        try await ScriptedServer.run({ _ in .answer(200, "{}") }) { endpoint async throws in
            try await CompanyScene.run(["push": ["url": .string(endpoint.url("/push")), "timeout": "5s", "waits": ["1s"]]]) {
                scene async throws in
                #expect(try await scene.person("ann").register("d").status == 204)
                try await scene.arm("asapp.receivePush \(fault) times=1")
                try await scene.act("push", ["consumer": "ann", "text": "one"])
                try await scene.advance("30s")
                #expect(endpoint.requests.count == calls)
                #expect(try await scene.entries("receivePush").map { $0["answer"]?["status"] == 200 ? "whole" : "nothing" } == heard)
            }
        }
    }
}
