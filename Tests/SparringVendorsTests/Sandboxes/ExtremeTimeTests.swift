import HTTPTypes
import SparringJSON
import Support
import Testing

/// Times and durations at the edge of what can be represented.
@Suite struct ExtremeTimeTests {
    private static let clock = "/__admin/sandboxes/default/clock"

    @Test(arguments: [
        ("9999-12-31T23:59:60.999Z", "9999-12-31T23:59:59.999Z"), ("9999-12-31T23:59:59.999Z", "9999-12-31T23:59:59.999Z"),
        ("9999-12-31T23:59:59-23:59", "9999-12-31T23:59:59.999Z"), ("0000-01-01T00:00:00Z", "0000-01-01T00:00:00.000Z"),
        ("0000-01-01T00:00:00+23:59", "0000-01-01T00:00:00.000Z"),
    ])
    func `a sandbox at the edge of time answers, is advanced and survives a restart`(_ now: String, _ shown: String) async throws {
        try await TemporaryFolder.database { database in
            var last: JSON?
            try await TestServer.run(.pipeline, database: database, tenants: acme) { server in
                let set = try await server.admin(.put, "clock", ["mode": "frozen", "now": .string(now)])
                #expect(set["now"] == .string(shown))
                #expect(try await server.lookUp().status == 200)
                let minted = try await server.admin(.post, "credentials", ["form": "jwt", "subject": "ada", "lifetime": "3650d"])
                _ = try await server.send(.post, "/api/account/acme/authenticate", json: ["authCode": minted["credential"] ?? .null])
                let signIn = try await server.newest("liveperson.authenticateV1")
                #expect(signIn["answer"]?["name"] != "internal-error", "\(signIn.text)")
                try await server.arm("\(lookUpService) delay by=3650d times=1")
                async let delayed = server.lookUp()
                // At the end of time the wait is over as it begins.
                try await until {
                    let isWaiting = try await server.admin(.get, "clock")["pending"]?.array?.isEmpty == false
                    let answered = try await server.journal("?operation=\(lookUpService)").count
                    return isWaiting || answered == 2
                }
                last = try await server.admin(.post, "clock/advance", ["by": "3650d"])["now"]
                #expect(try await delayed.status == 200)
                #expect(try await server.send(.post, "/__admin/sandboxes/default/verdicts").status == 200)
            }
            try await TestServer.run(.pipeline, database: database) { server in
                let clock = try await server.admin(.get, "clock")
                #expect(clock["now"] == last)
                try await #expect(server.lookUp().status == 200)
            }
        }
    }

    @Test func `delays that come to centuries are waited for like others`() async throws {
        try await TestServer.run(.pipeline, tenants: acme) { server in
            for _ in 0..<40 { try await server.arm("\(lookUpService) delay by=3650d phase=onResponseStart") }
            async let answer = server.lookUp()
            try await server.untilPending()
            let entry = try await server.newest(lookUpService)
            #expect(entry["answer"]?["status"] == 200)
            #expect(try await server.send(.post, "/__admin/sandboxes/default/verdicts").status == 200)
            try await server.admin(.put, "clock", ["mode": "frozen", "now": "9999-12-31T23:59:59Z"])
            #expect(try await answer.status == 200)
        }
    }
}
