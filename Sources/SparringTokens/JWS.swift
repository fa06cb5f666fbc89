public import OrderedCollections
public import SparringJSON

/// A signed token in compact serialisation (RFC 7515 §7.1), read but not yet believed: see ``verify(with:)``.
public struct JWS: Sendable {
    /// The JOSE header, an object that has a text `alg`.
    public let header: JSON
    /// The payload, an object: the claims (RFC 7519 §4).
    public let payload: JSON
    /// The bytes that are signed: header and payload as they were sent, with the dot between.
    let signingInput: [UInt8]
    /// Empty where `alg` is `none`.
    public let signature: [UInt8]

    /// - Throws: where there are not three parts of base64url, header or payload is not a JSON object, `alg` is missing, or the header asks
    ///   for an extension (`crit`).
    public init(parsing text: String) throws(TokenError) {
        let compact = try CompactForm(parsing: text, as: "JWS", partCount: 3)
        _ = try compact.headerText("alg")
        header = compact.header
        payload = try compact.object(1, "payload")
        signature = try compact.bytes(2, "signature")
        signingInput = Array(compact.parts[0]) + [UInt8(ascii: ".")] + Array(compact.parts[1])
    }

    /// `alg` of the header, nil where it is `none` or another that is not known here.
    public var algorithm: SigningAlgorithm? { header["alg"]?.string.flatMap(SigningAlgorithm.init(rawValue:)) }

    /// `kid` of the header, where it has one (RFC 7515 §4.1.4).
    public var kid: String? { header["kid"]?.string }

    /// Whether the signature is that of `key`. The key decides on the algorithm, and `alg` must name the same one: so neither `none` nor a
    /// public key taken for a secret can pass. Claims are not looked at.
    public func verify(with key: VerificationKey) -> Bool {
        algorithm == key.algorithm && key.isValid(signature, for: signingInput)
    }

    /// Signs a payload. The header is `alg`, `typ`, `kid`, then `extra`, whose members replace `typ` and `kid` where they bear that name,
    /// but never `alg`. The same text each time for RS256 and HS256.
    public static func sign(header extra: JSON.Object = [:], payload: JSON, with key: SigningKey) -> String {
        sign(exactly: header(algorithm: key.algorithm.rawValue, kid: key.kid, extra), payload: payload, with: key)
    }

    /// Signs a payload under a header as it is, whatever it says.
    public static func sign(exactly header: JSON, payload: JSON, with key: SigningKey) -> String {
        let input = signingInput(header, payload)
        return input + "." + Base64URL.encode(key.signature(for: Array(input.utf8)))
    }

    /// A token without signature, `alg` `none` (RFC 7515 appendix A.5).
    static func unsecured(kid: String, payload: JSON) -> String {
        signingInput(header(algorithm: "none", kid: kid, [:]), payload) + "."
    }

    private static func signingInput(_ header: JSON, _ payload: JSON) -> String {
        Base64URL.encode(header.bytes) + "." + Base64URL.encode(payload.bytes)
    }

    private static func header(algorithm: String, kid: String, _ extra: JSON.Object) -> JSON {
        var header: JSON.Object = ["alg": .string(algorithm), "typ": "JWT", "kid": .string(kid)]
        header.merge(extra) { $1 }
        header["alg"] = .string(algorithm)
        return .object(header)
    }
}
