import SparringJSON
import Testing

@testable import SparringJournal

/// What is hidden in what is shown to others.
@Suite struct RedactionTests {
    private static let jwt = "eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJhZGEifQ.c2ln-_x"

    @Test(arguments: [
        (#"{"id_token":"abc","name":"ada"}"#, #"{"id_token":"…(3 characters hidden)","name":"ada"}"#),
        (#"{"a":[{"clientSecret":"xyz"}],"code":0}"#, #"{"a":[{"clientSecret":"…(3 characters hidden)"}],"code":0}"#),
        (#"{"said":"token \#(jwt)!"}"#, #"{"said":"token …(\#(jwt.count) characters hidden)!"}"#),
        (
            "grant_type=authorization_code&code=SplxlOBe&empty=&code=",
            "grant_type=authorization_code&code=…(8 characters hidden)&empty=&code="
        ),
        ("plain words, code=1", "plain words, code=1"), ("<html>\(jwt)</html>", "<html>…(\(jwt.count) characters hidden)</html>"), ("", ""),
        (#"{"password":""}"#, #"{"password":""}"#), ("eyJ.only", "eyJ.only"),
    ])
    func `a body loses its credentials and nothing else`(body: String, shown: String) { #expect(Redaction.body(body) == shown) }

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
        let shown = Redaction.body(body.replacing("SECRET", with: secret))
        #expect(!shown.contains(secret) && shown.contains("characters hidden"), "\(shown)")
        let entry: JSON = ["request": ["body": .string(body.replacing("SECRET", with: secret))], "cause": .string("it was \(secret)")]
        #expect(!Redaction.entry(entry).text.contains(secret))
    }

    @Test(arguments: [
        "code: 404", "the code = 500 came", "no token", "password is missing", #"the contract has no member "client_secret""#,
        "expected application/json, found text/plain", "token: none", "<code>", "name=\"code\"",
    ])
    func `a sentence keeps its words`(text: String) { #expect(Redaction.text(text) == text) }

    @Test(arguments: [
        ("/cb?code=abc&state=s", "/cb?code=…(3 characters hidden)&state=s"), ("/a/b", "/a/b"), ("/x?version=1.0", "/x?version=1.0"),
        (
            "/ws_api/account/1/messaging/brand/\(String(repeating: "0a", count: 32))?v=1",
            "/ws_api/account/1/messaging/brand/…(64 characters hidden)?v=1"
        ), ("/a/7f3b8c1e-0000-4000-8000-0123456789ab/b", "/a/7f3b8c1e-0000-4000-8000-0123456789ab/b"),
        ("https://a/b#id_token=\(jwt)&x=1", "https://a/b#id_token=…(\(jwt.count) characters hidden)&x=1"),
    ])
    func `a target loses the credentials in its query`(target: String, shown: String) { #expect(Redaction.target(target) == shown) }

    @Test func `what is hidden in a body is hidden in the sentences of its entry too`() {
        let token = String(repeating: "ab", count: 32)
        let entry: JSON = [
            "request": ["body": .string(#"{"deviceToken":"\#(token)","app":"com.example.app"}"#)],
            "effects": [.string("ada registered device \(token) of com.example.app")],
            "findings": [["code": "device-of-another-one", "words": "device-of-another-one"]],
        ]
        let shown = Redaction.entry(entry)
        #expect(shown["effects"] == ["ada registered device …(64 characters hidden) of com.example.app"])
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
            let shown = Redaction.entry(entry)
            #expect(shown["cause"]?.string == "'…(\(count - 1) characters hidden)…' by ann's session (JWT of ann)", "\(shown.text)")
            #expect(shown["lane"]?.string == "…(\(token.count) characters hidden)")
        }
    }

    @Test(arguments: [
        "'eyJhbGciOiJub25lIn0.eyJlbW…' by ann", "see eyJhbGciOiJub25lIn0…, and more", "it said … and eyJhbGciOiJub25lIn0.e30.c2ln…",
        "device eyJlbWFpbCI6ImFubkBleGFtcGxlLmNvbSIsInBob25lIjoiKzEifQ== of ann",
    ])
    func `a JWT is hidden where nobody names it, whole or cut off`(_ text: String) {
        for shown in [Redaction.text(text), Redaction.withoutTokens(text), Redaction.entry(["cause": .string(text)]).text] {
            #expect(!shown.contains("eyJ") && shown.contains("characters hidden"), "\(shown)")
        }
    }

    @Test func `a JWT in Base64 is hidden with its padding, whole or cut off`() {
        let token = "ZXlKaGJHY2lPaUpJVXpJMU5pSjkuZXlKa1pYWnBZMlVpT2lKa01TSjkuYzJsbg=="
        #expect(Redaction.withoutTokens("lane \(token), call 3") == "lane …(\(token.count) characters hidden), call 3")
        #expect(Redaction.withoutTokens("'\(token.abbreviated(to: 60))' by ann") == "'…(59 characters hidden)…' by ann")
        #expect(Redaction.withoutTokens("x=ZXlK&y=1 ZXlKaG") == "x=ZXlK&y=1 ZXlKaG")
    }

    @Test(arguments: ["eyJ…", "the word 'eyJabc…' is short", "…", "a…b…c", "eyJhbGciOiJub25lIn0 is a header"])
    func `what is short or whole, and no JWT, stays`(_ text: String) {
        #expect(Redaction.withoutTokens(text) == text && Redaction.entry(["cause": .string(text)])["cause"]?.string == text)
    }

    @Test func `what is hidden in a path is hidden in the sentences and the lane of its entry`() {
        let token = String(repeating: "0a", count: 32)
        let entry: JSON = [
            "request": ["target": .string("/3/device/\(token)?v=1")], "lane": .string(token), "cause": .string("device \(token): pushed"),
            "causedBy": ["operation": "a.push", "lane": .string(token)],
        ]
        let shown = Redaction.entry(entry)
        #expect(!shown.text.contains(token) && shown["cause"] == "device …(64 characters hidden): pushed", "\(shown.text)")
        #expect(shown["causedBy"]?["operation"] == "a.push")
    }

    @Test func `an entry is hidden in its headers, target, bodies and details`() throws {
        let entry = try JSON(
            parsing: #"""
                {"number":3,"operation":"a.b","request":{"method":"GET","target":"/x?access_token=abc","headers":{"Authorization":"Bearer abcdef",
                "Cookie":"a=b","Accept":"*/*"},"body":"{\"password\":\"pw\"}"},"answer":{"status":302,"headers":{"Location":"https://a/cb?code=xy"}},
                "details":{"refresh_token":"zz","n":1}}
                """#)
        let shown = Redaction.entry(entry)
        #expect(shown["request"]?["target"] == "/x?access_token=…(3 characters hidden)")
        #expect(shown["request"]?["headers"]?["Authorization"] == "Bearer …(6 characters hidden)")
        #expect(shown["request"]?["headers"]?["Cookie"] == "…(3 characters hidden)" && shown["request"]?["headers"]?["Accept"] == "*/*")
        #expect(shown["request"]?["body"] == #"{"password":"…(2 characters hidden)"}"#)
        #expect(shown["answer"]?["headers"]?["Location"] == "https://a/cb?code=…(2 characters hidden)")
        #expect(shown["details"]?["refresh_token"] == "…(2 characters hidden)" && shown["number"] == 3)
        for secret in ["abcdef", "\"pw", "zz\"", "=xy", "a=b"] { #expect(!shown.text.contains(secret), "\(secret)") }
    }
}
