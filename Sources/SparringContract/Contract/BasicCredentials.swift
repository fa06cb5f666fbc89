internal import SparringJSON

/// A client's id and secret in `Authorization: Basic` (RFC 6749 §2.3.1, RFC 7617 §2).
public enum BasicCredentials {
    /// Both are form-encoded; many clients forget that, so what cannot be decoded is taken as it is. Nil where the header is not of that form.
    public static func read(_ header: String) -> (id: String, secret: String)? {
        guard header.lowercased().hasPrefix("basic "), let bytes = Base64.decode(header.dropFirst(6).drop { $0 == " " }),
            let text = String(validating: bytes, as: UTF8.self), let colon = text.utf8.firstIndex(of: UInt8(ascii: ":"))
        else { return nil }
        let (id, secret) = (text[..<colon], text[text.utf8.index(after: colon)...])
        return (PercentCoding.formValue(id) ?? String(id), PercentCoding.formValue(secret) ?? String(secret))
    }
}
