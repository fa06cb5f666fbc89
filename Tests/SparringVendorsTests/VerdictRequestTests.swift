import Foundation
import HTTPTypes
import SparringAdmin
import SparringJSON
import SparringJournal
import Support
import Testing

/// The admin API's answers about marks, policies, the contract's gate and calls that match nothing, over LivePerson's rules.
@Suite struct VerdictRequestTests {
    @Test(
        arguments: [
            (.get, "/api/account/acme/service/idp/baseURI.json/?version=1.0", "(has a slash at the end)"),
            (.get, "/ws_api/account/acme/messaging/consumer", "(needs the query v=3)"),
            (.post, "/ws_api/account/acme/messaging/consumer", "(needs the query v=3, needs the method GET)"),
            (.delete, "/api/account/acme/signup", "/api/account/acme/signup does not allow DELETE"),
            (.post, "/api/account/acme/app/default/authenticat?v=2.0", "nearest: liveperson.authenticateV2"),
        ] as [(HTTPRequest.Method, String, String)])
    func `a near miss says what differs, in the journal of the sandbox that its account belongs to`(
        _ method: HTTPRequest.Method, _ target: String, _ words: String
    ) async throws {
        try await MessagingScene.run { scene in
            #expect(try await scene.server.send(method, target).status >= 400)
            let findings = try await scene.server.journal("?kind=finding").flatMap { $0["findings"]?.array ?? [] }
            let isSlip = target.contains("authenticat?")
            #expect(findings.count == 1 && findings[0]["code"] == (isSlip ? "misspelt" : "unplaced"), "\(findings)")
            #expect(findings.first?["meant"] == (isSlip ? "liveperson.authenticateV2" : nil))
            #expect(findings.first?["words"]?.string?.contains(words) == true, "\(findings)")
        }
    }

    /// The vendor that is called, the request, and the vendors whose rules are judged.
    @Test(
        arguments: [
            ("/api/account/acme/service/idp/baseURI.json?version=1.0", [:], ["liveperson"]),
            ("/chat/1.0/brand/1386/channel/chat_single", [:], ["cxone"]),
            ("/chat/1.0/brand/1386/channel/chat_single", ["rules": ["retries-one-call-at-a-time"]], ["liveperson"]),
            ("/chat/1.0/brand/1386/channel/chat_single", ["behaviours": ["liveperson"]], ["liveperson"]),
            ("/nothing/of/the/kind", [:], ["asapp", "cxone", "identity", "khoros", "liveperson", "talkdesk"]),
        ] as [(String, JSON, Set<String>)])
    func `a client is held to the rules of the vendors that it calls, and to those that are asked for`(
        _ target: String, _ request: JSON, _ expected: Set<String>
    ) async throws {
        try await TestServer.run(.pipeline, tenants: ChatScene.tenants().merging(acme, uniquingKeysWith: { $1 })) { server in
            _ = try await server.send(.get, target)
            let report = try await server.admin(.post, "verdicts", request)
            let rules = Set((report["verdicts"]?.array ?? []).compactMap { $0["vendor"]?.string })
            #expect(rules == expected)
            let owed = Set((report["unobservable"]?.array ?? []).compactMap { $0["vendor"]?.string })
            #expect(owed.isSubset(of: expected), "\(owed)")
        }
    }

    /// On which platform the client is seen to run, what comes of a run in which nothing happened that the scenario expects, and why.
    @Test(arguments: [
        (nil, "not-exercised", "the calls do not show on which platform the client runs; set --platform"),
        ("ios", "not-exercised", "not seen: "), ("web", "not-exercised", "the client's platform is web"),
    ])
    func `an unknown client has not done what is expected of certain platforms`(
        _ platform: String?, _ result: String, _ words: String
    ) async throws {
        let scenario = "code-reused-at-authorize"
        try await TestServer.run(.pipeline, configure: { $0.scenarios = Repository.folder("fixtures/scenarios") }) { server in
            let made = try await server.send(.post, "/__admin/sandboxes", json: ["scenario": .string(scenario), "name": "one"])
            let cxone = made.json?["tenants"]?["cxone"]
            let path = "/chat/1.0/brand/\(cxone?["brandId"]?.string ?? "")/channel/\(cxone?["singleThreadChannelId"]?.string ?? "")"
            var headers = HTTPFields()
            if let platform { headers[HTTPField.Name("x-sdk-platform")!] = platform }
            #expect(try await server.send(.get, path, headers: headers).status == 200)
            let report = try await server.admin(.post, "verdicts", .members(["platform": platform.map { .string($0) }]), sandbox: "one")
            #expect(report["result"]?.string == result, "\(report.text)")
            let verdict = report["verdicts"]?.array?.first { $0["rule"] == "signs-in-with-another-code" }
            #expect(verdict?["summary"]?.string?.contains(words) == true, "\(verdict?.text ?? "")")
        }
    }

    @Test func `a mark that no rule knows is a finding, with the nearest known one`() async throws {
        try await MessagingScene.run { scene in
            for mark in ["windowclosed", "window-closed", "process-ended"] {
                try await scene.server.admin(.post, "journal/marks", ["mark": .string(mark)])
            }
            let told = try await scene.server.journal("?kind=mark").map { $0["findings"]?.array?.first?["words"] }
            #expect(told == ["no rule uses the mark 'windowclosed' (did you mean 'window-closed'?)", nil, nil])
        }
    }

    @Test(
        arguments: [
            (["retrys": 3], "policies.retrys", "there is no policy 'retrys' (did you mean 'retries'?)"),
            (["retries": "many"], "policies.retries", "policy 'retries' must be a number from 1 to 100, not 'many'"),
            (
                ["retry-schedule": "soon"], "policies.retry-schedule",
                "policy 'retry-schedule' must be durations such as 1s,2s,4s, not 'soon'"
            ),
        ] as [(JSON, String, String)])
    func `an unknown or unusable policy is refused, for a verdict and for a sandbox`(_ policies: JSON, _ place: String, _ words: String)
        async throws
    {
        try await MessagingScene.run { scene in
            for target in ["/__admin/sandboxes/default/verdicts", "/__admin/sandboxes"] {
                let refused = try await scene.server.send(.post, target, json: ["policies": policies])
                #expect(
                    refused.status == 422 && refused.json?["detail"]?.string?.hasSuffix("\(place): \(words)") == true, "\(refused.text)")
            }
        }
    }

    @Test func `a sandbox's policies hold, unless the verdict's say otherwise`() async throws {
        try await MessagingScene.run { scene in
            let made = try await scene.server.send(
                .post, "/__admin/sandboxes",
                json: [
                    "name": "patient", "policies": ["retries": 1], "clock": ["mode": "frozen"],
                    "tenants": ["liveperson": ["accountId": "other"], "identity": ["tenantId": "other-brand"]],
                ])
            #expect(made.status == 201, "\(made.text)")
            try await scene.server.admin(.post, "faults", ["fault": "liveperson.registerPush unavailable"], sandbox: "patient")
            let token = try await scene.server.admin(.post, "credentials", ["form": "jwt", "subject": "ada"], sandbox: "patient")
            let signedIn = try await scene.server.send(
                .post, "/api/account/other/app/default/authenticate?v=2.0", json: ["id_token": token["credential"] ?? .null])
            let bearer = try #require(signedIn.json?["jwt"]?.string, "\(signedIn.text)")
            for _ in 1...2 {
                let answer = try await scene.server.send(
                    .put, "/mock/pusher/account/other/registrations/app", headers: [.authorization: "Bearer \(bearer)"],
                    json: ["deviceToken": "d", "pushType": "FCM"])
                #expect(answer.status == 503)
                try await scene.server.admin(.post, "clock/advance", ["by": "1s"], sandbox: "patient")
            }
            func result(_ policies: JSON) async throws -> JSON? {
                let form: JSON = ["rules": ["backs-off-1-2-4-8-16s"], "timeBasis": "sandbox", "settle": "10m", "policies": policies]
                return try await scene.server.admin(.post, "verdicts", form, sandbox: "patient")["verdicts"]?.array?.first?["result"]
            }
            #expect(try await result([:]) == "pass")
            #expect(try await result(["retries": 2]) == "fail")
        }
    }

    @Test(arguments: [("verified", 2, 0, "fail"), ("warn", 2, 0, "pass"), ("off", 0, 0, "pass")])
    func `the gate decides what a broken contract does`(_ gate: String, _ warned: Int64, _ unplaced: Int64, _ result: String) async throws {
        try await MessagingScene.run { scene in
            // A text where a list belongs, and two names that the contract does not have.
            let report = "/api/account/acme/app/x/engagement?v=1.0&visitor=1"
            _ = try await scene.server.send(.post, report, json: ["clientPropertys": [:], "entryPoints": "shop"])
            let verdict = try await scene.server.admin(.post, "verdicts", ["contract": .string(gate), "rules": ["challenges-by-s256"]])
            let counts = verdict["contract"]?["counts"]
            #expect(counts?["fail"] == (gate == "off" ? 0 : 1) && counts?["warn"] == .integer(warned), "\(verdict["contract"] ?? .null)")
            #expect(counts?["notEmulated"] == .integer(unplaced))
            #expect((verdict["result"] == "fail") == (result == "fail"), "\(verdict["result"] ?? .null)")
        }
    }

    @Test func `a socket that was frozen is not ended for being idle`() async throws {
        try await MessagingScene.run { scene in
            try await scene.server.admin(.post, "faults", ["fault": "liveperson.openConsumerSocket freeze after=10s times=1"])
            let socket = try await scene.socket("ada")
            #expect(try await socket.isAlive())
            try await scene.server.admin(.post, "clock/advance", ["by": "10s"])
            try await until { try await scene.server.journal("?kind=socket").contains { $0["details"]?["frozen"] == true } }
            #expect(try await scene.server.journal("?kind=socket").allSatisfy { $0["faults"] == [1] })
            try await scene.server.admin(.post, "clock/advance", ["by": "10m"])
            let ends = try await scene.server.journal("?kind=socket").filter { $0["details"]?["by"] != nil }
            #expect(ends.isEmpty, "\(ends)")
        }
    }

    /// The call ends when the machine answers it, however fast the sandbox's clock runs.
    @Test func `F2 how long an answer was delayed is measured by the machine's clock`() async throws {
        try await MessagingScene.run { scene in
            try await scene.server.admin(.put, "clock", ["mode": "rate", "rate": 10])
            try await scene.server.admin(.post, "faults", ["fault": "liveperson.lookUpService delay by=2s phase=onResponseStart"])
            _ = try await scene.server.send(.get, "/api/account/acme/service/idp/baseURI.json?version=1.0")
            let entry = try #require(try await scene.server.journal("?operation=liveperson.lookUpService").last)
            let arrival = entry["arrival"]
            let took = try #require(arrival?["answered"]?.integer) - (try #require(arrival?["monotonic"]?.integer))
            func time(_ name: String) throws -> Int64 {
                try #require((entry[name] ?? entry["sandboxTime"])?.string.flatMap { Timestamp($0) }).milliseconds
            }
            let passed = try time("ended") - time("began")
            #expect(passed >= 2000, "\(entry)")
            // Ten of the sandbox's milliseconds in each of the machine's.
            #expect(abs(took / 100_000 - passed) <= 1000, "\(entry)")
        }
    }

    @Test func `D15 what is decided within the time to settle is decided, though something else takes longer`() async throws {
        try await MessagingScene.run { scene in
            try await scene.server.admin(.post, "faults", ["fault": "liveperson.registerPush unavailable"])
            let answer = try await scene.server.send(
                .put, "/mock/pusher/account/acme/registrations/app", headers: [.authorization: "Bearer \(try await scene.token("ada"))"],
                json: ["deviceToken": "d", "pushType": "FCM"])
            #expect(answer.status == 503)
            let form: JSON = [
                "rules": ["backs-off-1-2-4-8-16s", "registers-in-the-end"], "timeBasis": "wall", "timeScale": 0.05, "settle": "500ms",
            ]
            let verdicts = try await scene.server.admin(.post, "verdicts", form)["verdicts"]?.array ?? []
            #expect(verdicts.map { $0["result"] } == ["fail", "undecided"], "\(verdicts.map { $0["summary"] ?? "" })")
        }
    }
}
