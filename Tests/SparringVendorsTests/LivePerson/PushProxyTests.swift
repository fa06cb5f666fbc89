import HTTPTypes
import SparringJSON
import SparringLocks
import Support
import Testing

/// Delivery: to the brand's push proxy (LivePerson reference 8.4) and to Sparring's own devices, attempt by attempt.
@Suite struct PushProxyTests {
    /// A proxy that gives these statuses, one after the other, then 200.
    private static func script(_ statuses: [Int]) -> @Sendable (ScriptedServer.Request) -> ScriptedServer.Script {
        let left = Mutex(statuses[...])
        return { _ in .answer(left.withLock { $0.popFirst() } ?? 200, "{}") }
    }

    @Test func `a push is posted with Basic and the account's headers, and what the proxy accepts reaches the device`() async throws {
        try await ScriptedServer.run(Self.script([])) { proxy in
            try await TestServer.run { server in
                let scene = try await Scene(server).configure(
                    "liveperson",
                    [
                        "push": [
                            "proxy": [
                                "url": .string(proxy.url("/push?x=1")), "username": "brand", "password": "s3cret:",
                                "headers": ["X-Api-Key": "k-1_$&@.#*", "Tenant": "acme"],
                            ]
                        ]
                    ])
                let phone = try await Phone(scene)
                try await phone.register()
                try await phone.message("hello", 8)
                #expect(try await phone.texts() == ["Agent: hello"])
                let request = try #require(proxy.requests.first)
                #expect(proxy.requests.count == 1 && request.line == "POST /push?x=1 HTTP/1.1")
                #expect(
                    request.headers["authorization"] == "Basic YnJhbmQ6czNjcmV0Og=="
                        && request.headers["content-type"] == "application/json")
                #expect(request.headers["x-api-key"] == "k-1_$&@.#*" && request.headers["tenant"] == "acme")
                #expect(request.headers.keys.allSatisfy { !$0.contains("sparring") })
                let account = scene.account
                #expect(
                    try JSON(parsing: request.body) == [
                        "aps": ["alert": "Agent: hello", "sound": "default"], "push-service": 1, "device-token": "phone-1",
                        "backendService": "ams", "conversationId": "c-1", "dialogId": "c-1", "originatorId": .string("\(account).55"),
                        "brandId": .string(account), "badge": 1, "sequence": 8, "notificationType": "apn",
                    ])
                let outbound = try #require(try await server.journal("?kind=outbound").last)
                #expect(outbound["causedBy"]?["operation"] == "liveperson.push" && outbound["answer"]?["status"] == 200)
            }
        }
    }

    @Test(
        arguments: [
            ([200], 1, 1, "accepted"), ([401], 1, 0, "401, the service token or key is denied: not sent again"),
            ([403], 1, 0, "403, this device's token cannot receive: not sent again"), ([404], 1, 0, "404: not sent again"),
            ([500], 2, 1, "accepted"), ([500, 503, 599], 4, 1, "accepted"), ([500, 502, 503, 500], 4, 0, "500: given up"),
            ([503, 403], 2, 0, "403, this device's token cannot receive: not sent again"),
        ] as [([Int], Int, Int, String)])
    func `5XX is sent again every 10 s, four times in all; every other answer is final`(
        _ statuses: [Int], _ sent: Int, _ arrived: Int, _ end: String
    ) async throws {
        try await ScriptedServer.run(Self.script(statuses)) { proxy in
            try await TestServer.run(.pipeline) { server in
                let scene = try await Scene(server).configure("liveperson", ["push": ["proxy": ["url": .string(proxy.url("/push"))]]])
                let phone = try await Phone(scene)
                try await phone.register()
                try await phone.message("hello", 1)
                for attempt in 1...6 {
                    try await scene.advance(attempt == 1 ? "0s" : "10s")
                    #expect(proxy.requests.count == min(attempt, sent), "attempt \(attempt)")
                }
                let entries = try await scene.attempts()
                #expect(entries.count == sent && entries.last?.cause.hasSuffix(": " + end) == true, "\(entries.map(\.cause))")
                #expect(entries.dropLast().allSatisfy { $0.cause.hasSuffix(": again in 10 s") })
                let times = (0..<sent).map { "2026-01-01T00:00:\($0 == 0 ? "00" : "\($0)0").000Z" }
                #expect(entries.map { $0["sandboxTime"]?.string } == times)
                #expect(try await phone.notifications().count == arrived)
                #expect(try await server.admin(.get, "clock")["pending"] == [])
            }
        }
    }

    @Test func `one advance makes all the attempts that fall into it`() async throws {
        try await ScriptedServer.run(Self.script([500, 500, 500, 500])) { proxy in
            try await TestServer.run(.pipeline) { server in
                let scene = try await Scene(server).configure("liveperson", ["push": ["proxy": ["url": .string(proxy.url("/push"))]]])
                let phone = try await Phone(scene)
                try await phone.register()
                try await phone.message("hello", 1)
                try await scene.advance("1h")
                #expect(proxy.requests.count == 4)
                #expect(try await scene.attempts().map { $0["sandboxTime"] }.last == "2026-01-01T00:00:30.000Z")
            }
        }
    }

    @Test func `nobody at the proxy's port is tried again too, and unregistering ends it`() async throws {
        try await ScriptedServer.runClosed { url in
            try await TestServer.run(.pipeline) { server in
                let scene = try await Scene(server).configure("liveperson", ["push": ["proxy": ["url": .string(url)]]])
                let phone = try await Phone(scene)
                try await phone.register()
                try await phone.message("hello", 1)
                try await scene.advance("10s")
                #expect(try await scene.attempts().map { $0.cause.hasSuffix(": again in 10 s") } == [true, true])
                try await phone.unregister()
                try await scene.advance("1h")
                #expect(
                    try await scene.attempts().map(\.cause).last == "push for ada to device phone-1 not sent: the registration is gone")
                #expect(try await scene.attempts().count == 3)
            }
        }
    }

    @Test func `a restart goes on with the attempts that are left`() async throws {
        try await ScriptedServer.run(Self.script([500, 500])) { proxy in
            try await TemporaryFolder.database { database in
                try await TestServer.run(.pipeline, database: database) { server in
                    let scene = try await Scene(server).configure("liveperson", ["push": ["proxy": ["url": .string(proxy.url("/push"))]]])
                    let phone = try await Phone(scene)
                    try await phone.register()
                    try await phone.message("hello", 1)
                    try await scene.advance("5s")
                }
                #expect(proxy.requests.count == 1)
                try await TestServer.run(.pipeline, database: database) { server in
                    let scene = try await Scene(server)
                    let pending = try await server.admin(.get, "clock")["pending"]
                    #expect(
                        pending == [["due": "2026-01-01T00:00:10.000Z", "what": "push for ada to device phone-1, attempt 2"]])
                    try await scene.advance("1h")
                    #expect(try await scene.attempts().count == 3)
                    #expect(try await server.admin(.get, "devices/phone-1/notifications")["notifications"]?.array?.count == 1)
                }
                #expect(proxy.requests.count == 3)
            }
        }
    }

    // MARK: Faults

    /// Effect, attempts, notifications on the device after an hour: at Sparring's own device, and at a stranger's proxy.
    @Test(
        arguments: [
            ("status code=503 times=2", 3, 1, 1), ("token-denied", 1, 0, 0), ("service-denied times=1", 1, 0, 0),
            ("EMPTY_RESPONSE times=1", 2, 1, 1), ("EMPTY_RESPONSE", 4, 0, 0),
            // Delivered, but LivePerson never heard: the device gets it twice.
            ("CONNECTION_RESET_BY_PEER phase=onResponseStart times=1", 2, 2, 1), ("unavailable times=3", 4, 1, 1),
        ] as [(String, Int, Int, Int)])
    func `a fault at the delivery strikes each attempt`(_ effect: String, _ attempts: Int, _ own: Int, _ foreign: Int) async throws {
        try await ScriptedServer.run(Self.script([])) { proxy in
            try await TestServer.run(.pipeline) { server in
                for isForeign in [false, true] {
                    let name = isForeign ? "foreign" : "own"
                    _ = try await server.send(
                        .post, "/__admin/sandboxes",
                        json: ["name": .string(name), "clock": ["mode": "frozen", "now": "2026-01-01T00:00:00Z"]])
                    var scene = try await Scene(server, sandbox: name)
                    if isForeign {
                        scene = try await scene.configure("liveperson", ["push": ["proxy": ["url": .string(proxy.url("/push"))]]])
                    }
                    let phone = try await Phone(scene)
                    try await phone.register()
                    try await scene.arm("liveperson.Push.* \(effect)")
                    try await phone.message("hello", 1)
                    try await scene.advance("1h")
                    let causes = try await scene.attempts().map(\.cause)
                    #expect(causes.count == attempts, "\(name): \(causes)")
                    #expect(try await phone.notifications().count == (isForeign ? foreign : own), "\(name)")
                    #expect(try await server.admin(.get, "faults", sandbox: name)["faults"]?.array?.first?["hits"]?.integer ?? 0 > 0)
                }
            }
        }
    }

    @Test func `a late push comes when sandbox time has come that far, those behind it after it`() async throws {
        try await TestServer.run(.pipeline) { server in
            let scene = try await Scene(server)
            let phone = try await Phone(scene)
            try await phone.register()
            try await scene.arm("liveperson.deliverPush delay by=60s times=1")
            for number in 1...3 { try await phone.message("\(number)", number) }
            try await scene.advance("59s")
            #expect(try await phone.notifications().isEmpty)
            try await scene.advance("1s")
            #expect(try await phone.badges() == [1, 2, 3])
        }
    }
}
