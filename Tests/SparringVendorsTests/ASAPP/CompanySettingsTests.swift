import HTTPTypes
import SparringEngine
import SparringJSON
import Support
import Testing

/// The settings that a company may be configured with (`contracts/asapp.tenant.schema.yaml`).
@Suite struct CompanySettingsTests {
    static let wrong: [(JSON, String, String)] = [
        (["push": 7], "/push", "7 is not an object"),
        (["push": ["tittle": "x"]], "/push/tittle", "unknown member 'tittle' (did you mean 'title'?)"),
        (["push": ["template": ["to": "x"]]], "/push/template", "no member is '{{deviceToken}}': the endpoint could not tell the device"),
        (
            ["push": ["template": ["to": "{{deviceTokn}}"]]], "/push/template/to",
            "there is no placeholder '{{deviceTokn}}' (did you mean 'deviceToken'?)"
        ),
        (["push": ["template": []]], "/push/template", "[] is not a string or an object"),
        (["push": ["template": "mine"]], "/push/template", "'mine' is not 'documented', or an object with placeholders"),
        (["push": ["url": "ftp://x"]], "/push/url", "'ftp://x' is not a URL with http:// or https://, or a path on this server"),
        (["push": ["url": "https://x:99999/"]], "/push/url", "'https://x:99999/' has the port 99999"),
        (["push": ["timeout": "0s"]], "/push/timeout", "'0s' is not more than nothing"),
        (["push": ["timeout": "6m"]], "/push/timeout", "'6m' is more than 5 min"),
        (["push": ["waits": ["soon"]]], "/push/waits/0", "\"soon\" is not a duration such as 60s"),
        (
            ["push": ["waits": .array(Array(repeating: "1s", count: 21))]], "/push/waits", "21 items, at most 20 expected"
        ),
        (["push": ["headers": ["a b": "c"]]], "/push/headers/a b", "'a b' is not the name of a header field"),
        (["push": ["headers": ["a": 1]]], "/push/headers/a", "1 is not a string"),
        (["push": ["headers": ["a": "b\u{7}"]]], "/push/headers/a", "it is not a value of a header"),
        (["push": ["headers": ["a": "{{token}}"]]], "/push/headers/a", "there is no placeholder '{{token}}'"),
        (["push": ["clientKey": "x"]], "/push/clientKey", "clientCertificate and clientKey go together"),
        (["push": ["clientCertificate": "x", "clientKey": "y"]], "/push/clientCertificate", "it cannot be used: "),
        (["push": ["trustedCertificates": ""]], "/push/trustedCertificates", "it cannot be used: it holds no certificate"),
        (["context": ["validation": "guess"]], "/context/validation", "'guess' is not one of 'decode', 'api', 'compare'"),
        (["context": ["token": "Auth"]], "/context/token", "'Auth' is not a JSON Pointer such as /Auth/Token"),
        (["context": ["url": "x"]], "/context/url", "'x' is not a URL with http:// or https://"),
        (["context": ["timeout": "0s"]], "/context/timeout", "'0s' is not more than nothing"),
        (["agents": [["id": ""]]], "/agents/0/id", "'' is shorter than 1 character"),
        (["agents": [["name": "Grace"]]], "/agents/0/id", "required member 'id' is missing"),
        (["agents": [["id": "1"], ["id": "1"]]], "/agents/1/id", "'1' is that of item 0 already"),
        (
            ["agents": [["id": "1", "script": [["on": "opened", "do": ["act": "jon"]]]]]], "/agents/0/script/0/do/act",
            "'jon' is not one of 'join', 'leave'"
        ),
        (
            ["agents": [["id": "1", "script": [["on": "text", "do": ["act": "say", "text": ""]]]]]], "/agents/0/script/0/do/text",
            "'' is shorter than 1 character"
        ),
        (
            ["agents": [["id": "1", "script": [["on": "text", "do": ["act": "leave", "text": "x"]]]]]], "/agents/0/script/0/do/text",
            "unknown member 'text'"
        ),
        (["sessionLifetime": "soon"], "/sessionLifetime", "\"soon\" is not a duration such as 60s"),
        (["clockSkew": -1], "/clockSkew", "-1 is not a duration such as 60s"),
        (["strictNumericDates": "yes"], "/strictNumericDates", "\"yes\" is not true or false"),
        (["issuers": [["iss": "https://x"]]], "/issuers/0/publicKey", "the certificate type publicKey needs it"),
        (["appID": "x"], "/appID", "unknown member 'appID' (did you mean 'appId'?)"),
    ]

    @Test func `nonsense in a company's settings is named with its place`() async throws {
        try await TestServer.run(.pipeline) { server in
            for (settings, pointer, words) in Self.wrong {
                let answer = try await server.send(.post, "/__admin/sandboxes", json: ["name": "x", "tenants": ["asapp": settings]])
                let violation = answer.json?["violations"]?.array?.first
                #expect(answer.status == 422 && violation?["pointer"]?.string == "/tenants/asapp" + pointer, "\(answer.text)")
                #expect(violation?["message"]?.string?.hasPrefix(words) == true, "\(answer.text)")
            }
        }
    }

    @Test func `a change is checked as a whole is`() async throws {
        try await TestServer.run(.pipeline, tenants: CompanyScene.tenants()) { server in
            let answer = try await server.send(
                .patch, "/__admin/sandboxes/default/tenants/asapp", json: ["push": ["waits": ["soon"]]])
            #expect(answer.status == 422 && answer.json?["violations"]?.array?.first?["pointer"] == "/push/waits/0", "\(answer.text)")
        }
    }

    @Test func `what a company is given is completed, and null gives it back its default`() async throws {
        try await TestServer.run(.pipeline, tenants: ["asapp": ["push": ["title": "Shop", "timeout": .null]]]) { server in
            let tenant = "/__admin/sandboxes/default/tenants/asapp"
            func push() async throws -> JSON? { try await server.send(.get, tenant).json?["push"] }
            let whole: JSON = [
                "title": "Shop", "timeout": "5s", "secret": "asapp-push-secret", "headers": [:], "template": "documented",
                "waits": ["1s", "2s", "4s"],
            ]
            #expect(try await push() == whole)
            let changed = try await server.send(.patch, tenant, json: ["push": ["title": .null, "waits": [1]]])
            #expect(changed.status == 200, "\(changed.text)")
            #expect(try await push() == whole.merging(["title": "New Message", "waits": [1]]))
            let emptied = try await server.send(.patch, tenant, json: ["push": .null, "context": .null, "issuers": .null])
            #expect(emptied.status == 200, "\(emptied.text)")
            #expect(try await push() == whole.merging(["title": "New Message"]))
        }
    }
}
