import HTTPTypes
import SparringEngine
import SparringJSON
import Support
import Testing

/// The settings that an app may be configured with (`contracts/khoros.tenant.schema.yaml`).
@Suite struct MessengerSettingsTests {
    static let wrong: [(JSON, String, String)] = [
        (["appId": "a-b"], "/appId", "'a-b' is not up to 64 letters, digits and underscores"),
        (["appName": 7], "/appName", "7 is not a string"),
        (["status": "gone"], "/status", "'gone' is not one of 'active', 'inactive'"),
        (["integrations": ["ios"]], "/integrations/0", "\"ios\" is not an object"),
        (
            ["integrations": [["id": "a-b", "platform": "ios"]]], "/integrations/0/id",
            "'a-b' is not up to 64 letters, digits and underscores"
        ),
        (["integrations": [["platform": "ios"]]], "/integrations/0/id", "required member 'id' is missing"),
        (["integrations": [["id": "ab"]]], "/integrations/0/platform", "required member 'platform' is missing"),
        (["integrations": [["id": "ab", "platform": "tv"]]], "/integrations/0/platform", "'tv' is not one of 'ios', 'android', 'web'"),
        (
            ["integrations": [["id": "ab", "platform": "ios"], ["id": "ab", "platform": "web"]]], "/integrations/1/id",
            "'ab' is that of item 0 already"
        ),
        (["keys": [["id": "a"]]], "/keys/0/secret", "required member 'secret' is missing"),
        (["keys": [["id": "a", "secret": ""]]], "/keys/0/secret", "'' is shorter than 1 character"),
        (["keys": [["id": "a", "secret": "b"], ["id": "a", "secret": "c"]]], "/keys/1/id", "'a' is that of item 0 already"),
        (["agents": [["id": "a"], ["id": "a"]]], "/agents/1/id", "'a' is that of item 0 already"),
        (["agents": [["id": "a", "script": "parrot"]]], "/agents/0/script", "expected 'echo', found 'parrot'"),
        (
            ["agents": [["id": "a", "script": [["do": ["act": "say", "text": "x"]]]]]], "/agents/0/script/0/on",
            "required member 'on' is missing"
        ),
        (
            ["agents": [["id": "a", "script": [["on": "text", "do": ["act": "sya"]]]]]], "/agents/0/script/0/do/act",
            "'sya' is not one of 'say', 'card'"
        ),
        (
            ["agents": [["id": "a", "script": [["on": "text", "do": ["act": "file", "fileName": "a", "mimeType": "b/c"]]]]]],
            "/agents/0/script/0/do/url", "a file has either its 'url' or its 'content' in Base64"
        ),
        (
            [
                "agents": [
                    ["id": "a", "script": [["on": "text", "do": ["act": "file", "fileName": "a", "mimeType": "b/c", "content": "?"]]]]
                ]
            ], "/agents/0/script/0/do/content", "it is not Base64 (RFC 4648 §4)"
        ),
        (
            ["agents": [["id": "a", "script": [["on": "text", "do": ["act": "say", "txt": "x"]]]]]], "/agents/0/script/0/do/txt",
            "unknown member 'txt' (did you mean 'text'?)"
        ),
        (
            ["agents": [["id": "a", "script": [["on": "text", "do": ["act": "card", "text": "x"]]]]]], "/agents/0/script/0/do/type",
            "required member 'type' is missing"
        ),
        (
            ["agents": [["id": "a", "script": [["on": "text", "do": ["act": "read", "text": "x"]]]]]], "/agents/0/script/0/do/text",
            "unknown member 'text'"
        ),
        (
            ["agents": [["id": "a", "script": [["on": "text", "do": ["text": "x"]]]]]], "/agents/0/script/0/do/act",
            "required member 'act' is missing"
        ),
        (["realtime": ["timeout": "10ms"]], "/realtime/timeout", "'10ms' is less than 1 s"),
        (["realtime": ["retryInterval": "soon"]], "/realtime/retryInterval", "\"soon\" is not a whole number"),
        (["realtime": ["maxConnectionAttempts": 1001]], "/realtime/maxConnectionAttempts", "1001 is greater than the maximum 1000"),
        (["retryPolicy": ["regular": -1]], "/retryPolicy/regular", "-1 is less than the minimum 0"),
        (["retryPolicy": ["maxRetries": 1.5]], "/retryPolicy/maxRetries", "1.5 is not a whole number"),
        (["retryPolicy": ["maxRetris": 1]], "/retryPolicy/maxRetris", "unknown member 'maxRetris' (did you mean 'maxRetries'?)"),
        (["checksUserId": "yes"], "/checksUserId", "\"yes\" is not true or false"),
        (["clockSkew": "11y"], "/clockSkew", "\"11y\" is not a duration such as 60s"),
        (["largestFile": 26_214_401], "/largestFile", "26214401 is greater than the maximum 26214400"),
        (["largestFiel": 1], "/largestFiel", "unknown member 'largestFiel' (did you mean 'largestFile'?)"),
    ]

    @Test func `a configuration that cannot be is refused with its place`() async throws {
        try await TestServer.run(.pipeline) { server in
            for (app, pointer, words) in Self.wrong {
                let answer = try await server.send(.post, "/__admin/sandboxes", json: ["name": "x", "tenants": ["khoros": app]])
                let violation = answer.json?["violations"]?.array?.first
                #expect(answer.status == 422 && violation?["pointer"]?.string == "/tenants/khoros" + pointer, "\(answer.text)")
                #expect(violation?["message"]?.string?.hasPrefix(words) == true, "\(answer.text)")
            }
        }
    }

    @Test func `a change is checked as a whole is`() async throws {
        try await TestServer.run(.pipeline, tenants: MessengerScene.tenants()) { server in
            let patch: JSON = ["realtime": ["timeout": "10ms"]]
            let problem = try await server.problem(.patch, "/__admin/sandboxes/default/tenants/khoros", patch)
            #expect(problem.words == "422 configuration-invalid /realtime/timeout", "\(problem)")
        }
    }

    @Test func `what an app is given is completed, and null gives it back its default`() async throws {
        try await TestServer.run(.pipeline, tenants: ["khoros": ["realtime": ["timeout": "5s", "enabled": .null]]]) { server in
            func read() async throws -> JSON { try await server.admin(.get, "tenants/khoros") }
            let realtime: JSON = [
                "enabled": true, "retryInterval": 10, "maxConnectionAttempts": 3, "connectionDelay": 0, "timeout": "5s",
            ]
            let made = try await read()
            #expect(made["realtime"] == realtime && made["agents"] == [["id": "ada", "name": "Ada"]])
            #expect(made["integrations"]?.array?.compactMap { $0["platform"]?.string } == ["ios", "android", "web"])
            #expect(made["retryPolicy"] == ["regular": 60, "aggressive": 15, "backoffMultiplier": 2, "maxRetries": 5])
            #expect(made["largestFile"] == 26_214_400 && made["clockSkew"] == "0s" && made["status"] == "active")
            try await server.admin(.patch, "tenants/khoros", ["realtime": .null, "agents": .null, "historyPage": 7])
            let changed = try await read()
            #expect(changed["realtime"] == realtime.merging(["timeout": "45s"]) && changed["agents"] == made["agents"])
            #expect(changed["historyPage"] == 7 && changed["keys"] == made["keys"])
        }
    }
}
