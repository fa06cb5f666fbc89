import HTTPTypes
import SparringJSON
import Support
import Testing

/// The page that asks who is signing in.
@Suite struct IdentitySignInPageTests {
    @Test(arguments: TestServer.Speed.usual)
    func `where nobody is named a page asks, and its form signs in`(_ speed: TestServer.Speed) async throws {
        try await TestServer.run(speed) { server in
            let scene = try await Scene(server)
            let page = try await scene.authorize(["login_hint": nil, "nonce": "n-0S6_WzA2Mj"])
            #expect(page.status == 200)
            #expect(page.headers[.contentType] == "text/html; charset=utf-8")
            #expect(page.headers[.cacheControl] == "no-store")
            #expect(page.text.contains(#"<form method="post" action="\#(scene.provider)/authorize">"#))
            let fields = Self.hidden(page.text)
            #expect(fields["state"] == "af0ifjsldkj" && fields["nonce"] == "n-0S6_WzA2Mj" && fields["client_id"] == scene.clientId)

            let redirection = try #require(Redirection(try await submit(fields, username: "grace", scene)))
            #expect(redirection["state"] == "af0ifjsldkj")
            let tokens = try await scene.redeem(code: try #require(redirection["code"]))
            let claims = try Brand.claims(of: try #require(tokens.json?["id_token"]?.string))
            #expect(claims["sub"] == "grace" && claims["nonce"] == "n-0S6_WzA2Mj")
            #expect(try await scene.entry("identity.signIn")?.cause == "grace signed in on the page")
        }
    }

    @Test func `the form signs in by the implicit flow too`() async throws {
        try await TestServer.run { server in
            let scene = try await Scene(server)
            let page = try await scene.authorize(["login_hint": nil, "response_type": "id_token", "nonce": "n"])
            let redirection = try #require(Redirection(try await submit(Self.hidden(page.text), username: "grace", scene)))
            #expect(redirection.isFragment && redirection["id_token"] != nil)
        }
    }

    @Test func `without a name the page is shown again, with the request it carries`() async throws {
        try await TestServer.run { server in
            let scene = try await Scene(server)
            let fields = Self.hidden(try await scene.authorize(["login_hint": nil]).text)
            let again = try await submit(fields, username: "", scene)
            #expect(again.status == 200)
            #expect(Self.hidden(again.text) == fields)
        }
    }

    @Test func `the form is judged like the request was: nothing in it is trusted`() async throws {
        try await TestServer.run { server in
            let scene = try await Scene(server)
            var fields = Self.hidden(try await scene.authorize(["login_hint": nil]).text)
            fields["redirect_uri"] = "https://evil.example"
            let answer = try await submit(fields, username: "grace", scene)
            #expect(answer.status == 400 && answer.headers[.location] == nil)
        }
    }

    @Test(
        arguments: ["state", "login_hint", "nonce", "scope", "code_challenge", "</form>", "prompt"],
        [#""><script>alert(1)</script>"#, "' onfocus='x", "&quot;<&>"])
    func `whatever comes in goes out escaped`(_ name: String, _ value: String) async throws {
        try await TestServer.run { server in
            let scene = try await Scene(server)
            let answer = try await scene.authorize(
                name == "login_hint" ? [name: value, "prompt": "login"] : ["login_hint": nil, name: value])
            #expect(!answer.text.contains("<script>alert"))
            guard answer.status == 200 else { return }
            #expect(Self.hidden(answer.text)[name] == value || name == "</form>")
            #expect(!answer.text.contains(#"value="""#) && !answer.text.contains("name=\"</form>"))
            #expect(answer.text.count(where: { $0 == "<" }) == answer.text.count(where: { $0 == ">" }))
        }
    }

    @Test func `prompt=login shows the page even to a consumer who is named, prompt=none never does`() async throws {
        try await TestServer.run { server in
            let scene = try await Scene(server)
            let page = try await scene.authorize(["prompt": "login"])
            #expect(page.status == 200)
            // Asked once is enough: the form carries the prompt along.
            let redirection = Redirection(try await submit(Self.hidden(page.text), username: "grace", scene))
            #expect(redirection?["code"] != nil)
            #expect(Redirection(try await scene.authorize(["prompt": "none"]))?["code"] != nil)
            #expect(Redirection(try await scene.authorize(["prompt": "none", "login_hint": nil]))?["error"] == "login_required")
        }
    }

    private func submit(_ fields: [String: String], username: String, _ scene: Scene) async throws -> TestAnswer {
        let body = (fields.sorted { $0.key < $1.key } + [("username", username)]).map { "\($0.0)=\(Form.encoded($0.1))" }.joined(
            separator: "&")
        return try await scene.server.send(
            .post, "\(scene.provider)/authorize", headers: [.contentType: "application/x-www-form-urlencoded"], body: Array(body.utf8))
    }

    /// The hidden fields of a page, unescaped.
    static func hidden(_ page: String) -> [String: String] {
        func unescaped(_ text: Substring) -> String {
            String(text).replacing("&lt;", with: "<").replacing("&gt;", with: ">").replacing("&quot;", with: "\"").replacing(
                "&#39;", with: "'"
            )
            .replacing("&amp;", with: "&")
        }
        return Dictionary(
            page.matches(of: /<input type="hidden" name="([^"]*)" value="([^"]*)">/).map {
                (unescaped($0.output.1), unescaped($0.output.2))
            },
            uniquingKeysWith: { first, _ in first })
    }
}
