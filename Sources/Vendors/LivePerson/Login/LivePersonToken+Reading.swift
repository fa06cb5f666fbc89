import SparringVendorKit

/// Reading a token that LivePerson's identity service gave out (LivePerson reference 4.2).
extension LivePersonToken {
    /// A defect of a token, no matter who asks.
    enum Defect: Error {
        case malformed(String)
        case notSigned
        case audience(found: JSON?, expected: String)
        case incomplete
    }

    /// The bearer of a token that LivePerson signed for the account. Whether it has expired, or its bearer was signed out meanwhile, is still
    /// to be seen.
    struct Bearer: Sendable {
        var token: String
        var consumer: String
        /// The brand's name for the consumer; without a brand the consumer's id.
        var subject: String
        /// Nobody has signed them in: the identity is one of LivePerson's own.
        var isAnonymous: Bool
        /// Whether it is the anonymous authorization's token, which is still to be traded for one of version 3.
        var isExternal: Bool
        var expiresAt: Timestamp
        /// How often they had been signed out when it was given out.
        var signOuts: Int

        func hasExpired(at now: Timestamp) -> Bool { now >= expiresAt }
    }

    /// - Parameter key: LivePerson's own.
    static func read(_ text: String, account: String, key: VerificationKey) throws(Defect) -> Bearer {
        let token: JWS
        do throws(TokenError) { token = try JWS(parsing: text) } catch { throw .malformed(error.reason) }
        guard token.verify(with: key) else { throw .notSigned }
        let payload = token.payload
        guard payload["aud"]?.string?.isSame(as: audience(account)) == true else {
            throw .audience(found: payload["aud"], expected: audience(account))
        }
        guard let consumer = payload["sub"]?.string, !consumer.isEmpty,
            // The keys are public, so any number may stand there.
            let expiry = payload["exp"]?.integer(in: Self.times)
        else { throw .incomplete }
        let external = payload["lp.ext"]
        return Bearer(
            token: text, consumer: consumer, subject: external?["sub"]?.string ?? consumer,
            isAnonymous: external == nil || external?["iss"]?.string == issuer, isExternal: firstIssuedAt(payload) != nil,
            expiresAt: Timestamp(seconds: expiry), signOuts: signOuts(payload))
    }
}
