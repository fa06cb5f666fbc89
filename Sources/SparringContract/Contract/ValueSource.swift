internal import HTTPTypes
public import SparringJSON

/// The place of a value in a request, and the way to read it there.
public struct ValueSource: Sendable, Hashable {
    public enum Reading: Sendable, Hashable {
        /// The value itself.
        case plain
        /// The value is a compact JWS (RFC 7515 §7.1): that claim of its payload. The signature is not looked at.
        case claim(String)
        /// The value is a credential that Sparring issued: the actor that it was issued to.
        case issued
        /// The value is HTTP Basic (RFC 7617 §2): its user, which OAuth clients form-encode (RFC 6749 §2.3.1).
        case basicUser
    }

    public let location: RequestPlace
    public let reading: Reading
    /// The header field that is the location.
    private let field: HTTPField.Name?

    public init(location: RequestPlace, reading: Reading = .plain) {
        self.location = location
        self.reading = reading
        field = if case .header(let name) = location { HTTPField.Name(name) } else { nil }
    }

    /// The value: text as it is, a whole number as text; of an issued credential the credential itself, whose owner only the issuer knows.
    /// From a credential an authentication scheme's word (`Bearer`) is left out. Nil where there is none, or only an empty one.
    public func value(in request: RequestParts, body: JSON?) -> String? {
        guard let text = text(in: request, body: body), !text.isEmpty else { return nil }
        switch reading {
        case .plain: return text
        case .issued: return credential(in: text)
        case .basicUser: return BasicCredentials.read(text).flatMap { $0.id.isEmpty ? nil : $0.id }
        case .claim(let name):
            let claim = JSONWebSignature.unverifiedPayload(of: credential(in: text))?[name]?.identifier
            return claim?.isEmpty == true ? nil : claim
        }
    }

    private func text(in request: RequestParts, body: JSON?) -> String? {
        switch location {
        case .path(let name): request.pathParameters[name]
        case .query(let name): request.query.first { $0.name == name }?.value
        case .header: field.flatMap { request.headers.value(of: $0) }
        case .body(let pointer): body?[pointer]?.identifier
        }
    }

    /// `credentials = auth-scheme [ 1*SP token68 ]` (RFC 9110 §11.4).
    private func credential(in text: String) -> String {
        guard let space = text.utf8.firstIndex(of: UInt8(ascii: " ")) else { return text }
        return String(text[space...].drop { $0 == " " })
    }
}

extension JSON {
    /// The value as a name for someone: a string, or a whole number as text; nil for anything else.
    fileprivate var identifier: String? { string ?? integer.map(String.init) }
}
