public import SparringJSON

/// A JSON Web Key Set (RFC 7517 §5): the keys with which an issuer's signatures are checked.
public struct KeySet: Sendable {
    /// Those that can check a signature here.
    public var keys: [VerificationKey]
    /// Those that cannot: their `kid`, and why.
    private var unfit: [(kid: String?, reason: String)] = []

    public init(keys: [VerificationKey] = []) { self.keys = keys }

    /// Reads a set. Keys that cannot check a signature here do not spoil the others, as RFC 7517 §5 advises: such as are for other purposes, of kinds that
    /// are not known here, or malformed.
    ///
    /// - Throws: where this is no object with an array `keys` of objects.
    public init(parsing json: JSON) throws(TokenError) {
        guard let members = json["keys"] else { throw TokenError("JWKS: no object with a member 'keys'") }
        guard let elements = members.array else { throw TokenError("JWKS: keys is \(members.typeName) instead of array") }
        keys = []
        for (index, element) in elements.enumerated() {
            guard element.object != nil else { throw TokenError("JWKS: keys[\(index)]: JWK: \(element.typeName) instead of an object") }
            if let reason = Self.objection(to: element) {
                unfit.append((element["kid"]?.string, reason))
                continue
            }
            do throws(TokenError) { keys.append(try VerificationKey(jwk: element)) } catch {
                unfit.append((element["kid"]?.string, error.reason))
            }
        }
    }

    /// The keys of a name that are for an algorithm. Keys of different types may share one (RFC 7517 §4.5), and sloppy issuers give it to several of a type.
    public func keys(_ kid: String, for algorithm: SigningAlgorithm) -> [VerificationKey] {
        keys.filter { $0.kid == kid && $0.algorithm == algorithm }
    }

    /// Why no key of that name is for the algorithm; nil where there is such a key, or none of that name.
    public func objection(to kid: String, for algorithm: SigningAlgorithm) -> String? {
        guard keys(kid, for: algorithm).isEmpty else { return nil }
        let others = keys.filter { $0.kid == kid }.map { "its kty is for \($0.algorithm.rawValue), not for \(algorithm.rawValue)" }
        let reasons = others + unfit.filter { $0.kid == kid }.map(\.reason)
        return reasons.isEmpty ? nil : reasons.joined(separator: "; ")
    }

    /// The names of all keys, whatever they are for.
    public var kids: [String] { keys.compactMap(\.kid) + unfit.compactMap(\.kid) }

    /// The set as it is published. Shared secrets are left out.
    public var json: JSON { ["keys": .array(keys.compactMap(\.jwk))] }

    /// The reason to rule a key out before its numbers are read (RFC 7517 §4.1 to §4.4); nil: none.
    private static func objection(to jwk: JSON) -> String? {
        func other(_ name: String, than known: [String]) -> String? {
            guard let value = jwk[name]?.string, !known.contains(value) else { return nil }
            return "its \(name) is '\(value.abbreviated(to: 100))', not \(known.joined(separator: " or "))"
        }
        let operations = jwk["key_ops"]?.array
        let isForOthers = operations.map { !$0.contains("verify") } ?? false
        return other("use", than: ["sig"]) ?? (isForOthers ? "its key_ops have no 'verify'" : nil) ?? other(
            "kty", than: ["RSA", "EC", "oct"])
            ?? other("crv", than: ["P-256"]) ?? other("alg", than: SigningAlgorithm.allCases.map(\.rawValue))
    }
}
