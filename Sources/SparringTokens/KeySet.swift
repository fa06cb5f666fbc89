public import SparringJSON

/// A JSON Web Key Set (RFC 7517 §5): the keys with which an issuer's signatures are checked.
public struct KeySet: Sendable {
    public var keys: [VerificationKey]

    public init(keys: [VerificationKey] = []) { self.keys = keys }

    /// Reads a set. Keys for other purposes are skipped, as RFC 7517 §5 advises: of a `kty`, `crv` or `alg` that is not known here,
    /// or of a `use` other than `sig`.
    ///
    /// - Throws: where this is no object with an array `keys`, or a key of a known kind is malformed.
    public init(parsing json: JSON) throws(TokenError) {
        guard let members = json["keys"] else { throw TokenError("JWKS: no object with a member 'keys'") }
        guard let elements = members.array else { throw TokenError("JWKS: keys is \(members.typeName) instead of array") }
        keys = []
        for (index, element) in elements.enumerated() where !Self.isForeign(element) {
            do throws(TokenError) {
                keys.append(try VerificationKey(jwk: element))
            } catch {
                throw TokenError("JWKS: keys[\(index)]: \(error)")
            }
        }
    }

    /// The first key of that name.
    public subscript(kid: String) -> VerificationKey? { keys.first { $0.kid == kid } }

    /// The set as it is published. Shared secrets are left out.
    public var json: JSON { ["keys": .array(keys.compactMap(\.jwk))] }

    private static func isForeign(_ jwk: JSON) -> Bool {
        func isOther(_ name: String, than known: [String]) -> Bool { jwk[name]?.string.map { !known.contains($0) } ?? false }
        return isOther("kty", than: ["RSA", "EC", "oct"]) || isOther("crv", than: ["P-256"]) || isOther("use", than: ["sig"])
            || isOther("alg", than: SigningAlgorithm.allCases.map(\.rawValue))
    }
}
