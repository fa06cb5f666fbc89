import HTTPTypes
import SparringJSON
import Support
import Testing

/// The Monitoring API's engagements, sessions and reports (LivePerson reference 9.1 and 9.2).
@Suite struct MonitoringTests {
    // MARK: Sessions

    @Test(arguments: TestServer.Speed.usual)
    func `a fresh sandbox shows its engagement to anyone anywhere, in a session that is known from then on`(_ speed: TestServer.Speed)
        async throws
    {
        try await TestServer.run(speed) { server in
            var visitor = Visitor(try await Scene(server))
            for body: JSON? in [nil, [:], ["entryPoints": ["sec://Sport"], "identities": [Visitor.ada]]] {
                let isFirst = visitor.vid == nil
                let answer = try await visitor.fetch(body)
                #expect(answer.status == (isFirst ? 201 : 200), "\(answer.text)")
                #expect(
                    answer.engagement == [
                        "campaignId": 880_001, "engagementId": 880_002, "engagementRevision": 1, "contextId": "1", "connectorId": 770_001,
                        "windowId": "w1", "language": "en-US", "status": "expose",
                    ])
                let earlier = (visitor.vid, visitor.sid)
                try visitor.take(answer)
                #expect(isFirst || earlier == (visitor.vid, visitor.sid))
            }
            #expect(try await visitor.scene.findings().isEmpty)
        }
    }

    @Test func `a session ends when it was not seen for as long as the account says`() async throws {
        try await TestServer.run(tenants: ["liveperson": ["monitoring": ["sessionLifetime": "10m"]]]) { server in
            var visitor = Visitor(try await Scene(server))
            try visitor.take(try await visitor.fetch())
            for _ in 1...3 {
                try await visitor.scene.advance("599s")
                #expect(try await visitor.fetch().status == 200)
            }
            try await visitor.scene.advance("10m")
            let late = try await visitor.fetch()
            #expect(late.status == 201 && late.json?["visitorId"]?.string == visitor.vid && late.json?["sessionId"]?.string != visitor.sid)
            #expect(try await visitor.cause().contains("new session in place of '\(visitor.sid ?? "")', which is not known"))
        }
    }

    @Test func `ids that nobody gave out make a new session, of the visitor that was named`() async throws {
        try await TestServer.run { server in
            var visitor = Visitor(try await Scene(server))
            let own = try await visitor.fetch().json
            (visitor.vid, visitor.sid) = ("never-seen", "neither")
            let answer = try await visitor.fetch()
            #expect(answer.status == 201 && answer.json?["visitorId"] == "never-seen" && answer.json?["sessionId"] != "neither")
            // A session is known by both ids together.
            (visitor.vid, visitor.sid) = ("never-seen", own?["sessionId"]?.string)
            #expect(try await visitor.fetch().status == 201)
            (visitor.vid, visitor.sid) = (nil, own?["sessionId"]?.string)
            #expect(try await visitor.fetch().status == 201)
            #expect(try await visitor.cause().contains("against the rules: sid came without vid"))
        }
    }

    @Test func `the same seed gives the same ids, and another seed others`() async throws {
        func ids(_ seed: Int64) async throws -> JSON {
            try await TestServer.run(seed: seed) { server in
                let visitor = Visitor(try await Scene(server))
                return .array([
                    try await visitor.fetch().json ?? .null, try await visitor.fetch(["identities": [Visitor.ada]]).json ?? .null,
                ])
            }
        }
        let first = try await ids(1)
        #expect(try await ids(1) == first)
        let other = try await ids(2)
        for index in 0...1 {
            for name in ["visitorId", "sessionId", "pageId"] {
                #expect(other.array?[index][name] != first.array?[index][name] && first.array?[index][name] != nil)
            }
        }
        #expect(first.array?[0]["visitorId"] != first.array?[1]["visitorId"])
    }

    @Test func `calls belong to the lane of whom they name, later also by the visitor's id alone`() async throws {
        try await TestServer.run { server in
            let scene = try await Scene(server)
            var visitor = Visitor(scene)
            func lane(_ answer: TestAnswer, _ operation: String = "fetchEngagement") async throws -> String? {
                #expect(answer.status < 300, "\(answer.text)")
                return try await scene.entry("liveperson.\(operation)")?["lane"]?.string
            }
            let signedIn = try await visitor.fetch(["identities": [Visitor.ada]])
            #expect(try await lane(signedIn) == "ada")
            try visitor.take(signedIn)
            #expect(try await lane(visitor.fetch()) == "ada")
            #expect(try await lane(visitor.report(["engagementAttributes": [["type": "lead"]]]), "reportAttributes") == "ada")
            visitor = Visitor(scene)
            let nobody = try await visitor.fetch()
            #expect(try await lane(nobody) == "liveperson.fetchEngagement")
            try visitor.take(nobody)
            #expect(try await lane(visitor.fetch()) == visitor.vid)
            #expect(try await lane(visitor.fetch(["consumerId": "grace"])) == "grace")
            let token = JSON.string(try await scene.mint(["form": "jwe", "subject": "grace"]))
            #expect(try await lane(visitor.fetch(["identities": [["acr": "loa1", "sub": token]]])) == "grace")
        }
    }

    // MARK: Engagements

    @Test(arguments: [
        (["sec://Sport"], ["sec://Sport"], true), (["sec://Sport"], ["tel://1", "sec://Sport"], true),
        (["sec://Sport"], ["sec://Sports"], false),
        (["sec://Sport"], ["sec://sport"], false), (["sec://Sport"], [], false), (["sec://Sport*"], ["sec://Sports"], true),
        (["sec://Sport*"], ["sec://Sport"], true), (["*Sport"], ["sec://Sport"], true), (["*Sport"], ["sec://Sports"], false),
        (["sec://*/boots"], ["sec://sale/boots"], true), (["sec://*/boots"], ["sec://boots"], false), (["a*b*c"], ["abbc"], true),
        (["a*b*c"], ["acb"], false), (["ab*ba"], ["aba"], false), (["a*a*a"], ["aa"], false), (["*"], [], true), (["**"], [], true),
        (["*"], ["x"], true), (["sec://Sport", "tel://*"], ["tel://1"], true), ([], ["sec://Sport"], false),
    ])
    func `an engagement is shown where an entry point is as its patterns say`(_ patterns: [String], _ at: [String], _ isShown: Bool)
        async throws
    {
        let list = JSON.array(patterns.map { .string($0) })
        try await TestServer.run(tenants: ["liveperson": ["campaigns": Visitor.campaigns(["entryPoints": list])]]) { server in
            let visitor = Visitor(try await Scene(server))
            let answer = try await visitor.fetch(["entryPoints": .array(at.map { .string($0) })])
            #expect(answer.status == 201)
            // Absent, not empty: then the app hides its button.
            #expect((answer.json?["engagementDetails"] != nil) == isShown, "\(answer.text)")
            #expect(isShown == (answer.engagement?["engagementId"] == 11))
            let cause = try await visitor.cause()
            #expect(cause.contains(isShown ? "engagement 11 of campaign 10 shown, context 1" : "no engagement: no entry point"), "\(cause)")
        }
    }

    @Test func `the first engagement that fits is shown, as the account has it`() async throws {
        let campaigns = Visitor.campaigns(
            ["entryPoints": ["sec://Sport"], "consumers": ["authenticated"], "connectorId": "c-9", "windowId": "w9", "language": "de-DE"],
            ["entryPoints": ["sec://*"], "skill": "sports", "survey": "short"])
        let surveys: JSON = ["short": [["text": "How was it?"]]]
        try await TestServer.run(tenants: ["liveperson": ["campaigns": campaigns, "surveys": surveys]]) { server in
            let visitor = Visitor(try await Scene(server))
            let sport: JSON = ["sec://Sport"]
            let known = try await visitor.fetch(["entryPoints": sport, "identities": [Visitor.ada]])
            #expect(
                known.engagement == [
                    "campaignId": 10, "engagementId": 11, "engagementRevision": 7, "contextId": "1", "connectorId": "c-9",
                    "windowId": "w9", "language": "de-DE", "status": "expose",
                ])
            let iss = JSON.string("127.0.0.1/\(visitor.scene.account)")
            for identities: JSON in [[], [["acr": "0", "iss": iss, "sub": "5e2f8a10"]]] {
                #expect(try await visitor.fetch(["entryPoints": sport, "identities": identities]).engagement?["engagementId"] == 12)
            }
            #expect(try await visitor.scene.findings().isEmpty)
        }
    }

    @Test func `an engagement that is only for others is not shown, and the journal says so`() async throws {
        let campaigns = Visitor.campaigns(["consumers": ["authenticated"]])
        try await TestServer.run(tenants: ["liveperson": ["campaigns": campaigns]]) { server in
            var visitor = Visitor(try await Scene(server))
            let answer = try await visitor.fetch()
            #expect(answer.status == 201 && answer.json?["engagementDetails"] == nil)
            #expect(try await visitor.cause().hasSuffix("no engagement: engagement 11 is not for unauthenticated consumers"))
            visitor = Visitor(try await visitor.scene.configure("liveperson", ["campaigns": []]))
            #expect(try await visitor.fetch().json?["engagementDetails"] == nil)
            #expect(try await visitor.cause().hasSuffix("no engagement: the account has none"))
        }
    }

    @Test func `an engagement keeps its context in a session, another one gets the next`() async throws {
        let campaigns = Visitor.campaigns(["entryPoints": ["a"]], ["entryPoints": ["b"]])
        try await TestServer.run(tenants: ["liveperson": ["campaigns": campaigns]]) { server in
            var visitor = Visitor(try await Scene(server))
            try visitor.take(try await visitor.fetch())
            for (at, context) in [("b", "1"), ("a", "2"), ("b", "1"), ("a", "2")] {
                #expect(try await visitor.fetch(["entryPoints": [.string(at)]]).engagement?["contextId"] == .string(context))
            }
            visitor.sid = nil
            #expect(try await visitor.fetch(["entryPoints": ["a"]]).engagement?["contextId"] == "1")
        }
    }

    // MARK: Identities

    @Test(arguments: ["jwt", "jwe"])
    func `an identity can come as a JWE, but not as a whole JWT`(_ form: String) async throws {
        try await TestServer.run { server in
            let visitor = Visitor(try await Scene(server))
            let token = JSON.string(try await visitor.scene.mint(["form": .string(form)]))
            #expect(try await visitor.fetch(["identities": [["acr": "loa1", "sub": token]]]).status == 201)
            let cause = try await visitor.cause()
            #expect(cause.contains("ada (authenticated, by a JWE)") == (form == "jwe"), "\(cause)")
            #expect(cause.contains("against the rules: the sub of an identity is a whole JWT") == (form == "jwt"), "\(cause)")
        }
    }

    @Test func `a JWE that is not sound is refused`() async throws {
        try await TestServer.run { server in
            let visitor = Visitor(try await Scene(server))
            let token = JSON.string(try await visitor.scene.mint(["form": "jwe", "defect": "expired"]))
            for sub in [token, "a.b.c.d.e"] {
                let answer = try await visitor.fetch(["identities": [["acr": "loa1", "sub": sub]]])
                #expect(answer.status == 400 && answer.json?["internalCode"] == 5 && answer.json?["message"] == "identities")
                #expect(try await visitor.cause().hasPrefix("identity 1, a JWE: "))
            }
        }
    }

    @Test func `the issuer of an identity is held against the account`() async throws {
        try await TestServer.run { server in
            let visitor = Visitor(try await Scene(server))
            let rows: [(acr: JSON, iss: String, breach: String?)] = [
                ("loa1", visitor.scene.issuer, nil), ("0", "va.example/\(visitor.scene.account)", nil),
                ("loa1", "https://elsewhere.example", "'https://elsewhere.example', which is not an issuer of the account"),
                ("0", "va.example", "'va.example', not the lookup's domain, '/' and the account id"),
            ]
            for (acr, iss, breach) in rows {
                #expect(try await visitor.fetch(["identities": [["acr": acr, "iss": .string(iss), "sub": "ada"]]]).status == 201)
                let cause = try await visitor.cause()
                #expect(cause.contains("against the rules") == (breach != nil) && cause.contains(breach ?? ""), "\(cause)")
            }
        }
    }

    @Test(arguments: [true, false])
    func `the journal says whether whom the app names has signed in`(_ withIssuer: Bool) async throws {
        try await TestServer.run { server in
            let scene = try await Scene(server)
            let visitor = Visitor(scene)
            func isKnown(_ identity: JSON) async throws -> Bool {
                #expect(try await visitor.fetch(["identities": [identity]]).status == 201)
                return try await !visitor.cause().contains(", never signed in at LivePerson")
            }
            var ada = Visitor.ada
            if withIssuer { ada["iss"] = .string(scene.issuer) }
            #expect(try await !isKnown(ada))
            #expect(try await scene.signIn(.v2, token: scene.mint(["form": "jwt"])).status == 200)
            #expect(try await isKnown(ada))
            _ = try await visitor.fetch(["consumerId": "ada"])
            #expect(try await !visitor.cause().contains("never signed in"))
            ada["sub"] = "grace"
            #expect(try await !isKnown(ada))

            // A guest: by the id of either of the two tokens.
            let path = "/api/account/\(scene.account)/anonymous/authorize"
            let external = try #require(try await server.send(.post, path).json?["token"]?.string)
            let signedIn = try #require(try await scene.signIn(.v3, token: external).json?["token"]?.string)
            for token in [external, signedIn] {
                var guest: JSON = ["acr": "0", "sub": try #require(try Brand.claims(of: token)["sub"])]
                if withIssuer { guest["iss"] = .string("127.0.0.1/\(scene.account)") }
                #expect(try await isKnown(guest))
            }
            #expect(try await !isKnown(["acr": "0", "sub": "somebody"]))
        }
    }

    @Test func `sessions and what was fetched in them outlive the process`() async throws {
        try await TemporaryFolder.database { database in
            let (vid, sid) = try await TestServer.run(database: database) { server in
                var visitor = Visitor(try await Scene(server))
                try visitor.take(try await visitor.fetch(["identities": [Visitor.ada]]))
                return (visitor.vid, visitor.sid)
            }
            try await TestServer.run(database: database) { server in
                var visitor = Visitor(try await Scene(server))
                (visitor.vid, visitor.sid) = (vid, sid)
                let impression: JSON = [
                    "type": "impDisplay", "campaign": 880_001, "engId": 880_002, "revision": 1,
                    "eContext": [["type": "engagementContext", "id": "1"]],
                ]
                #expect(try await visitor.report(["engagementAttributes": [impression]]).status == 200)
                #expect(
                    try await visitor.cause("reportAttributes").hasSuffix("reported: impDisplay of engagement 880002 of campaign 880001"))
                #expect(try await visitor.scene.entry("liveperson.reportAttributes")?["lane"] == "ada")
            }
        }
    }
}
