import Crypto
import CryptoExtras
import Foundation
public import SparringJSON
import SwiftASN1

extension VerificationKey {
    /// Reads a JSON Web Key (RFC 7517 §4, RFC 7518 §6) of `kty` RSA, EC with `crv` P-256, or oct.
    ///
    /// - Throws: where a member is missing or malformed, the kind of key is another, or the key's `alg` is not the one of its kind.
    public init(jwk: JSON) throws(TokenError) {
        guard case .object = jwk else { throw TokenError("JWK: \(jwk.typeName) instead of an object") }
        let kid: String? = jwk["kid"] == nil ? nil : try Self.text("kid", in: jwk)
        let kty = try Self.text("kty", in: jwk)
        switch kty {
        case "RSA":
            let (n, e) = (try Self.bytes("n", in: jwk), try Self.bytes("e", in: jwk))
            guard let key = try? _RSA.Signing.PublicKey(unsafeDERRepresentation: Self.rsaPublicKeyDER(modulus: n, exponent: e)) else {
                throw TokenError("JWK: n and e are no RSA key of 1024 bits or more")
            }
            self.init(.rsa(key), kid: kid)
        case "EC":
            let crv = try Self.text("crv", in: jwk)
            guard crv == "P-256" else { throw TokenError("JWK: crv '\(crv)' is not P-256") }
            let (x, y) = (try Self.bytes("x", in: jwk), try Self.bytes("y", in: jwk))
            // RFC 7518 §6.2.1.2: leading zeros are kept. Checked apart, else a short x could be made up for by a long y.
            guard x.count == 32, y.count == 32 else { throw TokenError("JWK: x and y of P-256 have 32 bytes each") }
            guard let key = try? P256.Signing.PublicKey(rawRepresentation: x + y) else {
                throw TokenError("JWK: x and y are not a point on P-256")
            }
            self.init(.p256(key), kid: kid)
        case "oct":
            try self.init(secret: try Self.bytes("k", in: jwk), kid: kid)
        default:
            throw TokenError("JWK: kty '\(kty)' is not RSA, EC or oct")
        }
        if let alg = jwk["alg"], alg.string != algorithm.rawValue {
            throw TokenError("JWK: alg \(alg) does not fit kty '\(kty)': \(algorithm.rawValue) is expected")
        }
    }

    /// The key as public JSON Web Key for signatures, with `kid` where it has one. Nil for a shared secret, which has no public form.
    package var jwk: JSON? {
        let material = jwkMaterial
        if material["k"] != nil { return nil }
        return .members([
            "kty": material["kty"], "use": "sig", "alg": .string(algorithm.rawValue), "kid": kid.map(JSON.string),
            "crv": material["crv"], "n": material["n"], "e": material["e"], "x": material["x"], "y": material["y"],
        ])
    }

    /// The SHA-256 thumbprint of the key (RFC 7638). That of a short shared secret gives the secret away (RFC 7638 §7).
    package var thumbprint: String { Base64URL.encode(SHA256.hash(data: jwkMaterial.bytes)) }

    /// The members that make the key, in the order in which RFC 7638 §3.2 hashes them.
    private var jwkMaterial: JSON {
        switch material {
        case .rsa(let key):
            // It can throw by its signature only: a key that was read has both numbers.
            let numbers = try! key.getKeyPrimitives()
            return ["e": Self.text(numbers.publicExponent), "kty": "RSA", "n": Self.text(numbers.modulus)]
        case .p256(let key):
            let point = key.rawRepresentation
            return ["crv": "P-256", "kty": "EC", "x": Self.text(point.prefix(32)), "y": Self.text(point.suffix(32))]
        case .secret(let secret):
            return ["k": Self.text(secret), "kty": "oct"]
        }
    }

    private static func text(_ bytes: some Sequence<UInt8>) -> JSON { .string(Base64URL.encode(bytes)) }

    private static func text(_ name: String, in jwk: JSON) throws(TokenError) -> String {
        guard let member = jwk[name] else { throw TokenError("JWK: \(name) is missing") }
        guard let text = member.string else { throw TokenError("JWK: \(name) is \(member.typeName) instead of string") }
        return text
    }

    private static func bytes(_ name: String, in jwk: JSON) throws(TokenError) -> [UInt8] {
        guard let bytes = Base64URL.decode(try text(name, in: jwk)), !bytes.isEmpty else {
            throw TokenError("JWK: \(name) is not base64url")
        }
        return bytes
    }

    /// RSAPublicKey in DER (RFC 8017 A.1.1). swift-crypto takes the two numbers as they are from 2048 bits on only.
    private static func rsaPublicKeyDER(modulus: [UInt8], exponent: [UInt8]) throws -> [UInt8] {
        var der = DER.Serializer()
        try der.appendConstructedNode(identifier: .sequence) { numbers in
            try numbers.serialize(modulus[...])
            try numbers.serialize(exponent[...])
        }
        return der.serializedBytes
    }
}
