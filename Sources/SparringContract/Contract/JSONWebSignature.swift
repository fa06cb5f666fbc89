package import SparringJSON

/// A compact JWS as far as a contract looks into it; minting and verifying are `SparringTokens`' business.
package enum JSONWebSignature {
    /// Bytes of the longest that is read: more than a head can hold, and little enough for the loop, which does the reading.
    private static let longest = 1 << 16

    /// The claims, nil where the text is no JWS of a JSON object, or too long.
    package static func unverifiedPayload(of text: String) -> JSON? {
        guard text.utf8.count <= longest else { return nil }
        let parts = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.count == 3, let payload = Base64URL.decode(Substring(parts[1])) else { return nil }
        return try? JSON(parsing: payload)
    }
}
