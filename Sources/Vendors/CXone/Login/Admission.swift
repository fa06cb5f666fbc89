import SparringVendorKit

/// A customer who may be let in, and how they came.
struct Admission: Sendable {
    var customer: String
    var firstName: String
    var lastName: String
    var how: String
    /// The sign-in at the brand; nil for a customer whom the brand did not sign in.
    var brand: BrandSignIn?

    struct BrandSignIn: Sendable {
        var code: String
        var accessToken: String
        var refreshToken: String?
        /// The access token's lifetime, in seconds.
        var expiresIn: Int64
        /// The sign-in that began with the code before, where the code comes again.
        var earlier: String?
    }
}

/// New tokens of a sign-in that was made before.
struct Renewal: Sendable {
    var signIn: TokenState.SignIn
    var tokens: BrandTokens
}

/// How customers come in: with the brand's code, or by the name that they give themselves.
extension CXone {
    /// Seconds that an access token lives where the brand does not say.
    static let accessTokenLifetime: Int64 = 3600
    /// Characters that the id of an anonymous customer may have (assumed).
    static let longestCustomer = 256

    /// Redeems the brand's code at its token endpoint, server to server, and finds out who signed in.
    ///
    /// The real server asks an endpoint of the brand for the customer, with the access token; here it is the ID token that says it.
    func admit(code: String, verifier: String?, visitor: String, _ call: Call) async throws -> Admission {
        let settings = call.settings(of: self)
        guard let issuer = settings.trust.issuers.first(where: { $0.tokenEndpoint != nil }) else {
            throw Refusal("token-endpoint-unreachable", "no issuer of the brand has a token endpoint")
        }
        // The Web SDK brings the code of before with each reconnect (CXone reference C19).
        let isAccepted = settings.acceptsRepeatedCodes ?? (platform(of: call) == "web")
        if isAccepted, let earlier = try await earlierSignIn(by: code, of: visitor, call) {
            return earlier
        }
        let endpoint = BrandTokenEndpoint(call: call, trust: settings.trust, issuer: issuer)
        let tokens = try await endpoint.redeem(code, verifier: verifier)
        let check = CredentialCheck(call: call, trust: settings.trust, decryptionKey: try decryptionKey())
        let idToken = try endpoint.idToken(of: tokens)
        guard !tokens.accessToken.isEmpty else {
            throw Refusal("token-endpoint-nonsense", "the token endpoint answered 200 without an access_token")
        }
        let verified = try await check.check(idToken, chosen: issuer)
        return Admission(
            customer: verified.sub, firstName: verified.claims["given_name"]?.string ?? "",
            lastName: verified.claims["family_name"]?.string ?? "", how: "code flow (\(verified.notes.joined(separator: ", ")))",
            brand: .init(
                code: code, accessToken: tokens.accessToken, refreshToken: tokens.refreshToken,
                expiresIn: tokens.expiresIn ?? Self.accessTokenLifetime))
    }

    /// A code that the same visitor brought before is worth the same tokens.
    private func earlierSignIn(by code: String, of visitor: String, _ call: Call) async throws -> Admission? {
        let (brand, sandbox, now) = (call.tenant.id, call.sandbox.id, call.now)
        return try await call.read { db -> Admission? in
            guard let signIn = try TokenState.signIn(code: code, sandbox, db), signIn.brand == brand, signIn.visitor.isSame(as: visitor),
                let token = try TokenState.token(signIn.accessToken, .access, of: brand, sandbox, db),
                let customer = try CustomerState.customer(signIn.customer, of: brand, sandbox, db)
            else { return nil }
            return Admission(
                customer: customer.id, firstName: customer.firstName, lastName: customer.lastName,
                how: "the code of an earlier sign-in of the same visitor",
                brand: .init(
                    code: code, accessToken: signIn.accessToken, refreshToken: signIn.refreshToken,
                    expiresIn: max(0, (token.expires - now).milliseconds / 1000), earlier: signIn.id))
        }
    }

    /// Admits a customer by the name that a client gives itself.
    ///
    /// - Returns: nil without an id, or with one that is too long.
    func admit(anonymous identity: JSON?) -> Admission? {
        guard let id = identity?["idOnExternalPlatform"]?.string, 1...Self.longestCustomer ~= id.unicodeScalars.count else { return nil }
        return Admission(
            customer: id, firstName: identity?["firstName"]?.string ?? "", lastName: identity?["lastName"]?.string ?? "", how: "anonymous")
    }

    /// Gets new tokens for a sign-in from the brand's token endpoint.
    func renew(_ signIn: TokenState.SignIn, _ call: Call) async throws -> Renewal {
        let settings = call.settings(of: self)
        guard let issuer = settings.trust.issuers.first(where: { $0.tokenEndpoint != nil }) else {
            throw Refusal("token-endpoint-unreachable", "no issuer of the brand has a token endpoint")
        }
        guard let refreshToken = signIn.refreshToken else {
            throw Refusal("refresh-token-refused", "the brand's token endpoint gave no refresh token")
        }
        let endpoint = BrandTokenEndpoint(call: call, trust: settings.trust, issuer: issuer)
        do throws(Refusal) { return Renewal(signIn: signIn, tokens: try await endpoint.refresh(refreshToken)) } catch {
            // What was wrong with it is the brand's affair.
            let isOfEndpoint = error.name.hasPrefix("token-endpoint-") && error.name != "token-endpoint-refused"
            throw isOfEndpoint ? error : Refusal("refresh-token-refused", error.cause)
        }
    }

    // MARK: Deciding

    /// Keeps who came in, and the brand's tokens.
    ///
    /// - Returns: the sign-in's id; nil without the brand.
    func keep(_ admission: Admission, visitor: String, channel: Channel, _ call: Call, _ db: Database) throws -> String? {
        let (brand, sandbox) = (call.tenant.id, call.sandbox.id)
        try CustomerState.Customer(
            brand: brand, id: admission.customer, firstName: admission.firstName, lastName: admission.lastName,
            isSignedIn: admission.brand != nil, lastSeen: call.now
        ).keep(sandbox, db)
        try CustomerState.count(.signIn, of: admission.customer, brand, sandbox, db)
        try CustomerState.Visitor(brand: brand, id: visitor, customer: admission.customer).keep(sandbox, db)
        guard let own = admission.brand else { return nil }
        let id = own.earlier ?? call.draw("sign-in").uuid
        try TokenState.SignIn(
            id: id, brand: brand, visitor: visitor, customer: admission.customer, code: own.code, accessToken: own.accessToken,
            refreshToken: own.refreshToken
        ).keep(sandbox, db)
        try give(own.accessToken, signIn: id, to: admission.customer, visitor, channel, for: own.expiresIn, call, db)
        try call.proves(visitor, is: admission.customer, db)
        return id
    }

    private func give(
        _ accessToken: String, signIn: String, to customer: String, _ visitor: String, _ channel: Channel, for seconds: Int64,
        _ call: Call, _ db: Database
    ) throws {
        try TokenState.Token(
            token: accessToken, kind: .access, brand: call.tenant.id, channel: channel.id, visitor: visitor, customer: customer,
            expires: call.now + .seconds(seconds), signIn: signIn
        ).insert(call.sandbox.id, db)
        try call.sandbox.issued(accessToken, to: customer, db)
    }

    /// Keeps new tokens of a sign-in.
    ///
    /// - Returns: seconds that the access token lives.
    func keep(_ renewal: Renewal, channel: Channel, _ call: Call, _ db: Database) throws -> Int64 {
        var signIn = renewal.signIn
        signIn.accessToken = renewal.tokens.accessToken
        signIn.refreshToken = renewal.tokens.refreshToken ?? signIn.refreshToken
        try signIn.keep(call.sandbox.id, db)
        let lifetime = renewal.tokens.expiresIn ?? Self.accessTokenLifetime
        try give(signIn.accessToken, signIn: signIn.id, to: signIn.customer, signIn.visitor, channel, for: lifetime, call, db)
        return lifetime
    }
}
