import HTTPTypes
import SparringEngine
import SparringJSON
import SparringSandbox
import Support
import Testing

/// Sandboxes are worlds of their own, and the same seed makes the same world again.
@Suite struct IsolationTests {
    /// The time-out is on the wall clock; a slow machine is not what these tests are about.
    private static let tenants: JSON.Object = [
        "liveperson": ["accountId": "acme", "tokenEndpointTimeout": "10m"], "identity": ["tenantId": "brand"],
    ]

    @Test func `two sandboxes driven at once over 64 connections share nothing`() async throws {
        try await TestServer.run(tenants: Self.tenants) { server in
            _ = try await server.send(
                .post, "/__admin/sandboxes",
                json: [
                    "name": "other", "seed": 2, "clock": ["mode": "frozen", "now": "2027-06-01T00:00:00Z"],
                    "tenants": [
                        "liveperson": ["accountId": "zeta", "tokenEndpointTimeout": "10m"], "identity": ["tenantId": "zeta-brand"],
                    ],
                ])
            try await server.admin(.post, "faults", ["fault": "liveperson.authenticateV2 token-expired every=2 per=lane"])
            let codes = try await withThrowingTaskGroup(of: (String, [String]).self) { group in
                for worker in 0..<64 {
                    let (sandbox, account) = worker % 2 == 0 ? ("default", "acme") : ("other", "zeta")
                    group.addTask {
                        var seen: [String] = []
                        for _ in 0..<6 {
                            let minted = try await server.admin(
                                .post, "credentials", ["form": "code", "subject": .string("user-\(worker)")], sandbox: sandbox)
                            let code = minted["credential"]?.string ?? ""
                            let answer = try await server.send(
                                .post, "/api/account/\(account)/app/default/authenticate?v=2.0", json: ["code": .string(code)])
                            #expect(answer.status == 200 || sandbox == "default", "\(answer.text)")
                            seen.append(code)
                        }
                        return (sandbox, seen)
                    }
                }
                return try await group.reduce(into: [String: [String]]()) { $0[$1.0, default: []] += $1.1 }
            }
            #expect(Set(codes["default"] ?? []).isDisjoint(with: codes["other"] ?? []))
            for (sandbox, account, parity, year) in [("default", "acme", 0, "2026"), ("other", "zeta", 1, "2027")] {
                let entries = try await server.journal("?limit=10000", sandbox: sandbox)
                let signIns = entries.filter { $0["operation"] == "liveperson.authenticateV2" }
                #expect(signIns.count == 32 * 6)
                for entry in entries {
                    #expect(entry["sandboxTime"]?.string?.hasPrefix(year) == true)
                    if let lane = entry["lane"]?.string { #expect((Int(lane.dropFirst(5)) ?? -1) % 2 == parity) }
                    if let target = entry["request"]?["target"]?.string {
                        #expect(target.contains(account) || target.contains(account == "acme" ? "brand" : "zeta-brand"))
                    }
                }
                // In the first sandbox every lane was struck every second time, beginning with the first; in the other nobody.
                let struck = signIns.filter { $0["faults"] != nil }
                #expect(struck.count == (sandbox == "default" ? 32 * 3 : 0))
                let numbers = entries.compactMap { $0["number"]?.integer }
                #expect(numbers == Array(1...Int64(entries.count)))
            }
        }
    }

    @Test func `the same seed and ids, one connection, twice: the journals are equal byte for byte`() async throws {
        let first = try await Self.play(connections: 1)
        let second = try await Self.play(connections: 1)
        #expect(first.map(\.text) == second.map(\.text))
        #expect(first.count > 60)
    }

    @Test func `at 64 connections each lane's journal is what it is at one`() async throws {
        let (one, many) = (try await Self.play(connections: 1), try await Self.play(connections: 64))
        func byLane(_ entries: [JSON]) -> [String: [String]] {
            entries.reduce(into: [:]) { lanes, entry in
                guard let lane = entry["lane"]?.string else { return }
                lanes[lane, default: []].append(Self.withoutPlaces(entry).text)
            }
        }
        let (a, b) = (byLane(one), byLane(many))
        #expect(a.keys.sorted() == b.keys.sorted())
        for (lane, entries) in a { #expect(entries == b[lane], "lane \(lane)") }
    }

    /// Twelve consumers sign in by code and by token, with faults that are drawn; returns the journal with what differs by nature masked.
    private static func play(connections: Int) async throws -> [JSON] {
        try await TestServer.run(seed: 42, tenants: tenants) { server in
            try await server.admin(.post, "faults", ["fault": "liveperson.Login.* rate-limited probability=0.3"])
            try await server.admin(.post, "faults", ["fault": "identity.token server-error probability=0.2"])
            @Sendable func consumer(_ number: Int) async throws {
                let subject = "user-\(number)"
                let path = "/api/account/acme/app/default/authenticate?v=2.0"
                for _ in 0..<3 {
                    let authorized = try await server.send(
                        .get,
                        "/identity/brand/authorize?response_type=code&client_id=brand-app&redirect_uri=https%3A%2F%2Fliveperson.net&login_hint=\(subject)"
                    )
                    let location = authorized.headers[.location] ?? ""
                    let code = location.split(separator: "code=").last?.split(separator: "&").first.map(String.init) ?? ""
                    _ = try await server.send(.post, path, json: ["code": .string(code)])
                    _ = try await server.send(.post, path, json: ["code": .string(code)])
                    let minted = try await server.admin(.post, "credentials", ["form": "jwt", "subject": .string(subject)])
                    _ = try await server.send(.post, path, json: ["id_token": minted["credential"] ?? .null])
                }
            }
            if connections == 1 {
                for number in 0..<12 { try await consumer(number) }
            } else {
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for number in 0..<12 { group.addTask { try await consumer(number) } }
                    try await group.waitForAll()
                }
            }
            let port = String(server.addresses.port)
            return try await server.journal("?limit=10000").map { mask($0, port) }
        }
    }

    /// Arrival times, ports and connection numbers differ from run to run; so does everything signed over a URL with the port in it.
    private static func mask(_ entry: JSON, _ port: String) -> JSON {
        var entry = entry
        entry["arrival"] = nil
        if var request = entry["request"] {
            request["connection"] = nil
            request["headers"]?["Host"] = nil
            entry["request"] = request
        }
        let text = entry.text.replacing(":\(port)", with: ":PORT").replacing("%3A\(port)", with: "%3APORT").replacing(
            /eyJ[A-Za-z0-9_.-]+/, with: "TOKEN"
        ).replacing(
            /"[Cc]ontent-[Ll]ength":"\d+"/, with: "\"length\":0")
        return (try? JSON(parsing: text)) ?? entry
    }

    /// Numbers depend on how the lanes interleave.
    private static func withoutPlaces(_ entry: JSON) -> JSON {
        var entry = entry
        entry["number"] = nil
        let text = entry.text.replacing(/entry \d+/, with: "entry N")
        return (try? JSON(parsing: text)) ?? entry
    }
}
