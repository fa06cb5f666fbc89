import Foundation
import GRDB
import HTTPTypes
import SparringEngine
import SparringJSON
import SparringSandbox
import Support
import Testing

/// Sandboxes: made, configured, reset, removed.
@Suite struct SandboxTests {
    private static let sandboxes = "/__admin/sandboxes"

    @Test(arguments: TestServer.Speed.usual)
    func `what is given is used as it is`(_ speed: TestServer.Speed) async throws {
        try await TestServer.run(speed) { server in
            let answer = try await server.send(
                .post, Self.sandboxes,
                json: [
                    "name": "checkout", "seed": 77, "clock": ["mode": "rate", "rate": 60, "now": "2030-05-05T05:05:05Z"],
                    "tenants": [
                        "liveperson": ["accountId": "Brand_1.x-2", "tokenLifetime": "5m", "errorCodes": ["token-expired": "1234"]],
                        "identity": [
                            "tenantId": "brand-77", "clientId": "app", "clientSecret": "s3cret", "redirectURIs": ["app://back"], "key": 2,
                        ],
                    ],
                    "faults": ["liveperson.Login.* token-expired times=2", ["where": "*", "effect": "status", "code": 503, "skip": 5]],
                ])
            #expect(answer.status == 201)
            let json = try #require(answer.json)
            #expect(json["id"] == "checkout" && json["seed"] == 77)
            #expect(json["clock"]?["mode"] == "rate" && json["clock"]?["rate"] == 60)
            // A minute of its time is a second of ours.
            #expect(("2030-05-05T05:05:05"..<"2030-05-05T24").contains(json["clock"]?["now"]?.string ?? ""))
            #expect(json["baseURL"] == .string(server.addresses.baseURL) && json["tlsBaseURL"] == nil)
            #expect(json["tenants"]?["liveperson"]?["accountId"] == "Brand_1.x-2")
            let identity = json["tenants"]?["identity"]
            #expect(identity?["clientId"] == "app" && identity?["clientSecret"] == "s3cret" && identity?["redirectURI"] == "app://back")
            #expect(identity?["issuer"] == .string("\(server.addresses.baseURL)/identity/brand-77"))
            let faults = try await server.admin(.get, "faults", sandbox: "checkout")["faults"]?.array?.compactMap { $0["text"]?.string }
            #expect(faults == ["liveperson.Login.* token-expired times=2", "* status code=503 skip=5"])
            let account = try await server.admin(.get, "tenants/liveperson", sandbox: "checkout")
            #expect(account["errorCodes"] == ["token-expired": "1234"] && account["tokenLifetime"] == "5m")
            let lookUp = try await server.lookUp(account: "Brand_1.x-2")
            #expect(lookUp.status == 200, "\(lookUp)")
            #expect(try await server.admin(.get, "", sandbox: "checkout")["tenants"] == json["tenants"])
            let list = try await server.send(.get, Self.sandboxes).json?["sandboxes"]?.array?.compactMap { $0["id"]?.string }
            #expect(list == ["default", "checkout"], "in the order of creation")
        }
    }

    @Test func `what is not given is drawn from the seed, and is the same on every server`() async throws {
        func make() async throws -> [JSON] {
            try await TestServer.run(.pipeline, seed: 5) { server in
                var made: [JSON] = []
                for body in [["seed": 9], ["seed": 9], ["name": "x", "seed": 10], [:]] as [JSON] {
                    let answer = try await server.send(.post, Self.sandboxes, json: body)
                    #expect(answer.status == 201)
                    let text = answer.text.replacing(":\(server.addresses.port)", with: ":PORT")
                    var json = try JSON(parsing: text)
                    json["clock"]?["now"] = nil
                    made.append(json)
                }
                return made
            }
        }
        let (first, second) = (try await make(), try await make())
        #expect(first.map(\.text) == second.map(\.text))
        #expect(first.map { $0["id"] } == ["sandbox-9", "sandbox-10", "x", "sandbox-5"])
        let ids = first.compactMap { $0["tenants"]?["liveperson"]?["accountId"]?.string }
        #expect(Set(ids).count == 4, "the same seed twice in one process: the next free id")
        let numbers = ids.compactMap { Int($0) }
        #expect(numbers[1] == numbers[0] + 1)
        #expect(first.allSatisfy { $0["clock"]?["mode"] == "real" })
    }

    @Test func `the largest seed makes sandboxes too, however often`() async throws {
        try await TestServer.run(.pipeline) { server in
            for _ in 0..<3 {
                #expect(try await server.send(.post, Self.sandboxes, json: ["seed": .integer(.max)]).status == 201)
            }
            _ = try await server.send(.post, Self.sandboxes, json: [:])
        }
    }

    @Test(
        arguments: [
            (["name": "default"], "409 sandbox-exists"),
            (["tenants": ["liveperson": ["accountId": "acme"]]], "409 tenant-taken"),
            (["tenants": ["identity": ["tenantId": "brand"]]], "409 tenant-taken"),
            (["tenants": ["nobody": [:]]], "422 configuration-invalid /tenants/nobody"),
            (["tenants": ["liveperson": ["accountId": ""]]], "422 configuration-invalid /tenants/liveperson/accountId"),
            (["tenants": ["liveperson": ["accountId": "a/b"]]], "422 configuration-invalid /tenants/liveperson/accountId"),
            (["tenants": ["liveperson": ["accountId": ".."]]], "422 configuration-invalid /tenants/liveperson/accountId"),
            (["tenants": ["liveperson": ["accountId": 5]]], "422 configuration-invalid /tenants/liveperson/accountId"),
            (["tenants": ["liveperson": ["tokenLifetime": "soon"]]], "422 configuration-invalid /tenants/liveperson/tokenLifetime"),
            (["tenants": ["liveperson": ["errorCodes": ["x": "1"]]]], "422 configuration-invalid /tenants/liveperson/errorCodes/x"),
            (["tenants": ["identity": ["errorDialect": "rfc"]]], "422 configuration-invalid /tenants/identity/errorDialect"),
            (["tenants": ["identity": ["redirectURIs": ["a#b"]]]], "422 configuration-invalid /tenants/identity/redirectURIs/0"),
            (["tenants": ["identity": ["nope": 1]]], "422 configuration-invalid /tenants/identity/nope"),
            (["clock": ["mode": "rate"]], "422 configuration-invalid /clock/rate"),
            (["faults": ["* status"]], "422 configuration-invalid /faults/0"),
            (["faults": ["* delay by=1s", ["where": "*", "effect": "delay"]]], "422 configuration-invalid /faults/1"),
            (["name": "Upper"], "400 request-malformed /name"), (["name": "-x"], "400 request-malformed /name"),
            (["name": .string(String(repeating: "a", count: 64))], "400 request-malformed /name"),
            (["seed": -1], "400 request-malformed /seed"), (["seed": "1"], "400 request-malformed /seed"),
            (["seed": 1.5], "400 request-malformed /seed"), (["tenants": [:], "tennants": [:]], "400 request-malformed /tennants"),
            (["tenants": ["liveperson": 1]], "400 request-malformed /tenants/liveperson"),
            (["faults": [1]], "400 request-malformed /faults/0"),
            (["faults": "x"], "400 request-malformed /faults"), ([], "400 request-malformed "), ("x", "400 request-malformed "),
        ] as [(JSON, String)])
    func `a sandbox that cannot be is refused with its place, and nothing of it is left`(_ body: JSON, _ words: String) async throws {
        try await TemporaryFolder.database { database in
            try await TestServer.run(.pipeline, database: database, tenants: acme) { server in
                let before = try Dump.tables(of: database)
                let problem = try await server.problem(.post, Self.sandboxes, body)
                #expect(problem.words == words, "\(problem)")
                #expect(try Dump.tables(of: database) == before)
                #expect(server.engine.world.sandboxes.map(\.id) == ["default"])
                // What it would have taken is free.
                #expect(
                    try await server.send(.post, Self.sandboxes, json: ["name": "new", "tenants": ["liveperson": ["accountId": "free"]]])
                        .status == 201)
            }
        }
    }

    @Test func `of many who ask for one name or one id at once, one gets it`() async throws {
        try await TestServer.run { server in
            let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
                for number in 0..<16 {
                    group.addTask {
                        let body: JSON =
                            number % 2 == 0
                            ? ["name": "one"] : ["name": .string("n\(number)"), "tenants": ["liveperson": ["accountId": "one"]]]
                        return try await server.send(.post, Self.sandboxes, json: body).status
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(statuses.filter { $0 == 201 }.count == 2 && statuses.filter { $0 == 409 }.count == 14)
        }
    }

    @Test func `a patch merges: members replace, null removes, objects merge, the id stays`() async throws {
        try await TestServer.run(.pipeline, tenants: acme) { server in
            func account() async throws -> JSON { try await server.admin(.get, "tenants/liveperson") }
            try await server.admin(
                .patch, "tenants/liveperson", ["errorCodes": ["token-expired": "11", "bad-signature": "12"], "audience": "x"])
            let patched = try await server.admin(
                .patch, "tenants/liveperson", ["errorCodes": ["token-expired": .null, "claim-missing": "13"], "audience": .null])
            #expect(patched["errorCodes"] == ["bad-signature": "12", "claim-missing": "13"] && patched["audience"] == nil)
            #expect(try await account() == patched)
            #expect(try await server.admin(.patch, "tenants/liveperson", ["accountId": "acme"]) == patched)
            let tenant = "/__admin/sandboxes/default/tenants"
            let count = try await server.journal("?kind=configuration").count
            #expect(
                try await server.problem(.patch, tenant + "/liveperson", ["accountId": "other"]).words
                    == "422 configuration-invalid /accountId")
            #expect(
                try await server.problem(.patch, tenant + "/liveperson", ["accountId": .null]).words
                    == "422 configuration-invalid /accountId")
            #expect(
                try await server.problem(.patch, tenant + "/liveperson", ["errorCodes": 1]).words == "422 configuration-invalid /errorCodes"
            )
            #expect(try await server.problem(.patch, tenant + "/livepersn", [:]).words == "404 tenant-unknown")
            #expect(try await server.problem(.patch, tenant + "/livepersn", [:]).nearest == ["liveperson"])
            #expect(try await server.problem(.patch, tenant + "/liveperson", [1]).words == "400 request-malformed ")
            #expect(try await account() == patched)
            #expect(try await server.journal("?kind=configuration").count == count)
        }
    }

    @Test(
        arguments: [
            ("liveperson", "anonymousLifetime", "1s"), ("liveperson", "issuers", []), ("liveperson", "appInstallations", []),
            ("talkdesk", "clients", []), ("talkdesk", "backend", ["user": "app"]), ("khoros", "keys", []),
            ("cxone", "channels", [["channelId": "only"]]),
            ("identity", "codeLifetime", "1s"), ("asapp", "sessionLifetime", "1s"),
        ] as [(String, String, JSON)])
    func `what is removed from a tenant has its default again`(_ vendor: String, _ member: String, _ value: JSON) async throws {
        try await TestServer.run(.pipeline) { server in
            func settings() async throws -> JSON { try await server.admin(.get, "tenants/\(vendor)") }
            let before = try await settings()
            try #require(before[member] != nil)
            let changed = try await server.admin(.patch, "tenants/\(vendor)", .object([member: value]))
            #expect(changed != before)
            #expect(try await server.admin(.patch, "tenants/\(vendor)", .object([member: .null])) == before)
            #expect(try await settings() == before)
        }
    }

    @Test func `a sandbox that is deleted leaves no row in any table, and its ids are free`() async throws {
        try await TemporaryFolder.database { database in
            try await TestServer.run(database: database, tenants: acme) { server in
                _ = try await server.send(.post, Self.sandboxes, json: ["name": "other", "tenants": ["liveperson": ["accountId": "zeta"]]])
                try await live(server, account: "acme", sandbox: "default")
                try await live(server, account: "zeta", sandbox: "other")
                for sandbox in ["default", "other"] {
                    let brand = try await server.admin(.get, "", sandbox: sandbox)["tenants"]?["cxone"]?["brandId"]?.string ?? ""
                    try await ChatScene(server: server, brand: brand, sandbox: sandbox).leaveRowsEverywhere()
                    let app = try await server.admin(.get, "", sandbox: sandbox)["tenants"]?["khoros"]?["appId"]?.string ?? ""
                    try await MessengerScene(server: server, app: app, sandbox: sandbox).leaveRowsEverywhere()
                    let account = try await server.admin(.get, "", sandbox: sandbox)["tenants"]?["talkdesk"]?["account"]?.string ?? ""
                    try await TalkdeskScene(server: server, account: account, sandbox: sandbox).leaveRowsEverywhere()
                    let company = try await server.admin(.get, "", sandbox: sandbox)["tenants"]?["asapp"]?["appId"]?.string ?? ""
                    try await CompanyScene(server: server, company: company, sandbox: sandbox).leaveRowsEverywhere()
                }
                try Dump.change(database) { db in
                    // What only an agent's message leaves.
                    try db.execute(
                        sql:
                            "INSERT INTO liveperson_push_unread (sandbox, consumer, conversation, sequence) SELECT id, 'x', 'c', 1 FROM sandbox"
                    )
                    // What only an app leaves that does not take its notifications.
                    try db.execute(
                        sql:
                            "INSERT INTO liveperson_webhook_backlog (sandbox, app, conversation, notification) SELECT id, 'a', 'c', '{}' FROM sandbox"
                    )
                    // What only a sandbox leaves that varies its answers.
                    try db.execute(sql: "INSERT INTO varied (sandbox, point, lane, count) SELECT id, 'p', 'l', 1 FROM sandbox")
                    // What only a call leaves that proves who is behind a name.
                    try db.execute(sql: "INSERT INTO alias (sandbox, name, actor, since) SELECT id, 'n', 'a', 0 FROM sandbox")
                }
                let rows = try Dump.rows(of: "other", in: database)
                #expect(rows.count >= 8, "\(rows)")
                let untouched = rows.filter { $0.value == 0 && !["lane", "ended_sandbox"].contains($0.key) }.keys.sorted()
                #expect(untouched.isEmpty, "the test should leave rows everywhere: \(untouched)")
                let others = try Dump.rows(of: "default", in: database)

                #expect(try await server.send(.delete, Self.sandboxes + "/other").status == 204)
                #expect(try Dump.rows(of: "other", in: database).filter { $0.value > 0 }.isEmpty)
                #expect(try Dump.rows(of: "default", in: database) == others)
                #expect(try await server.lookUp(account: "zeta").status == 404)
                #expect(try await server.problem(.get, Self.sandboxes + "/other/journal").words == "404 sandbox-unknown")
                #expect(try await server.problem(.delete, Self.sandboxes + "/other").words == "404 sandbox-unknown")

                _ = try await server.send(.post, Self.sandboxes, json: ["name": "other", "tenants": ["liveperson": ["accountId": "zeta"]]])
                #expect(try await server.lookUp(account: "zeta").status == 200)
                #expect(try await server.journal(sandbox: "other").map { $0["number"] } == [1])
            }
        }
    }

    /// Leaves a trace in every table there is.
    private func live(_ server: TestServer, account: String, sandbox: String) async throws {
        try await server.arm("* status code=503 skip=1000", sandbox: sandbox)
        let code =
            try await server.admin(.post, "credentials", ["form": "code", "subject": "ada"], sandbox: sandbox)["credential"] ?? .null
        for _ in 0..<2 { _ = try await server.send(.post, "/api/account/\(account)/app/default/authenticate?v=2.0", json: ["code": code]) }
        _ = try await server.send(.post, "/api/account/\(account)/anonymous/authorize", json: [:])
        _ = try await server.send(.post, "/api/account/\(account)/signup", json: [:])
        _ = try await server.send(.post, "/api/account/\(account)/app/an-app/engagement?v=1.0", json: [:])
        try await talk(server, account: account)
        let brand =
            try await server.admin(.post, "credentials", ["form": "jwt", "subject": "ada"], sandbox: sandbox)["credential"] ?? .null
        let signedIn = try await server.send(.post, "/api/account/\(account)/authenticate", json: ["authCode": brand])
        let registered = try await server.send(
            .put, "/mock/pusher/account/\(account)/registrations/app",
            headers: [.authorization: "Bearer \(signedIn.json?["jwt"]?.string ?? "")"], json: ["deviceToken": "phone", "pushType": "FCM"])
        #expect(registered.status == 201, "\(registered)")
        // One push that arrived, and one that waits to be sent again.
        try await server.admin(.post, "liveperson/push", ["consumer": "ada", "text": "hello"], sandbox: sandbox)
        _ = try await server.admin(.get, "devices/phone/notifications/wait?timeout=60s", sandbox: sandbox)
        try await server.arm("liveperson.deliverPush unavailable", sandbox: sandbox)
        try await server.admin(.post, "liveperson/push", ["consumer": "ada", "text": "hello"], sandbox: sandbox)
        try await until { try await server.journal("?operation=liveperson.push", sandbox: sandbox).count == 2 }
        let identity = try await server.admin(.get, "", sandbox: sandbox)["tenants"]?["identity"]
        let tenant = identity?["issuer"]?.string?.split(separator: "/").last ?? ""
        let fresh =
            try await server.admin(.post, "credentials", ["form": "code", "subject": "bob"], sandbox: sandbox)["credential"]?.string ?? ""
        let secret = identity?["clientSecret"]?.string ?? ""
        _ = try await server.send(
            "/identity/\(tenant)/token",
            form: [
                "grant_type": "authorization_code", "code": fresh, "client_id": "brand-app", "client_secret": secret,
                "redirect_uri": "https://liveperson.net",
            ])
    }

    /// A conversation with a message in it, and a profile.
    private func talk(_ server: TestServer, account: String) async throws {
        let anonymous = try await server.send(.post, "/api/account/\(account)/anonymous/authorize", json: [:])
        let token = try #require(anonymous.json?["token"]?.string)
        let socket = try await SocketClient(
            port: server.addresses.port, target: "/ws_api/account/\(account)/messaging/consumer?v=3",
            headers: [("Authorization", "jwt \(token)")])
        _ = try await socket.request("userprofile.SetUserProfile", ["firstName": "Ada"])
        _ = try await socket.request("ms.GenerateURLForUploadFile", ["fileSize": 1, "fileType": "PNG"])
        let login = try await server.send(
            .post, "/api/account/\(account)/login?v=1.3", json: ["username": "agent", "password": "agent-secret"])
        let agent = try await SocketClient(
            port: server.addresses.port,
            target: "/ws_api/account/\(account)/messaging/brand/\(login.json?["bearer"]?.string ?? "")?v=2.1")
        _ = try await agent.request(".ams.routing.SetAgentState", ["availability": "ONLINE", "channels": ["MESSAGING"]])
        _ = try await agent.request(".ams.routing.SubscribeRoutingTasks", ["agentId": "55", "brandId": .string(account)])
        let opened = try await socket.request("cm.ConsumerRequestConversation", [:])
        let text: JSON = ["type": "ContentEvent", "contentType": "text/plain", "message": "hi"]
        let said = try await socket.request(
            "ms.PublishEvent", ["dialogId": opened["body"]?["conversationId"] ?? .null, "event": text])
        #expect(said["code"] == 200, "\(said.text)")
    }

    @Test func `a reset keeps id, seed and configuration, re-arms what it was created with, and forgets the rest`() async throws {
        try await TemporaryFolder.database { database in
            try await TestServer.run(.pipeline, database: database) { server in
                _ = try await server.send(
                    .post, Self.sandboxes,
                    json: [
                        "name": "again", "seed": 4, "clock": ["mode": "frozen", "now": "2028-01-01T00:00:00Z"],
                        "tenants": ["liveperson": ["accountId": "acme"]], "faults": ["liveperson.lookUpService status code=503 times=1"],
                    ])
                func life() async throws -> [String] {
                    #expect(try await server.lookUps(2) == "x.")
                    try await server.arm("* delay by=0s", sandbox: "again")
                    let code =
                        try await server.admin(.post, "credentials", ["form": "code", "subject": "ada"], sandbox: "again")["credential"]
                        ?? .null
                    let target = "/api/account/acme/app/default/authenticate?v=2.0"
                    #expect(try await server.send(.post, target, json: ["code": code]).status == 200)
                    #expect(try await server.send(.post, target, json: ["code": code]).status == 500)
                    try await server.admin(.post, "clock/advance", ["by": "1h"], sandbox: "again")
                    return [code.text]
                        + (try await server.journal(sandbox: "again").map { "\($0["number"] ?? 0) \($0["kind"] ?? 0) \($0["cause"] ?? 0)" })
                }
                let first = try await life()
                try await server.admin(.patch, "tenants/liveperson", ["tokenLifetime": "7m"], sandbox: "again")
                let before = try await server.admin(.get, "", sandbox: "again")
                let reset = try await server.admin(.post, "reset", sandbox: "again")
                #expect(reset["seed"] == 4 && reset["tenants"] == before["tenants"])
                #expect(reset["clock"]?["now"] == "2028-01-01T00:00:00.000Z")
                #expect(try await server.admin(.get, "tenants/liveperson", sandbox: "again")["tokenLifetime"] == "7m")
                let faults = try await server.admin(.get, "faults", sandbox: "again")["faults"]?.array ?? []
                #expect(faults.map { $0["text"] } == ["liveperson.lookUpService status code=503 times=1"] && faults[0]["number"] == 1)
                #expect(try await server.journal(sandbox: "again").isEmpty)
                let rows = try Dump.rows(of: "again", in: database).filter { $0.value > 0 }
                #expect(rows == ["sandbox": 1, "tenant": 6, "fault": 1])
                // The same seed: the same life again, entry by entry, the first code included.
                #expect(try await life() == first)
                #expect(try await server.problem(.post, Self.sandboxes + "/agian/reset").nearest == ["again"])
            }
        }
    }

    @Test(arguments: ["reset", "delete"])
    func `a call that is held up when its sandbox goes is answered as if it had come after that`(_ how: String) async throws {
        try await TestServer.run(tenants: acme) { server in
            try await server.arm("* delay by=1h")
            async let held = server.lookUp("ada")
            try await server.untilPending()
            if how == "reset" { try await server.admin(.post, "reset") } else { try await server.admin(.delete, "") }
            #expect(try await held.status == (how == "reset" ? 200 : 404))
            if how == "reset" {
                let entries = try await server.journal()
                #expect(entries.map { $0["ordinal"] } == [1], "the fault went with the sandbox, and calls are counted from 1 again")
                #expect(try await server.lookUp("ada").status == 200)
                #expect(try await server.newest(lookUpService)["ordinal"] == 2)
            }
        }
    }
}
