import ArgumentParser
import SparringJSON
import SparringTokens

/// `sparring credential`
struct CredentialCommand: WordedCommand {
    static let abstract = "Mint valid and defective tokens and codes."
    static let discussion = "  token=$(sparring credential mint --form jwt --subject ada)"
    static var subcommands: [any ParsableCommand.Type] { [Mint.command] }

    enum Form: String, CaseIterable, ExpressibleByArgument {
        case jwt, jwe, code
        case appJWT = "app-jwt"
        case accessToken = "access-token"
    }

    struct Mint: SandboxVerb {
        static let abstract = "Mint a credential of the sandbox's identity provider."
        static let discussion = """
            Prints the credential and nothing else, so that a script can capture it.
              token=$(sparring credential mint --form jwt --subject ada \\
                --claim given_name=Ada)
              code=$(sparring credential mint --form code --subject ada \\
                --redirect-uri https://liveperson.net)
              bad=$(sparring credential mint --form jwe --subject ada \\
                --defect claim-missing --missing-claim exp)
            """

        @Option(
            help: """
                Its form: a signed ID token, an encrypted one, an authorization code, the JWT that the brand's backend signs for a user \
                of its app, or an access token for fetching that JWT.
                """
        ) var form: Form
        @Option(help: "The consumer that it is for.") var subject: String
        @Option(
            help: "Its defect, or that of the token that a code is redeemed for (values: \(defects.joined(separator: ", "))).",
            completion: .list(defects))
        var defect: String?
        @Option(help: "The claim that --defect claim-missing leaves out.") var missingClaim: String?
        @Option(
            help: ArgumentHelp(
                "An additional claim; may be given several times. A value that is not JSON is a string.", valueName: "name=JSON"),
            transform: JSONArgument.namedValue)
        var claim: [(name: String, value: JSON)] = []
        @Option(
            help: "How a token is signed (RS256, ES256, HS256), or its key encrypted (RSA-OAEP-256, RSA-OAEP).",
            completion: .list(algorithms))
        var algorithm: String?
        @Option(
            help: "How an encrypted token's content is encrypted (values: \(encryptions.joined(separator: ", "))).",
            completion: .list(encryptions))
        var encryption: String?
        @Option(name: .customLong("redirect-uri"), help: "The redirect URI that a code is bound to.") var redirectURI: String?
        @Option(help: "The challenge that a code's verifier must match (RFC 7636).") var codeChallenge: String?
        @Option(help: "The challenge's method (values: plain, S256).", completion: .list(["plain", "S256"]))
        var codeChallengeMethod: String?
        @Option(help: "The client that the code or token is for.") var clientId: String?
        @Option(help: "How long it is valid, such as 10m.") var lifetime: String?
        @Option(help: ArgumentHelp("The issue time that it states. Default: the sandbox's time.", valueName: "time"))
        var issuedAt: String?

        private static let defects = (TokenDefect.allCases.map(\.rawValue) + AppTokenDefect.allCases.map(\.rawValue))
            .reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } }
        private static let algorithms = SigningAlgorithm.allCases.map(\.rawValue) + EncryptionAlgorithm.allCases.map(\.rawValue)
        private static let encryptions = ContentEncryption.allCases.map(\.rawValue)

        func validate() throws {
            if missingClaim != nil, defect != TokenDefect.claimMissing.rawValue {
                throw ValidationError("--missing-claim needs --defect \(TokenDefect.claimMissing.rawValue)")
            }
        }

        func run(_ sandbox: RemoteSandbox) async throws {
            let minted = try await sandbox.call(.mintCredential, body: request)
            guard let credential = try minted.json["credential"]?.string else {
                throw CommandFailure.foreign(minted.url, "without a credential")
            }
            if !sandbox.connection.json, let note = try minted.json["note"]?.string {
                Terminal.complain("sparring: note: \(Terminal.printable(note))")
            }
            try sandbox.connection.show(minted) { _ in credential }
        }

        private var request: JSON {
            .members([
                "form": .string(form.rawValue), "subject": .string(subject), "defect": defect.map(JSON.string),
                "missingClaim": missingClaim.map(JSON.string), "algorithm": algorithm.map(JSON.string),
                "encryption": encryption.map(JSON.string), "redirectURI": redirectURI.map(JSON.string),
                "codeChallenge": codeChallenge.map(JSON.string), "codeChallengeMethod": codeChallengeMethod.map(JSON.string),
                "clientId": clientId.map(JSON.string), "lifetime": lifetime.map(JSON.string), "issuedAt": issuedAt.map(JSON.string),
                "claims": JSONArgument.members(claim),
            ])
        }
    }
}
