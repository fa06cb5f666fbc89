import HTTPTypes
import SparringJSON
import Support
import Testing

/// The reports of clients to the Monitoring API (LivePerson reference 9.2).
@Suite struct MonitoringReportTests {
    @Test(arguments: ["PUT", "POST"], TestServer.Speed.usual)
    func `a report is taken by either method, and the journal says what was reported`(_ method: String, _ speed: TestServer.Speed)
        async throws
    {
        try await TestServer.run(speed) { server in
            var visitor = Visitor(try await Scene(server))
            let body: JSON = [
                "identities": [Visitor.ada], "pageId": "4711",
                "engagementAttributes": [["type": "personal", "personal": ["firstname": "Ada"]], ["type": "purchase", "total": 99.9]],
            ]
            let headers: HTTPFields = method == "POST" ? [.init("X-HTTP-Method-Override")!: "PUT"] : [:]
            for status in [201, 200] {
                let answer = try await visitor.send(.init(method)!, "report", body.bytes, headers: headers)
                #expect(answer.status == status && answer.json?["pageId"] == "4711" && answer.json?.object?.count == 3, "\(answer.text)")
                try visitor.take(answer)
            }
            let cause = try await visitor.cause(method == "PUT" ? "reportAttributes" : "reportAttributesByPost")
            #expect(
                cause
                    == "known session of visitor \(visitor.vid ?? ""); ada (authenticated), never signed in at LivePerson; reported: personal, purchase"
            )
            #expect(try await visitor.scene.findings().isEmpty)
        }
    }

    @Test func `a report says whose it is`() async throws {
        try await TestServer.run { server in
            var visitor = Visitor(try await Scene(server))
            let bare: JSON = ["engagementAttributes": [["type": "lead"]]]
            let nobody = try await visitor.report(bare)
            #expect(nobody.status == 400)
            #expect(nobody.json == ["time": .integer(Scene.now * 1000), "message": "consumerId", "internalCode": 5])
            #expect(try await visitor.report(["consumerId": "ada", "engagementAttributes": []]).status == 201)
            #expect(try await visitor.report(["identities": [Visitor.ada], "engagementAttributes": []]).status == 201)
            visitor.vid = "me"
            #expect(try await visitor.report(bare).status == 201)
        }
    }

    @Test(arguments: ["impDisplay", "impAccept", "impExpanded", "impTimeout", "impClose"], [JSON.integer(11), "11"])
    func `an impression of an engagement that was fetched in the session breaks no rule`(_ type: String, _ id: JSON) async throws {
        try await TestServer.run(tenants: ["liveperson": ["campaigns": Visitor.campaigns([:])]]) { server in
            var visitor = Visitor(try await Scene(server))
            try visitor.take(try await visitor.fetch())
            let impression: JSON = [
                "type": .string(type), "campaign": 10, "engId": id, "revision": 7, "eContext": [["type": "engagementContext", "id": "1"]],
            ]
            #expect(try await visitor.report(["engagementAttributes": [impression]]).status == 200)
            let cause = try await visitor.cause("reportAttributes")
            #expect(cause.hasSuffix("; reported: \(type) of engagement 11 of campaign 10"), "\(cause)")
        }
    }

    /// The change to a sound impression, and the rule that it then breaks.
    private static let breaches: [(JSON, String)] = [
        (["campaign": 99], "the account has no such campaign"), (["engId": 99], "the campaign has no such engagement"),
        (["engId": 12], "it was not fetched in this session"), (["revision": 6], "revision is 6, it was fetched with 7"),
        (["revision": .null], "revision is missing, it was fetched with 7"),
        (["eContext": [["type": "engagementContext", "id": "2"]]], "context is 2, it was fetched with 1"),
        (["eContext": .null], "eContext is missing, it was fetched with context 1"), (["campaign": .null], "impClose lacks campaign"),
        (["engId": .null], "impClose lacks engId"),
    ]

    @Test(arguments: breaches)
    func `an impression that breaks a rule is taken, and the journal names the rule`(_ change: JSON, _ rule: String) async throws {
        try await TestServer.run(tenants: ["liveperson": ["campaigns": Visitor.campaigns([:], [:])]]) { server in
            var visitor = Visitor(try await Scene(server))
            try visitor.take(try await visitor.fetch())
            var impression: JSON = [
                "type": "impClose", "campaign": 10, "engId": 11, "revision": 7, "eContext": [["type": "engagementContext", "id": "1"]],
            ]
            for (name, value) in change.object ?? [:] { impression[name] = value.isNull ? nil : value }
            #expect(try await visitor.report(["engagementAttributes": [impression]]).status == 200)
            let cause = try await visitor.cause("reportAttributes")
            #expect(cause.contains("; against the rules: ") && cause.hasSuffix(rule), "\(cause)")
        }
    }

    @Test func `an engagement that was fetched in an earlier session was not fetched in this one`() async throws {
        try await TestServer.run(tenants: ["liveperson": ["campaigns": Visitor.campaigns([:])]]) { server in
            var visitor = Visitor(try await Scene(server))
            try visitor.take(try await visitor.fetch())
            visitor.sid = nil
            let impression: JSON = [
                "type": "impDisplay", "campaign": 10, "engId": 11, "revision": 7, "eContext": [["type": "engagementContext", "id": "1"]],
            ]
            #expect(try await visitor.report(["engagementAttributes": [impression]]).status == 201)
            #expect(try await visitor.cause("reportAttributes").hasSuffix("it was not fetched in this session"))
        }
    }
}
