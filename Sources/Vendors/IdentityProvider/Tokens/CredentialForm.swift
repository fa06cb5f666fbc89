import SparringVendorKit

/// A credential that the admin API wants (`CredentialForm` of `contracts/admin.openapi.yaml`, which has checked it).
struct CredentialForm: Decodable {
    enum Kind: String, Decodable {
        case jwt, jwe, code
        case appJWT = "app-jwt"
        case accessToken = "access-token"

        private static let ofCodes = ["redirectURI", "codeChallenge", "codeChallengeMethod"]
        private static let ofTokens = ["algorithm", "encryption"]

        /// Members that say something of other kinds only.
        var foreign: [String] {
            switch self {
            case .jwt, .jwe: Self.ofCodes
            case .code: Self.ofTokens
            case .appJWT: Self.ofCodes + Self.ofTokens + ["clientId"]
            case .accessToken: ["defect", "missingClaim", "claims", "clientId"] + Self.ofCodes + Self.ofTokens
            }
        }
    }

    var form: Kind
    var subject: String
    var defect: String?
    var missingClaim: String?
    var claims: JSON?
    var algorithm: String?
    var encryption: String?
    var redirectURI: String?
    var codeChallenge: String?
    var codeChallengeMethod: String?
    var clientId: String?
    var lifetime: Duration?
    private var issuedAt: String?

    static func read(_ body: JSON) throws(ConfigurationError) -> CredentialForm {
        let form: CredentialForm = try body.decoded()
        for name in form.form.foreign where body[name] != nil { throw error(name, "it has no meaning for a \(form.form.rawValue)") }
        if form.codeChallenge == nil, form.codeChallengeMethod != nil { throw error("codeChallengeMethod", "there is no codeChallenge") }
        return form
    }

    static func error(_ member: String, _ words: String) -> ConfigurationError { ConfigurationError(.root.appending(member), words) }

    func time(or now: Timestamp) throws(ConfigurationError) -> Timestamp {
        guard let issuedAt else { return now }
        guard let time = Timestamp(issuedAt) else { throw Self.error("issuedAt", "'\(issuedAt)' is not an RFC 3339 time") }
        return time
    }

    /// - Throws: where tokens of this kind cannot have the defect.
    func defect<Defect: RawRepresentable<String> & CaseIterable>(_ type: Defect.Type) throws(ConfigurationError) -> Defect? {
        guard let word = defect else { return nil }
        guard let defect = Defect(rawValue: word) else {
            throw Self.error("defect", "\(word.quoted) is not \(Defect.allCases.map { "'\($0.rawValue)'" }.joined(separator: " or "))")
        }
        return defect
    }
}
