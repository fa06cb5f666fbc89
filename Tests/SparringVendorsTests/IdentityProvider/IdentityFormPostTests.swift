import Crypto
import Foundation
import HTTPTypes
import SparringJSON
import Support
import Testing

/// Authorization responses that a page posts to the client (OAuth 2.0 Form Post Response Mode).
@Suite struct IdentityFormPostTests {
    /// The form of the page: its fields, and the address that it posts them to.
    private struct Posted {
        let action: String
        let fields: [String: String]

        /// Nil where the answer is no such page.
        init?(_ answer: TestAnswer) {
            guard answer.status == 200, answer.headers[.location] == nil,
                answer.text.contains("<script>document.forms[0].submit()</script>"),
                let form = answer.text.firstMatch(of: /<form method="post" action="([^"]*)">/)
            else { return nil }
            (action, fields) = (String(form.output.1), IdentitySignInPageTests.hidden(answer.text))
        }
    }

    @Test(arguments: TestServer.Speed.usual)
    func `a code is posted to the redirect URI, and no cache keeps the page`(_ speed: TestServer.Speed) async throws {
        try await TestServer.run(speed) { server in
            let scene = try await Scene(server)
            let answer = try await scene.authorize(["response_mode": "form_post", "state": #"a b&c="><script>'é"#])
            let posted = try #require(Posted(answer), "\(answer.status) \(answer.text)")
            #expect(posted.action == Scene.redirectURI)
            #expect(posted.fields.keys.sorted() == ["code", "iss", "state"])
            #expect(posted.fields["state"] == #"a b&c="><script>'é"# && posted.fields["iss"] == scene.issuer)
            #expect(answer.headers[.contentType] == "text/html; charset=utf-8" && answer.headers[.cacheControl] == "no-store")
            #expect(try await scene.redeem(code: try #require(posted.fields["code"])).status == 200)
            let entry = try await scene.entry("identity.authorize")
            #expect(entry?.answerName == "form-posted" && entry?.cause == "ada signed in by login_hint")
            #expect(try await scene.findings().isEmpty)
        }
    }

    /// Content Security Policy Level 3 §2.3.1: the hash is of what stands between the tags.
    @Test func `the page's policy allows its own script and no other`() async throws {
        try await TestServer.run { server in
            let scene = try await Scene(server)
            let answer = try await scene.authorize(["response_mode": "form_post"])
            let script = try #require(answer.text.firstMatch(of: /<script>([^<]*)<\/script>/)).output.1
            let hash = Data(SHA256.hash(data: Data(script.utf8))).base64EncodedString()
            let policy = try #require(answer.headers[.contentSecurityPolicy])
            #expect(policy.contains("default-src 'none'") && policy.contains("script-src 'sha256-\(hash)';"), "\(policy)")
        }
    }

    @Test(arguments: [
        ("id_token", ["id_token", "iss", "state"]),
        ("id_token token", ["access_token", "expires_in", "id_token", "iss", "state", "token_type"]),
    ])
    func `tokens may be posted, too`(_ responseType: String, _ names: [String]) async throws {
        try await TestServer.run { server in
            let scene = try await Scene(server)
            let answer = try await scene.authorize(["response_type": responseType, "nonce": "n", "response_mode": "form_post"])
            let posted = try #require(Posted(answer), "\(answer.status) \(answer.text)")
            #expect(posted.fields.keys.sorted() == names)
            #expect(try await scene.signIn(.v2, token: try #require(posted.fields["id_token"])).status == 200)
        }
    }

    @Test(
        arguments: [
            (["response_mode": "form_post", "scope": "openid a\\b"], "invalid_scope"),
            (["response_mode": "form_post", "prompt": "none", "login_hint": nil], "login_required"),
            (["response_mode": "form_post", "response_type": "id_token"], "invalid_request"),
            (["response_mode": "form_post", "response_type": "magic"], "unsupported_response_type"),
        ] as [(KeyValuePairs<String, String?>, String)])
    func `an error is posted as well`(_ parameters: KeyValuePairs<String, String?>, _ error: String) async throws {
        try await TestServer.run { server in
            let scene = try await Scene(server)
            let answer = try await scene.authorize(parameters)
            let posted = try #require(Posted(answer), "\(answer.status) \(answer.text)")
            #expect(posted.action == Scene.redirectURI && posted.fields["error"] == error && posted.fields["state"] == "af0ifjsldkj")
            #expect(posted.fields["code"] == nil && posted.fields["id_token"] == nil)
        }
    }

    @Test func `nothing is posted to a redirect URI that is not registered`() async throws {
        try await TestServer.run { server in
            let scene = try await Scene(server)
            let answer = try await scene.authorize(["response_mode": "form_post", "redirect_uri": "https://evil.example/cb"])
            #expect(answer.status == 400 && Posted(answer) == nil && answer.json?["error"] == "invalid_request")
        }
    }

    @Test func `the sign-in page carries the mode along`() async throws {
        try await TestServer.run { server in
            let scene = try await Scene(server)
            let page = try await scene.authorize(["response_mode": "form_post", "login_hint": nil])
            #expect(Posted(page) == nil)
            var fields = IdentitySignInPageTests.hidden(page.text)
            #expect(fields["response_mode"] == "form_post")
            fields["username"] = "grace"
            let body = fields.map { "\($0.key)=\(Form.encoded($0.value))" }.joined(separator: "&")
            let answer = try await server.send(
                .post, "\(scene.provider)/authorize", headers: [.contentType: "application/x-www-form-urlencoded"], body: Array(body.utf8))
            let tokens = try await scene.redeem(code: try #require(Posted(answer)?.fields["code"], "\(answer.text)"))
            #expect(try Brand.claims(of: try #require(tokens.json?["id_token"]?.string))["sub"] == "grace")
        }
    }
}
