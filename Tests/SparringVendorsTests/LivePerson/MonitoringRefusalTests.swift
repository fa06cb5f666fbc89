import HTTPTypes
import SparringJSON
import Support
import Testing

/// The Monitoring API's errors (LivePerson reference 9.3).
@Suite struct MonitoringRefusalTests {
    @Test(arguments: [
        ("v", "1.2", 400, 33, "mock-version-unsupported"), ("v", "", 400, 33, "mock-version-unsupported"),
        ("vid", "a b", 404, 37, "mock-visitor-invalid"), ("vid", "", 404, 37, "mock-visitor-invalid"),
        ("sid", "<script>", 404, 39, "mock-session-invalid"), ("app", "a b", 404, 18, "mock-app-installation-invalid"),
    ])
    func `what cannot be is refused with its code`(_ what: String, _ value: String, _ status: Int, _ code: Int64, _ message: String)
        async throws
    {
        try await TestServer.run { server in
            var visitor = Visitor(try await Scene(server))
            switch what {
            case "v": visitor.version = value
            case "vid": visitor.vid = value
            case "sid": (visitor.vid, visitor.sid) = ("me", value)
            default: visitor.installation = value
            }
            try await visitor.scene.advance("90s")
            for answer in [try await visitor.fetch(), try await visitor.report(["consumerId": "ada", "engagementAttributes": []])] {
                #expect(answer.status == status)
                let time = JSON.integer((Scene.now + 90) * 1000)
                #expect(answer.json == ["time": time, "message": .string(message), "internalCode": .integer(code)], "\(answer.text)")
            }
            #expect(try await visitor.scene.findings().isEmpty)
        }
    }

    @Test func `only the configured app installations are served, where there are any`() async throws {
        try await TestServer.run(tenants: ["liveperson": ["monitoring": ["appInstallationIds": ["ios-1", "android-1"]]]]) { server in
            var visitor = Visitor(try await Scene(server))
            #expect(try await visitor.fetch().json?["internalCode"] == 18)
            #expect(try await visitor.cause().hasSuffix("not an app installation of the account; there is ios-1, android-1"))
            visitor.installation = "android-1"
            #expect(try await visitor.fetch().status == 201)
        }
    }

    /// Each body with what the message names.
    @Test(arguments: [
        ("not json", "mock-body-malformed"), ("[]", "mock-body-malformed"), ("{}", "engagementAttributes"),
        (#"{"engagementAttributes":{}}"#, "engagementAttributes"), (#"{"engagementAttributes":[{}]}"#, "type"),
        (#"{"engagementAttributes":[],"identities":[{"sub":"ada"}]}"#, "acr"),
        (#"{"engagementAttributes":[],"identities":[{"acr":"loa9","sub":"ada"}]}"#, "acr"),
        (#"{"engagementAttributes":[],"identities":[{"acr":"0"}]}"#, "sub"),
        (#"{"engagementAttributes":[],"clientProperties":{"os":"iOS"}}"#, "os"),
        (#"{"engagementAttributes":[],"clientProperties":{"deviceFamily":"PHONE"}}"#, "deviceFamily"),
        (#"{"engagementAttributes":[],"entryPoints":"sec://Sport"}"#, "entryPoints"),
        (#"{"engagementAttributes":[],"consumerId":7}"#, "consumerId"),
    ])
    func `a report that does not fit is refused with the name of what is wrong`(_ body: String, _ message: String) async throws {
        try await TestServer.run { server in
            let visitor = Visitor(try await Scene(server))
            let answer = try await visitor.send(.put, "report", Array(body.utf8))
            #expect(answer.status == 400)
            #expect(answer.json == ["time": .integer(Scene.now * 1000), "message": .string(message), "internalCode": 5], "\(answer.text)")
            #expect(try await visitor.scene.entry("liveperson.reportAttributes")?["findings"]?.array?.count == 1)
        }
    }

    @Test func `an engagement is not asked for with impressions, without a version, or with half a method`() async throws {
        try await TestServer.run { server in
            var visitor = Visitor(try await Scene(server))
            let impression = try await visitor.fetch(["engagementAttributes": [["type": "impDisplay", "campaign": 1]]])
            #expect(impression.status == 400 && impression.json?["internalCode"] == 5 && impression.json?["message"] == "type")
            let attributes: JSON = ["consumerId": "ada", "engagementAttributes": []]
            let override = try await visitor.send(.post, "report", attributes.bytes)
            #expect(override.status == 400 && override.json?["message"] == "X-HTTP-Method-Override")
            visitor.version = nil
            let answer = try await visitor.fetch()
            #expect(answer.status == 400 && answer.json?["internalCode"] == 5 && answer.json?["message"] == "v")
        }
    }

    // MARK: On demand

    @Test(arguments: [("1.0", 500, 20), ("1.1", 202, 38)], [nil, "me"])
    func `while the account is loading, the text names the visitor to come back as`(_ version: (String, Int, Int64), _ vid: String?)
        async throws
    {
        try await TestServer.run { server in
            var visitor = Visitor(try await Scene(server))
            (visitor.version, visitor.vid) = (version.0, vid)
            try await visitor.scene.arm("liveperson.Monitoring.* account-loading times=2")
            let answer = try await visitor.fetch()
            #expect(answer.status == version.1 && answer.json?["internalCode"] == .integer(version.2), "\(answer.text)")
            let message = try #require(answer.json?["message"]?.string)
            let named = try #require(message.wholeMatch(of: /Loading account: (.+), vid: (.+)/))
            #expect(named.1 == visitor.scene.account && vid ?? String(named.2) == named.2)
            #expect(try await visitor.scene.entry("liveperson.fetchEngagement")?["faults"] == [1])
            visitor.vid = String(named.2)
            #expect(try await visitor.report(["engagementAttributes": []]).status == version.1)
            let retried = try await visitor.fetch()
            #expect(retried.status == 201 && retried.json?["visitorId"]?.string == visitor.vid && retried.engagement != nil)
            #expect(try await visitor.scene.findings().isEmpty)
        }
    }

    @Test(arguments: [
        ("unavailable", 503, nil as JSON?), ("rate-limited", 429, nil), ("internal-error", 500, 18), ("status code=500", 500, 18),
    ])
    func `it can be down, busy or broken`(_ fault: String, _ status: Int, _ code: JSON?) async throws {
        try await TestServer.run { server in
            let visitor = Visitor(try await Scene(server))
            try await visitor.scene.arm("liveperson.fetchEngagement \(fault) times=1")
            let answer = try await visitor.fetch()
            #expect(answer.status == status && answer.json?["internalCode"] == code, "\(answer.text)")
            #expect((answer.headers[.retryAfter] != nil) == (status == 429))
            #expect(try await visitor.fetch().status == 201)
            #expect(try await visitor.scene.findings().isEmpty)
        }
    }

    // MARK: Configuration

    private static let unusable: [(JSON, String)] = [
        (["campaigns": [:]], "/campaigns"), (["campaigns": [["name": "x"]]], "/campaigns/0/id"),
        (["campaigns": [["id": 0]]], "/campaigns/0/id"),
        (["campaigns": [["id": 1], ["id": 1]]], "/campaigns/1/id"),
        (["campaigns": [["id": 1, "engagement": []]]], "/campaigns/0/engagement"),
        (["campaigns": [["id": 1, "engagements": [["id": "x"]]]]], "/campaigns/0/engagements/0/id"),
        (["campaigns": [["id": 1, "engagements": [["id": 1], ["id": 1]]]]], "/campaigns/0/engagements/1/id"),
        (["campaigns": [["id": 1, "engagements": [["id": 1, "entryPoints": "*"]]]]], "/campaigns/0/engagements/0/entryPoints"),
        (["campaigns": [["id": 1, "engagements": [["id": 1, "entryPoints": ["a", ""]]]]]], "/campaigns/0/engagements/0/entryPoints/1"),
        (["campaigns": [["id": 1, "engagements": [["id": 1, "consumers": ["all"]]]]]], "/campaigns/0/engagements/0/consumers/0"),
        (["campaigns": [["id": 1, "engagements": [["id": 1, "connectorId": 1.5]]]]], "/campaigns/0/engagements/0/connectorId"),
        (["campaigns": [["id": 1, "engagements": [["id": 1, "skil": "x"]]]]], "/campaigns/0/engagements/0/skil"),
        (["monitoring": ["sessionLifetime": "soon"]], "/monitoring/sessionLifetime"),
        (["monitoring": ["appInstallationIds": ["ok", "not ok"]]], "/monitoring/appInstallationIds/1"),
        (["monitoring": ["sessionLife": "1m"]], "/monitoring/sessionLife"),
    ]

    @Test(arguments: unusable)
    func `campaigns that cannot be used are refused with their place`(_ members: JSON, _ pointer: String) async throws {
        try await TestServer.run { server in
            let answer = try await server.send(.patch, "/__admin/sandboxes/default/tenants/liveperson", json: members)
            #expect(answer.status == 422 && answer.text.contains("\(pointer)\""), "\(answer.text)")
            #expect(try await Visitor(Scene(server)).fetch().engagement?["engagementId"] == 880_002)
        }
    }

    @Test func `anyone who reads an account's configuration sees its campaigns`() async throws {
        try await TestServer.run { server in
            let tenant = try await server.send(.get, "/__admin/sandboxes/default/tenants/liveperson")
            #expect(tenant.text.contains("880002") && tenant.text.contains(#""sessionLifetime":"30m""#), "\(tenant.text)")
        }
    }
}
