internal import SparringJSON

/// A compact JWS as far as a contract looks into it; minting and verifying are `SparringTokens`' business.
enum JSONWebSignature {
    /// Bytes of the longest that is read: more than a head can hold, and little enough for the listener's thread, which does the reading.
    private static let longest = 1 << 16

    /// The claims, nil where the text is no JWS of a JSON object, or too long.
    static func unverifiedPayload(of text: String) -> JSON? {
        guard text.utf8.count <= longest else { return nil }
        let parts = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.count == 3, let payload = base64URLDecoded(parts[1]) else { return nil }
        return try? JSON(parsing: payload)
    }

    /// RFC 4648 §5, without padding, as RFC 7515 §2 requires.
    static func base64URLDecoded(_ text: Substring.UTF8View) -> [UInt8]? {
        var out: [UInt8] = []
        out.reserveCapacity(text.count * 3 / 4)
        var bits: UInt32 = 0
        var count = 0
        for byte in text {
            guard let value = value(of: byte) else { return nil }
            bits = bits << 6 | UInt32(value)
            count += 6
            if count >= 8 {
                count -= 8
                out.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
            }
        }
        return text.count % 4 == 1 ? nil : out
    }

    private static func value(of byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): byte - UInt8(ascii: "A")
        case UInt8(ascii: "a")...UInt8(ascii: "z"): byte - UInt8(ascii: "a") + 26
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0") + 52
        case UInt8(ascii: "-"): 62
        case UInt8(ascii: "_"): 63
        default: nil
        }
    }
}
