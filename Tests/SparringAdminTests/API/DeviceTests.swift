import BirdSupport
import HTTPTypes
import SparringJSON
import Support
import Testing

/// Devices and their inbox, which belong to no vendor.
@Suite struct DeviceTests {
    private static let offer: JSON = [
        "text": "Twenty percent off", "payload": ["aps": ["alert": "Twenty percent off"], "campaign": "spring"],
    ]

    @Test(arguments: TestServer.Speed.usual)
    func `a push that is no vendor's arrives, on a device that nobody has registered too`(_ speed: TestServer.Speed) async throws {
        try await Aviary.run(speed) { server in
            #expect(
                try await server.problem(.get, "/__admin/sandboxes/default/devices/phone-1/notifications").words == "404 device-unknown")
            for number in 1...2 {
                let path = "/__admin/sandboxes/default/devices/phone-1/notifications"
                let answer = try await server.send(.post, path, json: Self.offer)
                #expect(answer.status == 201 && answer.json == ["number": .integer(Int64(number))], "\(answer.text)")
            }
            let shown = try await server.admin(.get, "devices/phone-1/notifications?since=2")["notifications"]?.array ?? []
            #expect(
                shown == [
                    [
                        "number": 2, "time": "2026-01-01T00:00:00.000Z", "device": "phone-1", "appId": "", "pushType": "APNS",
                        "text": "Twenty percent off", "payload": Self.offer["payload"] ?? [:],
                    ]
                ])
            let file = try await server.admin(.get, "devices/phone-1/notifications/1.apns")
            #expect(file["aps"] == ["alert": "Twenty percent off"] && file["Simulator Target Bundle"] == "")
            let devices = try await server.admin(.get, "devices")["devices"]
            #expect(
                devices == [["token": "phone-1", "appId": "", "pushType": "APNS", "registrations": [], "notifications": 2]],
                "\(devices?.text ?? "")")
            let causes = try await server.journal("?kind=configuration").map { $0["cause"] }
            #expect(causes == Array(repeating: "a push from no vendor came to device phone-1", count: 2))
            #expect(try await server.admin(.get, "devices", sandbox: "default") != ["devices": []])
        }
    }

    @Test func `a device that nobody is known to have is not found by its consumer`() async throws {
        try await Aviary.run(.pipeline) { server in
            let problem = try await server.send(.post, "/__admin/sandboxes/default/devices/of:ada/token", json: [:])
            #expect(problem.status == 404 && problem.text.contains("no device is registered for 'ada'"), "\(problem.text)")
        }
    }

    @Test func `an Android device has no file for the iOS simulator`() async throws {
        try await Aviary.run(.pipeline) { server in
            var offer = Self.offer
            (offer["pushType"], offer["appId"]) = ("FCM", "com.example.shop")
            _ = try await server.admin(.post, "devices/phone-2/notifications", offer)
            let file = try await server.problem(.get, "/__admin/sandboxes/default/devices/phone-2/notifications/1.apns")
            #expect(file.words == "409 no-such-form")
            // What is said of a device that is known does not count.
            offer["appId"] = "com.example.other"
            _ = try await server.admin(.post, "devices/phone-2/notifications", Self.offer)
            #expect(try await server.admin(.get, "devices")["devices"]?.array?.first?["appId"] == "com.example.shop")
        }
    }

    @Test func `a device with a new token keeps what it got, over a restart too, and the old token leads to it`() async throws {
        try await TemporaryFolder.database { database in
            var drawn: JSON?
            try await Aviary.run(.pipeline, database: database) { server in
                _ = try await server.admin(.post, "devices/phone-1/notifications", Self.offer)
                #expect(try await server.admin(.post, "devices/phone-1/token", ["token": "phone-9"]) == ["token": "phone-9"])
                let renewal = try await server.admin(.post, "devices/phone-9/token", [:])
                drawn = renewal["token"]
                #expect(drawn?.string?.count == 64)
            }
            try await Aviary.run(.pipeline, database: database) { server in
                let listed = try await server.admin(.get, "devices")["devices"]?.array ?? []
                #expect(
                    Set(listed.map { "\($0["token"]?.string ?? "") \($0["renewed"]?.string ?? "-") \($0["notifications"]?.text ?? "")" })
                        == ["phone-1 phone-9 0", "phone-9 \(drawn?.string ?? "") 0", "\(drawn?.string ?? "") - 1"])
                let path = "/__admin/sandboxes/default/devices/phone-1/notifications"
                let late = try await server.send(.post, path, json: Self.offer)
                #expect(late.status == 404 && late.json?["nearest"] == ["phone-9"], "\(late.text)")
            }
        }
    }

    @Test(
        arguments: [
            ("phone-1", ["token": "phone-2"], "409 token-taken"), ("phone-1", ["token": "phone-1"], "409 token-taken"),
            ("phone", [:], "404 device-unknown"), ("phone-1", ["token": ""], "400 request-malformed /token"),
            ("phone-1", ["tokn": "x"], "400 request-malformed /tokn"),
        ] as [(String, JSON, String)])
    func `no token is given twice`(_ device: String, _ body: JSON, _ words: String) async throws {
        try await Aviary.run(.pipeline) { server in
            for known in ["phone-1", "phone-2"] { _ = try await server.admin(.post, "devices/\(known)/notifications", Self.offer) }
            let before = try await server.admin(.get, "devices")
            #expect(try await server.problem(.post, "/__admin/sandboxes/default/devices/\(device)/token", body).words == words)
            #expect(try await server.admin(.get, "devices") == before)
        }
    }
}
