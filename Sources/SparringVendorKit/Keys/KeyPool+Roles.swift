public import SparringTokens

/// Which key of the pool plays which part. The files have numbers only, as all of them are test keys of the same kind.
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

    /// What a vendor signs its own tokens with.
    public func vendorSigning() throws(TokenError) -> SigningKey { try rsa(4) }

    /// What a brand's backend proves itself to a vendor's token endpoint with (RFC 7523 §2.2).
    public func backend() throws(TokenError) -> SigningKey { try ec(4) }

    /// What a vendor signs access tokens with that are JWTs by ES256.
    public func vendorAccess() throws(TokenError) -> SigningKey { try ec(5) }

    /// What brands encrypt tokens for a vendor with, and the vendor decrypts them with.
    public func vendorEncryption() throws(TokenError) -> SigningKey { try rsa(7) }
}
