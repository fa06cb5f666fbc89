public import SparringTokens

/// The parts that the keys of the pool play. The files have numbers only, as all of them are test keys of the same kind.
extension KeyPool {
    /// How many keys the brand rotates through.
    public static func brandKeys(_ algorithm: SigningAlgorithm) -> Int { algorithm == .es256 ? 3 : 4 }

    /// The brand's signing key of a generation; past the last one it starts again at the first.
    public func brand(_ algorithm: SigningAlgorithm, _ generation: Int) throws(TokenError) -> SigningKey {
        let index = generation % Self.brandKeys(algorithm)
        return algorithm == .es256 ? try ec(index) : try rsa(index)
    }

    /// The key of somebody who is not the brand.
    public func stranger(_ algorithm: SigningAlgorithm) throws(TokenError) -> SigningKey { algorithm == .es256 ? try ec(3) : try rsa(6) }

    /// The key with which a vendor signs its own tokens.
    public func vendorSigning() throws(TokenError) -> SigningKey { try rsa(4) }

    /// The key with which a brand's backend authenticates at a vendor's token endpoint (RFC 7523 §2.2).
    public func backend() throws(TokenError) -> SigningKey { try ec(4) }

    /// The key with which a vendor signs access tokens that are JWTs by ES256.
    public func vendorAccess() throws(TokenError) -> SigningKey { try ec(5) }

    /// The key with which brands encrypt tokens for a vendor, and the vendor decrypts them.
    public func vendorEncryption() throws(TokenError) -> SigningKey { try rsa(7) }
}
