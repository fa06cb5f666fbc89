import SparringEngine
import SparringJSON
import SparringJournal
import SparringTokens

/// One LivePerson account's configuration.
public struct AccountSettings: Sendable {
    /// A brand's identity provider as it is configured at LivePerson (reference 3.1).
    struct Issuer: Sendable {
        enum Certificate: String, CaseIterable {
            case publicKey, jwks
        }

        var displayName: String
        /// `iss` of its tokens. With a slash in front: Sparring's own provider there, by whichever name of this server.
        var iss: String
        var certificate: Certificate
        /// As configured, and read.
        var publicKey: String?
        var key: VerificationKey?
        var jwksURI: String?
        var tokenEndpoint: String?
        var clientId: String
        var clientSecret: String
        var pkce: Bool
        var redirectURI: String
    }

    struct Connector: Sendable {
        var id: JSON
        var name: String
        var jsMethodName: String
    }

    var accountId: String
    var issuers: [Issuer]
    /// Checked only if set.
    var audience: String?
    /// The longest life of a LivePerson token; nil: as long as the brand's.
    var tokenLifetime: Duration?
    var anonymousLifetime: Duration
    var anonymousRefresh: Duration
    var errorCodes: [String: String]
    /// How wrong the brand's clock may be.
    var clockSkew: Duration
    /// Refuses `exp` and `iat` that are strings or milliseconds, as samples of the documentation have them (reference 3.5).
    var strictNumericDates: Bool
    var tokenEndpointTimeout: Duration
    /// Hosts by service name, in place of this server.
    var services: [String: String]
    var connectors: [Connector]

    private static let known = [
        "accountId", "issuers", "audience", "tokenLifetime", "anonymousLifetime", "anonymousRefresh", "errorCodes", "clockSkew",
        "strictNumericDates", "tokenEndpointTimeout", "services", "connectors",
    ]
    private static let knownOfIssuer = [
        "displayName", "iss", "certificate", "publicKey", "jwksURI", "tokenEndpoint", "clientId", "clientSecret", "pkce", "redirectURI",
    ]

    /// - Parameter refusals: the names that `errorCodes` may give a code to.
    init(_ json: JSON, refusals: [String]) throws(ConfigurationError) {
        let members = try Members(json, known: Self.known)
        accountId = try members.string("accountId") ?? ""
        audience = try members.string("audience")
        tokenLifetime = try members.duration("tokenLifetime")
        anonymousLifetime = try members.duration("anonymousLifetime") ?? .seconds(600)
        anonymousRefresh = try members.duration("anonymousRefresh") ?? .seconds(730 * 3600)
        clockSkew = try members.duration("clockSkew") ?? .zero
        strictNumericDates = try members.bool("strictNumericDates") ?? false
        tokenEndpointTimeout = try members.duration("tokenEndpointTimeout") ?? .seconds(10)
        errorCodes = try Self.texts(members, "errorCodes")
        for (name, code) in errorCodes {
            let place = JSONPointer(tokens: ["errorCodes", name])
            guard refusals.contains(name) else {
                let nearest = Nearest.words(to: name, in: refusals).first
                throw ConfigurationError(place, "there is no such refusal" + (nearest.map { " (did you mean '\($0)'?)" } ?? ""))
            }
            guard Self.isErrorCode(code) else { throw ConfigurationError(place, "'\(code)' is neither digits nor 'mock-' and a name") }
        }
        services = try Self.texts(members, "services")
        issuers = []
        for (index, json) in (try members.array("issuers") ?? []).enumerated() {
            issuers.append(try Self.issuer(json, at: JSONPointer(tokens: ["issuers", String(index)])))
        }
        connectors = []
        for (index, json) in (try members.array("connectors") ?? []).enumerated() {
            let connector = try Members(
                json, at: JSONPointer(tokens: ["connectors", String(index)]), known: ["id", "name", "jsMethodName"])
            guard let id = connector.object["id"], id.string != nil || id.integer != nil else {
                throw connector.error("id", "a connector needs an id")
            }
            connectors.append(
                Connector(
                    id: id, name: try connector.string("name") ?? "Unauthenticated messaging",
                    jsMethodName: try connector.string("jsMethodName") ?? Self.jsMethodName))
        }
        if connectors.isEmpty { connectors = [Connector(id: 770_001, name: "Unauthenticated messaging", jsMethodName: Self.jsMethodName)] }
    }

    /// By which a client finds the connector for unauthenticated messaging (reference 4.1).
    private static let jsMethodName = "lpTag.taglets.unAuthMessaging.lpUnauthFunction"

    /// Fills in what an account was not given: it trusts the sandbox's own identity provider.
    static func complete(_ given: JSON, for context: TenantContext) throws(ConfigurationError) -> JSON {
        let members = try Members(given, known: known)
        var complete: JSON = ["accountId": .string(context.id)]
        if members.object["issuers"] == nil, let provider = context.identityProvider {
            complete["issuers"] = [
                .members([
                    "displayName": "Brand", "iss": .string(provider.issuer),
                    "certificate": .string((provider.publicKey == nil ? Issuer.Certificate.jwks : .publicKey).rawValue),
                    "publicKey": provider.publicKey.map { .string($0) }, "jwksURI": .string(provider.jwksURI),
                    "tokenEndpoint": .string(provider.tokenEndpoint), "clientId": .string(provider.clientId),
                    "clientSecret": .string(provider.clientSecret), "redirectURI": .string(provider.redirectURI),
                ])
            ]
        }
        for (name, value) in members.object where !value.isNull { complete[name] = value }
        return complete
    }

    /// LivePerson's are digits; those of this mock must not look like them.
    private static func isErrorCode(_ code: String) -> Bool {
        func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
        if code.utf8.allSatisfy(isDigit) { return true }
        let name = code.utf8.dropFirst(5)
        return code.hasPrefix("mock-") && !name.isEmpty && name.allSatisfy { isDigit($0) || (0x61...0x7A).contains($0) || $0 == 0x2D }
    }

    private static func texts(_ members: Members, _ name: String) throws(ConfigurationError) -> [String: String] {
        var texts: [String: String] = [:]
        for (key, value) in try members.object(name) ?? [:] {
            guard let text = value.string, !text.isEmpty else {
                throw ConfigurationError(JSONPointer(tokens: [name, key]), "\(value.text) is not a string")
            }
            texts[key] = text
        }
        return texts
    }

    private static func issuer(_ json: JSON, at pointer: JSONPointer) throws(ConfigurationError) -> Issuer {
        let members = try Members(json, at: pointer, known: knownOfIssuer)
        guard let iss = try members.string("iss"), !iss.isEmpty else { throw members.error("iss", "an issuer needs its 'iss'") }
        let publicKey = try members.string("publicKey")
        let jwksURI = try members.string("jwksURI")
        let certificate =
            try members.word("certificate", Issuer.Certificate.self) ?? (publicKey == nil && jwksURI != nil ? .jwks : .publicKey)
        switch certificate {
        case .publicKey where publicKey == nil:
            throw members.error("publicKey", "the certificate type publicKey needs it: base64 of a SubjectPublicKeyInfo")
        case .jwks where jwksURI == nil: throw members.error("jwksURI", "the certificate type jwks needs it")
        default: break
        }
        var key: VerificationKey?
        if certificate == .publicKey, let publicKey {
            do throws(TokenError) { key = try VerificationKey(pem: publicKey) } catch { throw members.error("publicKey", error.reason) }
        }
        for name in ["jwksURI", "tokenEndpoint"] {
            guard let url = try members.string(name) else { continue }
            guard url.hasPrefix("http://") || url.hasPrefix("https://") || url.first == "/" else {
                throw members.error(name, "'\(url)' is not a URL")
            }
        }
        return Issuer(
            displayName: try members.string("displayName") ?? iss, iss: iss, certificate: certificate, publicKey: publicKey, key: key,
            jwksURI: jwksURI, tokenEndpoint: try members.string("tokenEndpoint"), clientId: try members.string("clientId") ?? "",
            clientSecret: try members.string("clientSecret") ?? "", pkce: try members.bool("pkce") ?? false,
            redirectURI: try members.string("redirectURI") ?? "https://liveperson.net")
    }
}
