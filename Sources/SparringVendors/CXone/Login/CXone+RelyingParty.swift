extension CXone {
    /// How brands' identity providers know CXone.
    static let relyingParty = RelyingParty(name: vendorName, redirectURI: BrandSettings.redirectURI)
}
