import HTTPTypes
public import SparringEngine
public import SparringJSON
import SparringJournal
import SparringSandbox
public import SparringTokens

/// The check of a brand's token. A token with a defect is refused, under the defect's name.
public struct CredentialCheck {
    /// A sound credential.
    public struct Verified: Sendable {
        public var issuer: BrandIssuer
        public var iss: String
        public var sub: String
        public var issuedAt: Int64
        public var expiresAt: Int64
        /// All of its claims.
        public var claims: JSON
        /// How it came and what was tolerated, for the journal.
        public var notes: [String]
    }

    /// A vendor as the issuer of tokens that it takes itself.
    public struct OwnIssuer: Sendable {
        var issuer: BrandIssuer
        var audience: String
        /// The objection to a token of its own that is not meant for this; nil where there is none.
        var objection: @Sendable (JSON) -> String?

        public init(issuer: BrandIssuer, audience: String, objection: @escaping @Sendable (JSON) -> String?) {
            (self.issuer, self.audience, self.objection) = (issuer, audience, objection)
        }
    }

    /// The only one that vendors document for brands' tokens.
    static let algorithm = SigningAlgorithm.rs256

    let call: Call
    let trust: BrandTrust
    let decryptionKey: DecryptionKey
    /// The vendor itself, where it takes tokens of its own too.
    public var own: OwnIssuer?

    public init(call: Call, trust: BrandTrust, decryptionKey: DecryptionKey, own: OwnIssuer? = nil) {
        self.call = call
        self.trust = trust
        self.decryptionKey = decryptionKey
        self.own = own
    }

    /// - Parameter chosen: the issuer whose token it must be; nil: whichever of the account's the token names.
    public func check(_ text: String, chosen: BrandIssuer?) async throws(Refusal) -> Verified {
        var notes: [String] = []
        let token = try unwrap(text, &notes)
        let issuer = try issuer(of: token, chosen)
        guard token.algorithm == Self.algorithm else {
            throw Refusal(
                "algorithm-refused",
                "alg is \((token.header["alg"]?.string ?? "missing").quoted), only \(Self.algorithm.rawValue) is accepted")
        }
        try await verify(token, issuer)
        return try claims(of: token, issuer, notes)
    }

    /// A JWE holds the token (sign then encrypt, LivePerson reference 3.6).
    private func unwrap(_ text: String, _ notes: inout [String]) throws(Refusal) -> JWS {
        var text = text
        if text.count(where: { $0 == "." }) == 4 {
            do throws(TokenError) {
                text = String(decoding: try JWE(parsing: text).decrypt(with: decryptionKey), as: UTF8.self)
            } catch {
                throw Refusal("jwe-undecryptable", error.reason)
            }
            notes.append("JWE")
        } else {
            notes.append("JWT")
        }
        do throws(TokenError) { return try JWS(parsing: text) } catch { throw Refusal("token-malformed", error.reason) }
    }

    private func issuer(of token: JWS, _ chosen: BrandIssuer?) throws(Refusal) -> BrandIssuer {
        let iss = try text("iss", token.payload)
        if let own, iss.isSame(as: own.issuer.iss) { return own.issuer }
        let candidates = chosen.map { [$0] } ?? trust.issuers
        if let issuer = candidates.first(where: { matches(iss, $0.iss) }) { return issuer }
        let known = candidates.map { "'\(call.addresses.absolute($0.iss, base: call.base))'" }.joined(separator: ", ")
        throw Refusal("issuer-mismatch", "iss is \(iss.quoted), the account knows \(known.isEmpty ? "no issuer" : known)")
    }

    /// `iss` is compared exactly; an own provider is meant by any of this server's names.
    private func matches(_ iss: String, _ configured: String) -> Bool {
        guard configured.hasPrefix("/") else { return iss.isSame(as: configured) }
        return !iss.hasPrefix("/") && call.addresses.ownTarget(of: iss, anyPort: true)?.isSame(as: configured) == true
    }

    private func verify(_ token: JWS, _ issuer: BrandIssuer) async throws(Refusal) {
        let keys: [VerificationKey]
        switch issuer.certificate {
        case .publicKey:
            guard let configured = issuer.key else {
                throw Refusal("bad-signature", "the account has no public key for \(issuer.displayName)")
            }
            keys = [configured]
        case .jwks: keys = try await publishedKeys(token, issuer)
        }
        guard keys.contains(where: token.verify) else {
            let what = issuer.certificate == .publicKey ? "the public key configured for" : "the published key of"
            throw Refusal("bad-signature", "the signature does not verify with \(what) \(issuer.displayName)")
        }
    }

    /// The keys that the token's `kid` and `alg` mean; where there is none, the set is read again, once.
    private func publishedKeys(_ token: JWS, _ issuer: BrandIssuer) async throws(Refusal) -> [VerificationKey] {
        let url = issuer.jwksURI ?? ""
        guard let kid = token.kid else { throw Refusal("unknown-key", "kid is missing, which an account with a JWKS endpoint needs") }
        let memory = "jwks \(url)"
        func keys(_ set: KeySet?) -> [VerificationKey] { set?.keys(kid, for: Self.algorithm) ?? [] }
        let known = keys(call.sandbox.recall(memory))
        if !known.isEmpty { return known }
        let read = try await read(url)
        call.sandbox.remember(memory, read)
        let published = keys(read)
        if published.isEmpty {
            if let objection = read.objection(to: kid, for: Self.algorithm) {
                throw Refusal("unknown-key", "kid is \(kid.quoted), and the key of that kid at \(url) cannot check the token: \(objection)")
            }
            let kids = read.kids.map { $0.quoted }.joined(separator: ", ")
            throw Refusal("unknown-key", "kid is \(kid.quoted), \(url) has \(kids.isEmpty ? "none" : kids)")
        }
        return published
    }

    private func read(_ url: String) async throws(Refusal) -> KeySet {
        switch await call.send(OutboundRequest(.get, url, headers: [.accept: "application/json"], timeout: trust.tokenEndpointTimeout)) {
        case .timedOut(let reason), .failed(let reason): throw Refusal("key-unavailable", reason)
        case .answered(let answer):
            guard answer.status == 200 else { throw Refusal("key-unavailable", "\(url) answered \(answer.status)") }
            do { return try KeySet(parsing: JSON(parsing: answer.body)) } catch { throw Refusal("key-unavailable", "\(url): \(error)") }
        }
    }

    private func claims(of token: JWS, _ issuer: BrandIssuer, _ notes: [String]) throws(Refusal) -> Verified {
        var notes = notes
        let payload = token.payload
        let issuedAt = try date("iat", payload, &notes)
        let expiresAt = try date("exp", payload, &notes)
        // Not listed as mandatory, but without it nobody is signed in (inferred, LivePerson reference 3.5).
        let sub = try text("sub", payload)
        let now = call.sandbox.clock.now.seconds  // not call.now: the brand may have signed the token since
        let skew = trust.clockSkew.milliseconds / 1000
        guard now < expiresAt.addingClamped(skew) else {
            throw Refusal("token-expired", "the token expired \(Self.words(from: expiresAt, to: now)) ago")
        }
        let start = max(issuedAt, payload["nbf"] == nil ? issuedAt : try date("nbf", payload, &notes))
        guard start <= now.addingClamped(skew) else {
            throw Refusal("token-not-yet-valid", "the token is valid from \(Self.words(from: now, to: start)) on from now")
        }
        let own = own.flatMap { $0.issuer.iss == issuer.iss ? $0 : nil }
        if let objection = own?.objection(payload) { throw Refusal("audience-mismatch", objection) }
        if let audience = own?.audience ?? trust.audience {
            let aud = payload["aud"]?.string.map { [$0] } ?? payload["aud"]?.array?.compactMap(\.string) ?? []
            guard aud.containsSame(as: audience) else {
                let said = aud.isEmpty ? "''" : aud.map(\.quoted).joined(separator: ", ")
                throw Refusal("audience-mismatch", "aud is \(said), the account wants '\(audience)'")
            }
        }
        return Verified(
            issuer: issuer, iss: payload["iss"]?.string ?? "", sub: sub, issuedAt: issuedAt, expiresAt: expiresAt, claims: payload,
            notes: notes)
    }

    private static func words(from start: Int64, to end: Int64) -> String { (Timestamp(seconds: end) - Timestamp(seconds: start)).words }

    private func text(_ name: String, _ payload: JSON) throws(Refusal) -> String {
        guard let value = payload[name], !value.isNull else { throw Refusal("claim-missing", "claim \(name) is missing") }
        guard let text = value.string else { throw Refusal("token-malformed", "claim \(name) is \(value.quoted), not a string") }
        guard !text.isEmpty else { throw Refusal("claim-missing", "claim \(name) is empty") }
        return text
    }

    /// A NumericDate (RFC 7519 §2), or what the documentation's samples have in its place.
    private func date(_ name: String, _ payload: JSON, _ notes: inout [String]) throws(Refusal) -> Int64 {
        guard let value = payload[name], !value.isNull else { throw Refusal("claim-missing", "claim \(name) is missing") }
        var seconds = value.double.flatMap { Int64(exactly: $0.rounded(.down)) }
        if seconds == nil, let number = value.string?.integer(in: Int64.min...Int64.max) {
            guard !trust.strictNumericDates else { throw Refusal("token-malformed", "claim \(name) is a string, not a number") }
            notes.append("\(name) as a string")
            seconds = number
        }
        guard let seconds, seconds > -100_000_000_000_000, seconds < 100_000_000_000_000 else {
            throw Refusal("token-malformed", "claim \(name) is \(value.quoted), not seconds since 1970")
        }
        // Seconds of this size are the year 5138: those are milliseconds.
        guard seconds > 100_000_000_000 else { return seconds }
        guard !trust.strictNumericDates else { throw Refusal("token-malformed", "claim \(name) is in milliseconds, not seconds") }
        notes.append("\(name) in milliseconds")
        return seconds / 1000
    }
}
