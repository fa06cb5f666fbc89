import SparringJSON
import Testing

@testable import SparringJournal

/// The secrets that settings and variables name.
@Suite struct SettingSecretTests {
    private static let secret = "3b1cdf678b6dd17dfe7f5686d191decc"
    private static let base64 = "MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAse2H0om4DTqkKnuoVD1vfI8JV+nAEz1NawP1Fyt0SNoVitevMpF/MevlM9y"

    /// `§` stands for a secret, `¤` for a key.
    @Test(
        arguments: [
            ("export SPARRING_IDENTITY_CLIENT_SECRET='§'", ["secret"]), ("SPARRING_IDENTITY_CLIENT_SECRET=§", ["secret"]),
            ("CLIENT_SECRET=\"§\"", ["secret"]), ("shop_password: '§'", ["password"]), ("  appClientSecret: §", ["secret"]),
            ("ENV SHOP_TOKEN §", ["token"]), ("ENV SHOP_TOKEN='§'", ["token"]), ("ENV PASSWORD \"correct horse\"", ["password"]),
            ("set -a; DB_PASSWD=§", ["password"]), ("docker run -e X --client-secret=§", ["secret"]),
            ("export ASAPP_PUSH_SECRET='asapp-push-secret'", ["secret"]), ("PUSH_SECRET=correcthorse", ["secret"]),
            ("export SHOP_PRIVATE_KEY='-----BEGIN PRIVATE KEY-----\nMIGHAgEA\n-----END PRIVATE KEY-----'", ["key"]),
            ("SHOP_PRIVATE_KEY=-----BEGIN PRIVATE KEY-----\nMIGHAgEA\n-----END PRIVATE KEY-----\nA=b", ["key"]),
            ("SHOP_PRIVATE_KEY=-----BEGIN PRIVATE KEY-----\nSHOP_PASSWORD=§", ["key", "password"]),
            // What is none.
            ("export SHOP_CLIENT_SECRET=''", []), ("SHOP_PASSWORD=\nOTHER=abcdefgh12345", []), ("SHOP_TOKEN=$OTHER_TOKEN", []),
            ("SHOP_TOKEN=\"${OTHER_TOKEN}\"", []), ("token: ${{ secrets.TOKEN }}", []), ("REGION_CODE='abcdefgh12'", []),
            ("the visitorToken: expected a string", []), ("IDENTITY_CLIENT_AUTHENTICATION='secret'", []), ("BUILD=§", []),
            ("IDENTITY_KID='QlL_Bzf44UMzQfIlc7UacXYcFSBjiyPX67og-hu7maI'", []), ("KEY_ID=QlL_Bzf44UMzQfIlc7", []),
            ("export SHOP_PUBLIC_KEY='¤'", []), ("SHOP_PUBLIC_KEY=¤", []), ("publicKey: ¤", []),
            ("-----BEGIN PUBLIC KEY-----\n¤\n¤\n-----END PUBLIC KEY-----\n", []),
            ("-----BEGIN CERTIFICATE-----\n¤\n-----END CERTIFICATE-----", []),
            (#"jwk {"kty":"RSA","n":"¤","e":"AQAB"}"#, []), (#"jwk {"x":"QlL_Bzf44UMzQfIlc7UacXYcFSBjiyPX67og-hu7maI"}"#, []),
            (#"jwk {"d":"QlL_Bzf44UMzQfIlc7UacXYcFSBjiyPX67og-hu7maI"}"#, ["token"]), ("y=¤", ["token"]),
        ] as [(String, [String])])
    func `a variable's secret is found by its name, however it is assigned`(text: String, kinds: [String]) {
        let text = text.replacing("§", with: Self.secret).replacing("¤", with: Self.base64)
        let written = "# a file\n\(text)\n"
        #expect(CredentialScan(written).findings.map(\.kind) == kinds, "\(text)")
    }

    @Test(arguments: [
        #"{&quot;error&quot;:{&quot;code&quot;:&quot;«code:1»&quot;}}"#, "&quot;code&quot;:&quot;&laquo;code:1&raquo;&quot;",
        #"x {"code":"\u00abcode:1\u00bb","token":"\u00ABtoken:2\u00BB"}"#, "a client_secret=%C2%ABsecret:1%C2%BB b",
        "<td>token: &#171;token:1&#187;</td>",
        "<!DOCTYPE html>\n<html><td><code>1a04559786582686</code></td><td>{&quot;code&quot;:&quot;«code:1»&quot;}</td></html>",
    ])
    func `a placeholder does not count, escaped or not, and neither does a fingerprint`(text: String) {
        #expect(CredentialScan("a file\n" + text).findings.isEmpty && CredentialScan(text).findings.isEmpty)
    }

    @Test func `a page is searched as it is read`() {
        let page =
            "<!DOCTYPE html>\n<pre>{&quot;client_secret&quot;:&quot;abc12345&quot;}</pre>\n<pre>&lt;code&gt;5c2ae2a5eba806b8&lt;/code&gt;</pre>"
        #expect(CredentialScan(page).findings.map { "\($0.place) \($0.kind)" } == ["line 2 secret", "line 3 code"])
    }

    @Test(arguments: [
        #"replayed {"error":{"code":"invalid_auth","description":"Invalid JWT"}}"#, #"{"code":"INVALID_GRANT","at":"#,
        "<error><code>invalid_auth</code></error>", "code: not-found",
    ])
    func `an error's code stays where a text is searched, too`(text: String) {
        var redaction = Redaction()
        #expect(redaction.text(text) == text && redaction.body(text) == text)
    }

    // MARK: A sandbox's own

    private static let sandbox: JSON = [
        "id": "sandbox-1", "label": "no-secret-of-it",
        "tenants": [
            "asapp": ["pushSecret": "asapp-push-secret", "regionCode": "US", "appId": "my-application"],
            "talkdesk": [
                "clientSecret": "talkdesk-secret", "privateKey": "-----BEGIN PRIVATE KEY-----\nMIGHAgEA\n-----END PRIVATE KEY-----",
            ],
            "identity": [
                "clientAuthentication": "secretly", "authorization": "required", "password": "short", "users": [["password": "opensesame"]],
            ],
        ],
    ]

    @Test func `a sandbox's own secrets are hidden in what a program has written, even words`() {
        var redaction = Redaction()
        redaction.gather(settings: Self.sandbox)
        let written = """
            A=asapp-push-secret and talkdesk-secret of sandbox-1 opensesame
            secretly required: my-application was short of no-secret-of-it
            """
        let shown = redaction.output(written)
        for secret in ["asapp-push-secret", "talkdesk-secret", "opensesame"] { #expect(!shown.contains(secret), "\(shown)") }
        #expect(shown.hasSuffix("\nsecretly required: my-application was short of no-secret-of-it"), "\(shown)")
        #expect(CredentialScan(shown).findings.isEmpty)
    }
}
