import HTTPTypes
import SparringEngine
import SparringJSON
import SparringSandbox
import Support
import Testing

/// Agents' sign-in and its end (LivePerson reference 7).
@Suite struct AgentLoginTests {
    private static let tenants: JSON.Object = [
        "liveperson": [
            "accountId": "acme",
            "agents": [
                [
                    "userId": "55", "loginName": "alex", "password": "agent-secret", "assertion": "saml-of-alex",
                    "apiKey": ["appKey": "k", "secret": "s", "accessToken": "t", "accessTokenSecret": "ts"],
                ],
                ["userId": "56", "loginName": "billie"],
            ],
        ], "identity": ["tenantId": "brand"],
    ]

    @Test(
        arguments: [
            (["username": "alex", "password": "agent-secret"], 200, "agent-logged-in"),
            (["jwt": "dummy", "assertion": "saml-of-alex"], 200, "agent-logged-in"),
            (["username": "alex", "appKey": "k", "secret": "s", "accessToken": "t", "accessTokenSecret": "ts"], 200, "agent-logged-in"),
            (["username": "alex", "password": "wrong"], 401, "credentials-refused"),
            (["username": "alex", "password": ""], 401, "credentials-refused"),
            (["username": "nobody", "password": "agent-secret"], 401, "credentials-refused"),
            (["jwt": "dummy", "assertion": "saml-of-billie"], 401, "credentials-refused"),
            (
                ["username": "alex", "appKey": "k", "secret": "x", "accessToken": "t", "accessTokenSecret": "ts"], 401,
                "credentials-refused"
            ),
            // Billie has no API key: the absence of one is none.
            (["username": "billie", "appKey": "", "secret": "", "accessToken": "", "accessTokenSecret": ""], 401, "credentials-refused"),
            (["username": "alex"], 400, "request-malformed"),
            (["jwt": "dummy"], 400, "request-malformed"),
            ([:], 400, "request-malformed"),
        ] as [(JSON, Int, String)])
    func `a login is answered by what it brings`(body: JSON, status: Int, name: String) async throws {
        try await MessagingScene.run(tenants: Self.tenants) { scene in
            let answer = try await scene.server.send(.post, MessagingScene.login, json: body)
            let entry = try #require(try await scene.server.journal("?operation=liveperson.agentLogin").last)
            #expect(answer.status == status && entry.answerName == name, "\(answer)")
            guard status == 200 else { return }
            #expect(answer.json?["config"]?["userId"] == "55" && answer.json?["sessionTTl"] == "28800000")
            #expect(answer.json?["bearer"]?.string?.count == 64)
            let session = try #require(answer.json?["sessionId"]?.string)
            let cookies = ["Session_id", "session_id"].map { "\($0)=\(session); Path=/; HttpOnly" }
            #expect(answer.headers[values: .setCookie].sorted() == cookies, "\(answer.headers)")
        }
    }

    /// The first two are what LivePerson's pages and LivePersonInc/faas-cli send.
    @Test(
        arguments: [
            ("Session_id=$", 200, "session-refreshed"), ("session_id=$", 200, "session-refreshed"),
            ("a=b; session_id=$", 200, "session-refreshed"), ("session_id=$;c=d", 200, "session-refreshed"),
            ("session_id=0123; Session_id=$", 200, "session-refreshed"), ("session_id=$; Session_id=0123", 401, "session-expired"),
            ("session_id=0123", 401, "session-expired"), ("session_id=", 401, "session-expired"),
            ("SESSION_ID=$", 401, "session-expired"), ("xsession_id=$", 401, "session-expired"), ("session_id", 401, "session-expired"),
        ])
    func `a session is named by either spelling of its cookie`(_ cookie: String, _ status: Int, _ name: String) async throws {
        try await MessagingScene.run(tenants: Self.tenants) { scene in
            let login = try await scene.server.send(.post, MessagingScene.login, json: ["username": "alex", "password": "agent-secret"])
            let session = try #require(login.json?["sessionId"]?.string)
            let headers: HTTPFields = [.cookie: cookie.replacing("$", with: session)]
            let body: JSON = ["csrf": login.json?["csrf"] ?? .null]
            let answer = try await scene.server.send(.post, "/api/account/acme/refresh", headers: headers, json: body)
            let entry = try #require(try await scene.server.journal("?operation=liveperson.agentRefresh").last)
            #expect(answer.status == status && entry.answerName == name, "\(answer)")
            #expect(answer.headers[values: .setCookie].count == (status == 200 ? 2 : 0), "\(answer.headers)")
            // It names it in a logout too.
            let logout = try await scene.server.send(.post, "/api/account/acme/logout", headers: headers, json: body)
            #expect(logout.status == status, "\(logout)")
        }
    }

    @Test(
        arguments: [
            ("/agents/0/apiKey/secret", ["userId": "1", "userPid": "p", "apiKey": ["appKey": "k"]], "required member 'secret' is missing"),
            (
                "/agents/0/apiKey/key",
                ["userId": "1", "apiKey": ["appKey": "k", "secret": "s", "accessToken": "t", "accessTokenSecret": "x", "key": "k"]],
                "unknown member 'key'"
            ),
            ("/agents/0/apiKey", ["userId": "1", "apiKey": "k"], "is not an object"),
            ("/agents/0/assertion", ["userId": "1", "userPid": "p", "assertion": 7], "7 is not a string"),
            ("/agents/0/userId", ["loginName": "alex"], "required member 'userId' is missing"),
            ("/agents/0/userId", ["userId": ""], "'' is shorter than 1 character"), ("/agents/0/userId", ["userId": true], "true is not"),
            (
                "/agents/0/profile", ["userId": "1", "profile": "manger"],
                "is not one of 'agent', 'manager', 'administrator' (did you mean 'manager'?)"
            ),
            ("/agents/0/seesAllConversations", ["userId": "1", "seesAllConversations": "yes"], "is not true or false"),
            ("/agents/0/skills/1", ["userId": "1", "skills": ["17", 18]], "18 is not a string"),
            ("/agents/0/fulName", ["userId": "1", "fulName": "Alex"], "unknown member 'fulName' (did you mean 'fullName'?)"),
        ] as [(String, JSON, String)])
    func `an agent's credentials that cannot be used are refused with their place`(pointer: String, agent: JSON, words: String) async throws
    {
        try await MessagingScene.run { scene in
            let answer = try await scene.server.send(
                .patch, "/__admin/sandboxes/default/tenants/liveperson", json: ["agents": [agent]])
            #expect(answer.status == 400 || answer.status == 422, "\(answer)")
            #expect(answer.text.contains("\(pointer)\"") && answer.text.contains(words), "\(answer.text)")
        }
    }

    @Test(
        arguments: [
            ("userId", ["userId": 55], "'55'"), ("userId", ["userId": "alex"], "'alex'"),
            ("userPid", ["userId": "1", "userPid": "55"], "'55'"),
            ("loginName", ["userId": "1", "loginName": "alex"], "'alex'"), ("loginName", ["userId": "1", "loginName": "55"], "'55'"),
            ("assertion", ["userId": "1", "assertion": "saml"], "it"),
        ] as [(String, JSON, String)])
    func `no two agents are called the same or sign in by the same`(member: String, agent: JSON, what: String) async throws {
        try await MessagingScene.run { scene in
            let first: JSON = ["userId": "55", "loginName": "alex", "assertion": "saml"]
            let answer = try await scene.server.send(
                .patch, "/__admin/sandboxes/default/tenants/liveperson", json: ["agents": [first, agent]])
            let violation = answer.json?["violations"]?.array?.first
            #expect(answer.status == 422 && violation?["pointer"] == .string("/agents/1/\(member)"), "\(answer.text)")
            #expect(violation?["message"] == .string("\(what) is another agent's already"), "\(answer.text)")
        }
    }

    @Test func `an agent may be numbered by a number, and keeps the UUID however often the account is configured`() async throws {
        try await MessagingScene.run(
            tenants: ["liveperson": ["accountId": "acme", "agents": [["userId": 7, "loginName": "alex"]]]]
        ) { scene in
            func config() async throws -> JSON? {
                let login: JSON = ["username": "alex", "password": "agent-secret"]
                return try await scene.server.send(.post, MessagingScene.login, json: login).json?["config"]
            }
            let before = try await config()
            #expect(before?["userId"] == "7" && before?["userPid"]?.string?.count == 36, "\(before?.text ?? "")")
            try await scene.server.admin(.patch, "tenants/liveperson", ["agents": [["userId": "7", "loginName": "alex"]]])
            #expect(try await config() == before)
        }
    }

    @Test func `a session lasts eight hours from the login or the last refresh, and its socket ends with it`() async throws {
        try await MessagingScene.run(tenants: Self.tenants) { scene in
            let login = try await scene.server.send(.post, MessagingScene.login, json: ["username": "alex", "password": "agent-secret"])
            let cookie = try #require(login.headers[.setCookie]?.split(separator: ";").first.map(String.init))
            let bearer = try #require(login.json?["bearer"]?.string)
            func refresh(csrf: JSON, cookie: String?) async throws -> (Int, String?) {
                let headers: HTTPFields = cookie.map { [.cookie: "a=b; \($0)"] } ?? [:]
                let answer = try await scene.server.send(.post, "/api/account/acme/refresh?v=1.3", headers: headers, json: ["csrf": csrf])
                return (answer.status, try await scene.server.journal("?operation=liveperson.agentRefresh").last?.answerName)
            }
            let csrf = login.json?["csrf"] ?? .null
            #expect(try await refresh(csrf: csrf, cookie: nil) == (401, "session-expired"))
            #expect(try await refresh(csrf: csrf, cookie: "Session_id=0123") == (401, "session-expired"))
            #expect(try await refresh(csrf: "other", cookie: cookie) == (401, "csrf-mismatch"))

            func advance(_ by: String) async throws { try await scene.server.admin(.post, "clock/advance", ["by": .string(by)]) }
            try await advance("7h")
            // Kept open by its pings, as clients do; here the idle limit is out of the way.
            try await scene.server.admin(.patch, "tenants/liveperson", ["messaging": ["idleLimit": "24h"]])
            let socket = try await scene.agentSocket(bearer: bearer)
            #expect(try await refresh(csrf: csrf, cookie: cookie) == (200, "session-refreshed"))
            try await advance("PT7H59M59S")
            #expect(try await socket.isAlive(), "the refresh put the end off")
            try await advance("1s")
            #expect(try await socket.end() == .closed(code: 4401, reason: ""))
            #expect(try await refresh(csrf: csrf, cookie: cookie) == (401, "session-expired"))
            let refused = await #expect(throws: SocketClient.Refused.self) { try await scene.agentSocket(bearer: bearer) }
            #expect(refused?.answer.status == 401, "node-agent-sdk looks for 401 in the handshake")
        }
    }

    @Test func `a bearer opens its own account's socket only, over a restart too`() async throws {
        try await TemporaryFolder.database { database in
            var bearer = ""
            try await MessagingScene.run(tenants: Self.tenants, database: database) { scene in bearer = try await scene.bearer("alex") }
            try await MessagingScene.run(tenants: Self.tenants, database: database) { scene in
                #expect(try await scene.agentSocket(bearer: bearer).isAlive())
                let other: JSON = ["name": "other", "tenants": ["liveperson": ["accountId": "beta"]]]
                #expect(try await scene.server.send(.post, "/__admin/sandboxes", json: other).status == 201)
                for target in ["beta/messaging/brand/\(bearer)", "acme/messaging/brand/\(String(repeating: "0", count: 64))"] {
                    let refused = await #expect(throws: SocketClient.Refused.self) {
                        try await SocketClient(port: scene.server.addresses.port, target: "/ws_api/account/\(target)?v=2.1")
                    }
                    #expect(refused?.answer.status == 401)
                }
                _ = try await scene.server.send(.delete, "/__admin/sandboxes/default")
                let gone = await #expect(throws: SocketClient.Refused.self) { try await scene.agentSocket(bearer: bearer) }
                #expect(gone?.answer.status == 404)
            }
        }
    }

    @Test func `an agent's socket on which nothing comes in is dropped; its clock keeps it`() async throws {
        try await MessagingScene.run(tenants: Self.tenants) { scene in
            let agent = try await Agent("alex", scene)
            for _ in 0..<2 {
                try await scene.server.admin(.post, "clock/advance", ["by": "60s"])
                let told = try await agent.socket.request(".GetClock", [:])
                #expect(told["body"]?["currentTime"]?.integer ?? 0 > 0)
            }
            try await scene.server.admin(.post, "clock/advance", ["by": "66s"])
            guard case .ended = try await agent.socket.end() else { Issue.record("closed with a frame"); return }
        }
    }
}
