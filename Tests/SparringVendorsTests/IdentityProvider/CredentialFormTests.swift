import SparringJSON
import SparringJournal
import SparringSandbox
import SparringTokens
import Testing

@testable import IdentityProviderVendor

/// The rules for a credential to be minted that the contract cannot express.
struct CredentialFormTests {
    struct Row: Sendable, CustomTestStringConvertible {
        var body: JSON
        var pointer: String
        var words: String
        var testDescription: String { body.text }
    }

    @Test(arguments: [
        Row(body: ["form": "jwt", "codeChallenge": "x"], pointer: "/codeChallenge", words: "it has no meaning for a jwt"),
        Row(body: ["form": "jwe", "redirectURI": "x"], pointer: "/redirectURI", words: "it has no meaning for a jwe"),
        Row(body: ["form": "code", "algorithm": "RS256"], pointer: "/algorithm", words: "it has no meaning for a code"),
        Row(body: ["form": "app-jwt", "clientId": "x"], pointer: "/clientId", words: "it has no meaning for a app-jwt"),
        Row(body: ["form": "access-token", "claims": [:]], pointer: "/claims", words: "it has no meaning for a access-token"),
        Row(body: ["form": "code", "codeChallengeMethod": "S256"], pointer: "/codeChallengeMethod", words: "there is no codeChallenge"),
        Row(body: ["form": "jwt", "issuedAt": "2026-13-01T00:00:00Z"], pointer: "/issuedAt", words: "is not an RFC 3339 time"),
        Row(body: ["form": "jwt", "defect": "kid-missing"], pointer: "/defect", words: "is not 'expired' or"),
    ])
    func `what a credential cannot have is refused with its place`(_ row: Row) throws {
        var body = row.body
        body["subject"] = "ada"
        let error = #expect(throws: ConfigurationError.self) {
            let form = try CredentialForm.read(body)
            _ = try form.time(or: .earliest)
            _ = try form.defect(TokenDefect.self)
        }
        #expect(error?.pointer.description == row.pointer)
        #expect(error?.message.contains(row.words) == true, "\(error?.message ?? "nothing")")
    }

    @Test func `a form has what was given, and the sandbox's time without one`() throws {
        let form = try CredentialForm.read(["form": "app-jwt", "subject": "ada", "defect": "kid-missing", "lifetime": "10m"])
        #expect(form.form == .appJWT && form.subject == "ada" && form.lifetime == .seconds(600))
        #expect(try form.defect(AppTokenDefect.self) == .kidMissing)
        #expect(try form.time(or: .latest) == .latest)
    }
}
