import Foundation
import JWTKit
import SparringJSON
import SparringTokens
import Support
import Testing

/// A brand whose identity provider is not Sparring's: its tokens are made by jwt-kit.
enum Brand {
    static let issuer = "https://idp.brand.test"
    static let kid = "brand-key-1"

    static let pool = try! KeyPool(folder: Repository.folder("fixtures/keys"))
    /// The public key that the brand pastes at LivePerson.
    static let publicKey = try! pool.rsa(ownKey).publicKeyBase64!
    /// The key set that the brand's JWKS endpoint publishes.
    static let keySet: JSON = {
        var key = try! pool.rsa(ownKey).verificationKey.jwk!
        key["kid"] = .string(kid)
        key["use"] = "sig"
        return ["keys": [key]]
    }()
    private static let ownKey = 5
    private static let strangersKey = 6

    /// The issuer as it is configured on an account, members in place of or beside the usual ones.
    static func configured(_ members: JSON = [:]) -> JSON {
        var issuer: JSON = [
            "displayName": "Brand", "iss": .string(Self.issuer), "certificate": "publicKey", "publicKey": .string(publicKey),
        ]
        for (name, value) in members.object ?? [:] { issuer[name] = value }
        return issuer
    }

    enum Signature: Sendable {
        case rs256, stranger, es256, hs256OfPublicKey, none
    }

    /// A token for ada that is good for an hour; a member that is null is left out.
    static func token(_ changes: JSON = [:], signature: Signature = .rs256, kid: String? = Self.kid) async throws -> String {
        var claims: JSON.Object = [
            "iss": .string(issuer), "sub": "ada", "iat": .integer(Scene.now), "exp": .integer(Scene.now + 3600),
        ]
        for (name, value) in changes.object ?? [:] { claims[name] = value.isNull ? nil : value }
        let keys = JWTKeyCollection()
        switch signature {
        case .rs256: await keys.add(rsa: try Insecure.RSA.PrivateKey(pem: pem("rsa-06")), digestAlgorithm: .sha256)
        case .stranger: await keys.add(rsa: try Insecure.RSA.PrivateKey(pem: pem("rsa-07")), digestAlgorithm: .sha256)
        case .es256: await keys.add(ecdsa: try ES256PrivateKey(pem: pem("ec-01")))
        case .hs256OfPublicKey: await keys.add(hmac: HMACKey(from: publicKey), digestAlgorithm: .sha256)
        case .none: await keys.addUnsecuredNone()
        }
        return try await keys.sign(Claims(members: claims), kid: kid.map { JWKIdentifier(string: $0) })
    }

    /// The payload of a compact token, no matter who signed it.
    static func claims(of token: String) throws -> JSON { try JWS(parsing: token).payload }

    /// The claims of a token that the key in base64 (SubjectPublicKeyInfo) verifies.
    static func claims(of token: String, verifiedWith publicKey: String) async throws -> JSON {
        let keys = JWTKeyCollection()
        let der = try #require(Data(base64Encoded: publicKey)).base64EncodedString(options: [.lineLength64Characters, .endLineWithLineFeed])
        let pem = "-----BEGIN PUBLIC KEY-----\n\(der)\n-----END PUBLIC KEY-----"
        await keys.add(rsa: try Insecure.RSA.PublicKey(pem: pem), digestAlgorithm: .sha256)
        return try await claims(of: token, verifiedWith: keys)
    }

    static func claims(of token: String, verifiedWith keys: JWTKeyCollection) async throws -> JSON {
        .object(try await keys.verify(token, as: Claims.self).members)
    }

    private static func pem(_ name: String) throws -> String {
        try String(contentsOfFile: Repository.folder("fixtures/keys/\(name).pem"), encoding: .utf8)
    }
}

/// Any claims, for jwt-kit to sign and verify.
struct Claims: JWTPayload {
    var members: JSON.Object

    init(members: JSON.Object) { self.members = members }

    init(from decoder: any Decoder) throws { members = try Value(from: decoder).json.object ?? [:] }

    func encode(to encoder: any Encoder) throws { try Value(json: .object(members)).encode(to: encoder) }

    func verify(using _: some JWTAlgorithm) {}

    private struct Value: Codable {
        var json: JSON

        init(json: JSON) { self.json = json }

        init(from decoder: any Decoder) throws {
            if let object = try? decoder.container(keyedBy: Name.self) {
                json = [:]
                for name in object.allKeys { json[name.stringValue] = try object.decode(Value.self, forKey: name).json }
            } else if var list = try? decoder.unkeyedContainer() {
                var values: [JSON] = []
                while !list.isAtEnd { values.append(try list.decode(Value.self).json) }
                json = .array(values)
            } else {
                let single = try decoder.singleValueContainer()
                json =
                    if let text = try? single.decode(String.self) {
                        .string(text)
                    } else if let number = try? single.decode(Int64.self) {
                        .integer(number)
                    } else if let number = try? single.decode(Double.self) {
                        .number(number)
                    } else if let flag = try? single.decode(Bool.self) {
                        .bool(flag)
                    } else {
                        .null
                    }
            }
        }

        func encode(to encoder: any Encoder) throws {
            switch json {
            case .object(let members):
                var object = encoder.container(keyedBy: Name.self)
                for (name, value) in members { try object.encode(Value(json: value), forKey: Name(stringValue: name)) }
            case .array(let values):
                var list = encoder.unkeyedContainer()
                for value in values { try list.encode(Value(json: value)) }
            case .string(let value): try single(value, encoder)
            case .integer(let value): try single(value, encoder)
            case .number(let value): try single(value, encoder)
            case .bool(let value): try single(value, encoder)
            case .null:
                var container = encoder.singleValueContainer()
                try container.encodeNil()
            }
        }

        private func single(_ value: some Encodable, _ encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            try container.encode(value)
        }

        struct Name: CodingKey {
            var stringValue: String
            var intValue: Int? { nil }
            init(stringValue: String) { self.stringValue = stringValue }
            init?(intValue: Int) { nil }
        }
    }
}
