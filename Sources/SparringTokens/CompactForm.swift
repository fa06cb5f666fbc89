import SparringJSON

/// A compact serialisation taken apart (RFC 7515 §7.1, RFC 7516 §7.1): base64url parts with dots between, the first a JSON header.
struct CompactForm {
    /// `JWS` or `JWE`, for the errors.
    let name: String
    /// The parts as they were sent: what is signed or authenticated is this text, not what it decodes to.
    let parts: [Substring.UTF8View]
    let header: JSON

    init(parsing text: String, as name: String, partCount: Int) throws(TokenError) {
        let parts = text[...].utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.count == partCount else {
            throw TokenError("not a compact \(name): \(parts.count) \(parts.count == 1 ? "part" : "parts") instead of \(partCount)")
        }
        let header = try Self.object(parts[0], "header", of: name)
        // It names extensions that a reader must understand (RFC 7515 §4.1.11, RFC 7516 §4.1.13); none is understood here.
        guard header["crit"] == nil else { throw TokenError("\(name): 'crit' in the header is not supported") }
        (self.name, self.parts, self.header) = (name, parts, header)
    }

    func bytes(_ index: Int, _ what: String) throws(TokenError) -> [UInt8] { try Self.bytes(parts[index], what, of: name) }

    func object(_ index: Int, _ what: String) throws(TokenError) -> JSON { try Self.object(parts[index], what, of: name) }

    /// A text member of the header that must be there.
    func headerText(_ member: String) throws(TokenError) -> String {
        guard let value = header[member] else { throw TokenError("\(name): header has no '\(member)'") }
        guard let text = value.string else { throw TokenError("\(name): '\(member)' in the header is \(value.typeName) instead of string") }
        return text
    }

    private static func bytes(_ part: Substring.UTF8View, _ what: String, of name: String) throws(TokenError) -> [UInt8] {
        guard let bytes = Base64URL.decode(Substring(part)) else { throw TokenError("\(name): \(what) is not base64url") }
        return bytes
    }

    private static func object(_ part: Substring.UTF8View, _ what: String, of name: String) throws(TokenError) -> JSON {
        let bytes = try bytes(part, what, of: name)
        let json: JSON
        do throws(JSONSyntaxError) { json = try JSON(parsing: bytes) } catch { throw TokenError("\(name): \(what) is \(error)") }
        guard case .object = json else { throw TokenError("\(name): \(what) is \(json.typeName) instead of object") }
        return json
    }
}
