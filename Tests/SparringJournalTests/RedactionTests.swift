import SparringJSON
import Testing

@testable import SparringJournal

/// The values that are hidden before others see them.
@Suite struct RedactionTests {
    private static let jwt = "eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJhZGEifQ.c2ln-_x"

    private static func body(_ text: String) -> String {
        var redaction = Redaction()
        return redaction.body(text)
    }

    private static func shown(_ entry: JSON, _ style: Redaction.Style = .brief) -> JSON {
        var redaction = Redaction(style)
        return redaction.document(entry)
    }

    @Test(arguments: [
        (#"{"id_token":"abc","name":"ada"}"#, #"{"id_token":"«token:1»","name":"ada"}"#),
        (#"{"a":[{"clientSecret":"xyz"}],"code":0}"#, #"{"a":[{"clientSecret":"«secret:1»"}],"code":0}"#),
        (#"{"said":"token \#(jwt)!"}"#, #"{"said":"token «jwt:1»!"}"#),
        (
            #"{"password":"a","secret":"b","again":{"password":"a"}}"#,
            #"{"password":"«password:1»","secret":"«secret:1»","again":{"password":"«password:1»"}}"#
        ),
        ("grant_type=authorization_code&code=SplxlOBe&empty=&code=", "grant_type=authorization_code&code=%C2%ABcode:1%C2%BB&empty=&code="),
        (#"{"error":{"code":"invalid_auth"},"code":"AQ1xZ0"}"#, #"{"error":{"code":"invalid_auth"},"code":"«code:1»"}"#),
        (#"{ "spaces" : "stay" }"#, #"{ "spaces" : "stay" }"#),
        (#"{"unheard":"aB3dE5gH7jK9mN1pQ3sT5vW7yZ9bC1dE3"}"#, #"{"unheard":"«token:1»"}"#),
        // What is hidden already.
        ("see http://a.example/b/«token:1»?expires=900", "see http://a.example/b/«token:1»?expires=900"),
        (
            #"{"id":"7f3b8c1e-0000-4000-8000-0123456789ab","x":"aB3dE5gH7jK9mN1pQ3sT5vW7yZ9bC1dE3"}"#,
            #"{"id":"7f3b8c1e-0000-4000-8000-0123456789ab","x":"aB3dE5gH7jK9mN1pQ3sT5vW7yZ9bC1dE3"}"#
        ),
        ("plain words, code=1", "plain words, code=1"), ("<html>\(jwt)</html>", "<html>«jwt:1»</html>"), ("", ""),
        (#"{"password":""}"#, #"{"password":""}"#), ("eyJ.only", "eyJ.only"),
        ("-----BEGIN PRIVATE KEY-----\nMIIE\n-----END PRIVATE KEY-----\nrest", "«key:1»\nrest"),
    ])
    func `a body loses its credentials and nothing else`(body: String, shown: String) { #expect(Self.body(body) == shown) }

    /// A body that cannot be read as what it should be is searched.
    @Test(arguments: [
        #"{"code":"SECRET","redirect_uri":"x",}"#, #"{"a":1,"client_secret":"SECRET"#, "{'password': 'SECRET'}",
        #"{"code":"SECRET","code":"SECRET"}"#,
        "<r><client_secret>SECRET</client_secret></r>", #"<r xmlns:a="b"><a:client_secret type="x">SECRET</a:client_secret></r>"#,
        "client_secret: SECRET",
        "--b\r\nContent-Disposition: form-data; name=\"client_secret\"\r\n\r\nSECRET\r\n--b--",
        "--b\nContent-Disposition: form-data; name=code\nX: y\n\nSECRET\n--b--",
        "payload=%7B%22client_secret%22%3A%22SECRET%22%7D", #"{"nested":"{\"client_secret\":\"SECRET\"}","#, "Authorization: Bearer SECRET",
        "a, SECRET b",
        "client-secret => SECRET", "refreshToken='SECRET'",
    ])
    func `a body that cannot be read loses them too`(body: String) {
        let secret = "S3cr3tS3cr3tS3cr3tS3cr3tS3cr3t"
        let shown = Self.body(body.replacing("SECRET", with: secret))
        #expect(!shown.contains(secret) && shown.contains(":1"), "\(shown)")
        let entry: JSON = ["request": ["body": .string(body.replacing("SECRET", with: secret))], "cause": .string("it was \(secret)")]
        #expect(!Self.shown(entry).text.contains(secret))
    }

    @Test(arguments: [
        "code: 404", "the code = 500 came", "no token", "password is missing", #"the contract has no member "client_secret""#,
        "expected application/json, found text/plain", "token: none", "body.jwt: expected string, found integer", "<code>", "name=\"code\"",
    ])
    func `a sentence keeps its words`(text: String) {
        var redaction = Redaction()
        #expect(redaction.text(text) == text)
    }

    @Test(arguments: [
        ("/cb?code=abc&state=s", "/cb?code=%C2%ABcode:1%C2%BB&state=s"), ("/a/b", "/a/b"), ("/x?version=1.0", "/x?version=1.0"),
        (
            "/ws_api/account/1/messaging/brand/\(String(repeating: "0a", count: 32))?v=1",
            "/ws_api/account/1/messaging/brand/%C2%ABtoken:1%C2%BB?v=1"
        ), ("/a/7f3b8c1e-0000-4000-8000-0123456789ab/b", "/a/7f3b8c1e-0000-4000-8000-0123456789ab/b"),
        ("https://a/b#id_token=\(jwt)&x=1", "https://a/b#id_token=%C2%ABjwt:1%C2%BB&x=1"),
    ])
    func `a target loses the credentials in its query`(target: String, shown: String) {
        var redaction = Redaction()
        #expect(redaction.target(target) == shown)
    }

    @Test(arguments: ["deviceToken", "pushNotificationToken"])
    func `what is hidden in a body is hidden in the sentences of its entry too`(_ name: String) {
        let token = String(repeating: "ab", count: 32)
        let entry: JSON = [
            "request": ["body": .string(#"{"\#(name)":"\#(token)","app":"com.example.app"}"#)],
            "effects": [.string("ada registered device \(token) of com.example.app")],
            "findings": [["code": "device-of-another-one", "words": "device-of-another-one"]],
        ]
        let shown = Self.shown(entry)
        #expect(shown["effects"] == ["ada registered device «device:1» of com.example.app"])
        #expect(shown["findings"]?.array?.first?["words"] == "device-of-another-one" && !shown.text.contains(token))
    }

    /// Causes quote the beginning of what is long.
    @Test(
        arguments: [
            "eyJhbGciOiJub25lIn0.eyJlbWFpbCI6ImFubkBleGFtcGxlLmNvbSIsInBob25lIjoiKzEyMDIifQ.c2ln", "fcm:APA91bHun4MxP5egoKMwt2KZFBaFUH",
            "ZXlKaGJHY2lPaUpJVXpJMU5pSjkuZXlKa1pYWnBZMlVpT2lKa01TSjkuYzJsbg==", "a token with spaces in it \u{1F9A9}",
        ])
    func `what is left of a credential that was cut off is hidden, too`(_ token: String) {
        for count in [17, 20, 25] {
            let cause = "'\(token.abbreviated(to: count))' by ann's session (JWT of ann)"
            let body: JSON = ["deviceToken": .string(token), "platform": "ios"]
            let entry: JSON = ["cause": .string(cause), "request": ["body": .string(body.text)], "lane": .string(token)]
            let shown = Self.shown(entry)
            #expect(
                shown["cause"]?.string == "'\(Self.shown(body)["deviceToken"]?.string ?? "")…' by ann's session (JWT of ann)",
                "\(shown.text)")
            #expect(shown["lane"] == Self.shown(body)["deviceToken"])
        }
    }

    @Test(arguments: [
        "'eyJhbGciOiJub25lIn0.eyJlbW…' by ann", "see eyJhbGciOiJub25lIn0…, and more", "it said … and eyJhbGciOiJub25lIn0.e30.c2ln…",
        "device eyJlbWFpbCI6ImFubkBleGFtcGxlLmNvbSIsInBob25lIjoiKzEifQ== of ann",
    ])
    func `a JWT is hidden where nobody names it, whole or cut off`(_ text: String) {
        for shown in [Self.shown(.string(text)).text, Redaction.withoutTokens(text), Self.shown(["cause": .string(text)]).text] {
            #expect(!shown.contains("eyJ") && shown.contains("«"), "\(shown)")
        }
    }

    @Test func `a JWT in Base64 is hidden with its padding, whole or cut off`() {
        let token = "ZXlKaGJHY2lPaUpJVXpJMU5pSjkuZXlKa1pYWnBZMlVpT2lKa01TSjkuYzJsbg=="
        #expect(Redaction.withoutTokens("lane \(token), call 3") == "lane «token», call 3")
        #expect(Redaction.withoutTokens("'\(token.abbreviated(to: 60))' by ann") == "'«token»…' by ann")
        #expect(Redaction.withoutTokens("x=ZXlK&y=1 ZXlKaG") == "x=ZXlK&y=1 ZXlKaG")
    }

    @Test(arguments: ["eyJ…", "the word 'eyJabc…' is short", "…", "a…b…c", "eyJhbGciOiJub25lIn0 is a header"])
    func `what is short or whole, and no JWT, stays`(_ text: String) {
        #expect(Redaction.withoutTokens(text) == text && Self.shown(["cause": .string(text)])["cause"]?.string == text)
    }

    @Test func `what is hidden in a path is hidden in the sentences and the lane of its entry`() {
        let token = String(repeating: "0a", count: 32)
        let entry: JSON = [
            "request": ["target": .string("/3/device/\(token)?v=1")], "lane": .string(token), "cause": .string("device \(token): pushed"),
            "causedBy": ["operation": "a.push", "lane": .string(token)],
        ]
        let shown = Self.shown(entry)
        #expect(!shown.text.contains(token) && shown["cause"] == "device «token:1»: pushed", "\(shown.text)")
        #expect(shown["causedBy"]?["operation"] == "a.push")
    }

    @Test func `an entry is hidden in its headers, target, bodies and details`() throws {
        let entry = try JSON(
            parsing: #"""
                {"number":3,"operation":"a.b","request":{"method":"GET","target":"/x?access_token=abc","headers":{"Authorization":"Bearer abcdef",
                "Cookie":"a=b","Accept":"*/*"},"body":"{\"password\":\"pw\"}"},"answer":{"status":302,"headers":{"Location":"https://a/cb?code=xy"}},
                "details":{"refresh_token":"zz","n":1}}
                """#)
        let shown = Self.shown(entry)
        #expect(shown["request"]?["target"] == "/x?access_token=%C2%ABtoken:1%C2%BB")
        #expect(shown["request"]?["headers"]?["Authorization"] == "Bearer «token:2»")
        #expect(shown["request"]?["headers"]?["Cookie"] == "a=«cookie:1»" && shown["request"]?["headers"]?["Accept"] == "*/*")
        #expect(shown["request"]?["body"] == #"{"password":"«password:1»"}"#)
        #expect(shown["answer"]?["headers"]?["Location"] == "https://a/cb?code=%C2%ABcode:1%C2%BB")
        #expect(shown["details"]?["refresh_token"] == "«token:3»" && shown["number"] == 3)
        for secret in ["abcdef", "\"pw", "zz\"", "=xy", "a=b"] { #expect(!shown.text.contains(secret), "\(secret)") }
    }

    // MARK: One file

    @Test func `the same value has the same placeholder in all entries, wherever and however it is written`() throws {
        let (secret, short) = ("p+w/ with=signs & 1more", "hunter22")
        let encoded = "p%2Bw%2F+with%3Dsigns+%26+1more"
        let entries: [JSON] = [
            [
                "cause": .string("'\(secret)' and \(short)"),
                "request": ["target": .string("/x?a=\(encoded)&b=\(short)"), "headers": ["X": .string(short)]],
            ],
            [
                "request": [
                    "body": .string(#"{"password":"\#(secret)","note":"\#(short)"}"#), "headers": ["Cookie": .string("sid=\(short)")],
                ]
            ],
            [
                "request": ["body": .string("password=\(encoded)")],
                "answer": ["headers": ["Set-Cookie": .string("sid=\(short); Path=/; Secure")]],
            ],
        ]
        var redaction = Redaction(.recording)
        for entry in entries { redaction.gather(entry) }
        let shown = entries.map { redaction.document($0) }
        #expect(shown[0]["cause"] == "'«password:1»' and «cookie:1»")
        #expect(shown[0]["request"]?["target"] == "/x?a=%C2%ABpassword:1%C2%BB&b=%C2%ABcookie:1%C2%BB")
        #expect(shown[0]["request"]?["headers"]?["X"] == "«cookie:1»")
        #expect(shown[1]["request"]?["body"] == #"{"password":"«password:1»","note":"«cookie:1»"}"#)
        #expect(shown[2]["request"]?["body"] == "password=%C2%ABpassword:1%C2%BB")
        #expect(shown[2]["answer"]?["headers"]?["Set-Cookie"] == "sid=«cookie:1»; Path=/; Secure")
        for entry in shown { #expect(redaction.document(entry) == entry, "again it changes nothing") }
    }

    @Test func `in a recording a JWT keeps its header and its claims, and Basic its user`() throws {
        let inner = "eyJhbGciOiJub25lIn0.eyJzdWIiOiJpbm5lciJ9.c2lnbmF0dXJl"
        let claims = #"{"sub":"ada","exp":1700000000,"act":{"token":"\#(inner)"},"otk":"0123456789abcdefXYZ"}"#
        let outer = "eyJhbGciOiJSUzI1NiJ9.\(Base64URL.encode(Array(claims.utf8))).c2ln-_x"
        let entry: JSON = [
            "request": [
                "target": .string("/cb#id_token=\(outer)"),
                "headers": ["Authorization": .string("Basic " + Base64.encode(Array("app:s3cret-s3cret".utf8)))],
                "body": .string(#"{"jwt":"\#(outer)","client_secret":"s3cret-s3cret"}"#),
            ]
        ]
        let shown = Self.shown(entry, .recording)
        let request = try #require(shown["request"])
        let body = try JSON(parsing: try #require(request["body"]?.string))
        let parts = (body["jwt"]?.string ?? "").split(separator: ".").map(String.init)
        #expect(parts.count == 3 && parts[0] == "eyJhbGciOiJSUzI1NiJ9" && parts[2] == "«jwt:1»", "\(shown.text)")
        let kept = try JSON(parsing: try #require(Base64URL.decode(Substring(parts[1]))))
        #expect(kept["sub"] == "ada" && kept["exp"] == 1_700_000_000 && kept["otk"]?.string?.hasPrefix("«code:") == true)
        #expect(kept["act"]?["token"]?.string?.hasSuffix(".«jwt:2»") == true)
        #expect(request["headers"]?["Authorization"]?.string == "Basic " + Base64.encode(Array("app:«password:1»".utf8)))
        #expect(body["client_secret"] == "«password:1»")
        #expect(request["target"]?.string?.hasSuffix(".%C2%ABjwt:1%C2%BB") == true)
        var again = Redaction(.recording)
        #expect(again.document(shown) == shown)
        #expect(CredentialScan(shown.text).findings.isEmpty, "\(CredentialScan(shown.text).findings)")
    }

    @Test func `lengths follow what was hidden`() throws {
        let body = #"{"password":"a much longer password than its placeholder"}"#
        let entry: JSON = [
            "request": ["headers": ["content-length": .string("\(body.utf8.count)")], "body": .string(body)],
            "answer": ["headers": ["Content-Length": "7"], "body": .string(body), "bodySize": 7],
        ]
        let shown = Self.shown(entry, .recording)
        let length = try #require(shown["request"]?["body"]?.string).utf8.count
        #expect(shown["request"]?["headers"]?["content-length"]?.string == "\(length)" && length < body.utf8.count)
        #expect(shown["answer"]?["headers"]?["Content-Length"] == "7", "of what was kept in part only")
    }

    @Test func `an archive of others is hidden in its fields, its cookies and what is in Base64`() throws {
        let archive = try JSON(
            parsing: #"""
                {"log":{"entries":[{"request":{"url":"https://a/cb?code=S3cr3tCode99","headers":[{"name":"Authorization","value":"Bearer S3cr3tToken99"}],
                "cookies":[{"name":"sid","value":"S3cr3tCookie99"}],"postData":{"text":"password=S3cr3tPass99","params":[{"name":"password","value":"S3cr3tPass99"}]}},
                "response":{"content":{"text":"eyJwYXNzd29yZCI6IlMzY3IzdFBhc3M5OSJ9","encoding":"base64"},"redirectURL":"https://b/?code=S3cr3tCode99"},
                "_webSocketMessages":[{"data":"{\"token\":\"S3cr3tToken99\"}"}],"comment":"S3cr3tCookie99"}]}}
                """#)
        let shown = Self.shown(archive, .recording)
        #expect(!shown.text.contains("S3cr3t") && !shown.text.contains("UzNjcjN0"), "\(shown.text)")
        let entry = shown["log"]?["entries"]?.array?.first
        #expect(entry?["comment"] == "«cookie:1»" && entry?["_webSocketMessages"]?.array?.first?["data"] == #"{"token":"«token:1»"}"#)
        let content = try #require(entry?["response"]?["content"]?["text"]?.string)
        #expect(String(decoding: Base64.decode(content) ?? [], as: UTF8.self) == #"{"password":"«password:1»"}"#)
        #expect(CredentialScan(shown.text).findings.isEmpty)
    }

    @Test func `bytes that are no text are searched as well`() throws {
        let part =
            Array("--b\r\nContent-Disposition: form-data; name=\"token\"\r\n\r\nS3cr3tT0ken99\r\n--b\r\n\r\n".utf8) + [0xFF, 0x00, 0xAB]
        let shown = Self.shown(["request": ["bodyHex": .string(part.hex)]], .recording)
        let bytes = JournalEntry.bytes(ofHex: shown["request"]?["bodyHex"]?.string ?? "")
        #expect(bytes.suffix(3) == [0xFF, 0x00, 0xAB] && String(decoding: bytes, as: UTF8.self).contains("\r\n\r\n«token:1»\r\n--b"))
    }

    @Test func `what a program has written keeps all but its credentials`() {
        var redaction = Redaction()
        redaction.gather(["tenants": ["identity": ["clientSecret": "f9f73b7b32c6f05ee71b8f5aa54586fa"]]])
        let written =
            "conversation 672668ce-9127-4734-83f0-6d8e05dc32ef at /a/b-1\nf9f73b7b32c6f05ee71b8f5aa54586fa eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJhZGEifQ.c2ln"
        let shown = redaction.output(written)
        #expect(shown.hasPrefix("conversation 672668ce-9127-4734-83f0-6d8e05dc32ef at /a/b-1\n«secret:1» «jwt:1»"), "\(shown)")
        #expect(CredentialScan(shown).findings.isEmpty)
    }

    @Test func `of many credentials each is found`() {
        var redaction = Redaction(.recording)
        let secrets = (0..<3_000).map { "shared-beginning-of-all-\($0)-x" }
        for secret in secrets { redaction.gather(["token": .string(secret)]) }
        let shown = redaction.document(["cause": .string(secrets.joined(separator: " "))])["cause"]?.string ?? ""
        #expect(!shown.contains("shared-beginning") && shown.split(separator: " ").last == "«token:3000»")
    }
}

/// The credentials that a file still contains.
@Suite struct CredentialScanTests {
    @Test(arguments: [
        (#"{"a":{"password":"hunter22"}}"#, ["/a/password password"]), (#"{"password":"«password:1»"}"#, []), ("no secret here", []),
        ("first\nclient_secret=abcdefgh12345\n", ["line 2 secret"]), ("Authorization: Bearer abcdef123456789\n", ["line 1 token"]),
        ("{\"n\":1}\n{\"body\":\"{\\\"token\\\":\\\"abc\\\"}\"}\n", ["line 2 /body token"]),
        ("a\nb eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJhZGEifQ.c2ln c", ["line 2 jwt"]), ("eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJhZGEifQ.«jwt:1»", []),
        (#"{"headers":{"Authorization":"Basic YTpiYw=="}}"#, ["/headers/Authorization basic"]),
        ("x\n-----BEGIN RSA PRIVATE KEY-----\nabc\n-----END RSA PRIVATE KEY-----", ["line 2 key"]),
        ("GET /a?code=%C2%ABcode:1%C2%BB&b=c", []),
        ("a eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJhZGEifQ.c2ln\nBearer «jwt:1» «jwt:2»", ["line 1 jwt"]),
        // What reports and logs have, and is none.
        ("<p><code>npm test --foo 12345abc</code> <code>liveperson.authenticateV2</code>", []),
        ("<code>5c2ae2a5eba806b8</code>", ["line 1 code"]),
        ("a conversation: 672668ce-9127-4734-83f0-6d8e05dc32ef, /var/lib/sparring/run-2026/rule-backs-off-1-2-4-8-16s", []),
        ("PUT /mock/pusher/account/67444215/registrations/app\nSec-WebSocket-Key: dwcPRUgvBL0bOCwfqR3hcg==", []),
        ("x b85ba928273fa222fc1da0a5002144aafd009654af2\n/a/K7gNU3sdo-OL0wNhqoVWhr3g6s1xYv72ol_pe/b", ["line 1 token", "line 2 token"]),
    ])
    func `it says where, and of what kind`(text: String, findings: [String]) {
        #expect(CredentialScan(text).findings.map { "\($0.place) \($0.kind)" } == findings)
    }
}
