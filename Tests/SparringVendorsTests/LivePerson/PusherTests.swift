import HTTPTypes
import SparringJSON
import Support
import Testing

/// The pusher's REST (LivePerson reference 8.3): who may call, and which device is registered.
@Suite struct PusherTests {
    @Test(arguments: TestServer.Speed.usual)
    func `a device is registered, replaced, asked about and unregistered`(_ speed: TestServer.Speed) async throws {
        try await TestServer.run(speed) { server in
            let scene = try await Scene(server)
            var phone = try await Phone(scene)
            #expect(try await phone.isRegistered() == false)
            let first = try await phone.register()
            let id = try #require(first.json?["registrationId"]?.string)
            #expect(first.status == 201 && !id.isEmpty)
            #expect(try await phone.isRegistered() == true)
            let entry = try await scene.entry("liveperson.registerPush")
            #expect(entry?["lane"] == "ada" && entry?.cause == "ada registered device phone-1 of test.brand.app (APNS)")

            phone.device = "phone-2"
            #expect(try await phone.isRegistered() == false)
            let second = try await phone.register()
            #expect(second.status == 200 && second.json == ["registrationId": .string(id)])
            #expect(try await phone.isRegistered() == true)
            #expect(try await scene.entry("liveperson.registerPush")?.cause.hasSuffix("in place of device phone-1") == true)

            for _ in 0..<2 {
                let gone = try await phone.unregister()
                #expect(gone.status == 204 && gone.body.isEmpty)
            }
            #expect(try await phone.isRegistered() == false)
            #expect(try await phone.register().status == 201)
            #expect(try await phone.unregister("AGENT").status == 204)
            #expect(try await phone.isRegistered() == false)
            #expect(try await phone.register().status == 200)
            #expect(try await phone.isRegistered() == true)
            #expect(try await scene.findings().isEmpty)
        }
    }

    @Test func `each consumer and each app has a device of its own`() async throws {
        try await TestServer.run(.pipeline) { server in
            let scene = try await Scene(server)
            let phones = [
                try await Phone(scene), try await Phone(scene, app: "test.brand.other"), try await Phone(scene, "grace", device: "phone-2"),
            ]
            var ids: Set<String> = []
            for phone in phones {
                let answer = try await phone.register()
                #expect(answer.status == 201)
                ids.insert(answer.json?["registrationId"]?.string ?? "")
            }
            #expect(ids.count == 3)
            try await phones[0].unregister()
            for (phone, expected) in zip(phones, [false, true, true]) { #expect(try await phone.isRegistered() == expected) }
        }
    }

    @Test func `a caller without a sound LP token is refused at each operation`() async throws {
        try await TestServer.run(.pipeline) { server in
            let scene = try await Scene(server)
            let phone = try await Phone(scene)
            _ = try await server.send(.post, "/__admin/sandboxes", json: ["name": "other"])
            let stranger = try await Phone(try await Scene(server, sandbox: "other"))
            // Their tokens are known from then on, each for its own account.
            for known in [phone, stranger] { #expect(try await known.isRegistered() == false) }
            let anonymous = try await server.send(.post, "/api/account/\(scene.account)/anonymous/authorize").json?["token"]?.string ?? ""
            let brand = try await scene.mint(["form": "jwt"])
            let cases: [(String, String, String)] = [
                ("", "token-missing", "token_invalid"), ("Basic \(phone.token)", "token-invalid", "token_invalid"),
                ("Bearer", "token-invalid", "token_invalid"), ("Bearer a.b.c", "token-invalid", "token_invalid"),
                (phone.token, "token-invalid", "token_invalid"), ("Bearer \(phone.token)x", "token-invalid", "token_invalid"),
                ("Bearer \(brand)", "token-invalid", "token_invalid"), ("Bearer \(stranger.token)", "token-invalid", "token_invalid"),
                ("Bearer \(anonymous)", "token-invalid", "token_invalid"),
            ]
            let calls: [(HTTPRequest.Method, String, JSON?, String)] = [
                (.put, "registrations/a", ["deviceToken": "x", "pushType": "FCM"], "registerPush"),
                (.get, "registrations/a?deviceToken=x", nil, "readPushStatus"),
                (.delete, "registrations/a?type=ALL", nil, "unregisterPush"),
                (.get, "unread?appId=a", nil, "readUnread"),
            ]
            for (method, path, body, operation) in calls {
                for (authorization, name, error) in cases {
                    let answer = try await phone.send(method, path, body, authorization: authorization)
                    #expect(
                        answer.status == 401 && answer.json == ["error": .string(error)], "\(operation) \(authorization): \(answer.text)")
                    #expect(answer.headers[.wwwAuthenticate] == "Bearer")
                    #expect(try await scene.entry("liveperson.\(operation)")?.answerName == name, "\(authorization)")
                }
            }
            #expect(try await phone.send(.get, "unread?appId=a", authorization: "bearer  \(phone.token)").status == 200)
            try await scene.advance("3600s")
            // Who was signed out from outside must be able to log out: a spent token unregisters.
            #expect(try await phone.send(.delete, "registrations/a?type=ALL").status == 204)
            for (method, path, body, operation) in calls where operation != "unregisterPush" {
                let answer = try await phone.send(method, path, body)
                #expect(answer.status == 401 && answer.json == ["error": "token_expired"])
                #expect(try await scene.entry("liveperson.\(operation)")?.cause == "the LP token expired 0 ms ago")
            }
            #expect(try await server.admin(.get, "devices")["devices"] == [])
        }
    }

    @Test(
        arguments: [
            "{}", #"{"deviceToken":"x"}"#, #"{"pushType":"APNS"}"#, #"{"deviceToken":"","pushType":"APNS"}"#,
            #"{"deviceToken":"x","pushType":"apns"}"#, #"{"deviceToken":5,"pushType":"FCM"}"#, "no JSON", "",
        ])
    func `a registration that does not fit is refused, and nothing is registered`(_ body: String) async throws {
        try await TestServer.run(.pipeline) { server in
            let scene = try await Scene(server)
            let phone = try await Phone(scene)
            let answer = try await server.send(
                .put, "/mock/pusher/account/\(scene.account)/registrations/a",
                headers: [.authorization: "Bearer \(phone.token)", .contentType: "application/json"], body: Array(body.utf8))
            #expect(answer.status == 400 && answer.json == ["error": "mock-request-malformed"])
            #expect(try await server.admin(.get, "devices")["devices"] == [])
        }
    }

    @Test func `a status without a device and an unread count without an app are malformed`() async throws {
        try await TestServer.run(.pipeline) { server in
            let phone = try await Phone(try await Scene(server))
            for (method, path) in [
                (.get, "registrations/a"), (.get, "unread"), (.delete, "registrations/a?type=NONE"),
            ] as [(HTTPRequest.Method, String)] {
                #expect(try await phone.send(method, path).status == 400, "\(path)")
            }
        }
    }

    @Test func `an account's push settings are checked where they stand`() async throws {
        try await TestServer.run(.pipeline) { server in
            let long = String(repeating: "a", count: 301)
            let proxy = { (more: JSON) -> JSON in
                var proxy: JSON = ["url": "https://proxy.test/push"]
                for (name, value) in more.object ?? [:] { proxy[name] = value }
                return ["proxy": proxy]
            }
            for (push, pointer) in [
                (["proxi": [:]], "/push/proxi"), (["proxy": [:]], "/push/proxy/url"), (["proxy": ["url": "proxy.test"]], "/push/proxy/url"),
                (proxy(["username": "u"]), "/push/proxy/password"), (proxy(["username": "u:v", "password": "p"]), "/push/proxy/username"),
                (proxy(["headers": ["A": "1", "B": "1", "C": "1", "D": "1", "E": "1"]]), "/push/proxy/headers"),
                (proxy(["headers": ["Abcdefghijklmnopqrstuvwxy": "1"]]), "/push/proxy/headers/Abcdefghijklmnopqrstuvwxy"),
                (proxy(["headers": ["X9": "1"]]), "/push/proxy/headers/X9"), (proxy(["headers": ["X": "a b"]]), "/push/proxy/headers/X"),
                (proxy(["headers": ["X": .string(long)]]), "/push/proxy/headers/X"), (proxy(["timeout": "0s"]), "/push/proxy/timeout"),
                (["apps": [["appId": "a"]]], "/push/apps/0/pushType"), (["apps": [["pushType": "APNS"]]], "/push/apps/0/appId"),
                (["apps": [["appId": "a", "pushType": "GCM"]]], "/push/apps/0/pushType"),
                (["apps": [["appId": "a", "pushType": "FCM", "proxy": ["timeout": "1s"]]]], "/push/apps/0/proxy/url"),
                (proxy(["clientCertificate": "x"]), "/push/proxy/clientKey"), (proxy(["timeout": "6m"]), "/push/proxy/timeout"),
                (proxy(["url": "http://[::1"]), "/push/proxy/url"),
                (["apps": [["appId": "a", "pushType": "FCM"], ["appId": "a", "pushType": "FCM"]]], "/push/apps/1/appId"),
            ] as [(JSON, String)] {
                let answer = try await server.send(.patch, "/__admin/sandboxes/default/tenants/liveperson", json: ["push": push])
                #expect(answer.status == 422 && answer.json?["violations"]?.array?.first?["pointer"]?.string == pointer, "\(answer.text)")
            }
            let sound = proxy([
                "username": "u", "password": "p", "timeout": "2s",
                "headers": ["X-Api-Key": "aZ09-_$&@.#*", "B": .string(String(long.dropLast())), "C": "1", "Abcdefghijklmnopqrstuvwx": "1"],
            ])
            _ = try await Scene(server).configure("liveperson", ["push": sound])
            #expect(try await server.admin(.get, "tenants/liveperson")["push"]?["proxy"] == sound["proxy"])
        }
    }
}
