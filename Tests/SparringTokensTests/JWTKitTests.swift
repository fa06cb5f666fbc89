import Foundation
import JWTKit
import OrderedCollections
import SparringJSON
import SparringTokens
import Testing

/// jwt-kit as an independent judge of what is signed and verified here.
@Suite struct JWTKitTests {
    private struct Claims: JWTPayload, Equatable {
        var sub: String
        var admin: Bool
        func verify(using _: some JWTAlgorithm) {}
    }

    @Test(arguments: SigningAlgorithm.allCases)
    func `jwt-kit verifies what is signed here`(algorithm: SigningAlgorithm) async throws {
        let key = try TestKeys.key(algorithm)
        let token = JWS.sign(payload: ["sub": "ada", "admin": true], with: key)
        let claims = try await judge(key).verify(token, as: Claims.self)
        #expect(claims == Claims(sub: "ada", admin: true))
    }

    @Test(arguments: SigningAlgorithm.allCases)
    func `what jwt-kit signs is verified here`(algorithm: SigningAlgorithm) async throws {
        let key = try TestKeys.key(algorithm)
        let signer = JWTKeyCollection()
        let kid = JWKIdentifier(string: key.kid)
        switch algorithm {
        case .rs256: await signer.add(rsa: try Insecure.RSA.PrivateKey(pem: pem("rsa-01")), digestAlgorithm: .sha256, kid: kid)
        case .es256: await signer.add(ecdsa: try ES256PrivateKey(pem: pem("ec-01")), kid: kid)
        case .hs256: await signer.add(hmac: HMACKey(from: "a secret of thirty-two bytes, no. 0"), digestAlgorithm: .sha256, kid: kid)
        }
        let jws = try JWS(parsing: await signer.sign(Claims(sub: "ada", admin: true), kid: kid))
        #expect(jws.verify(with: key.verificationKey))
        #expect(jws.kid == key.kid)
        #expect(jws.payload == ["sub": "ada", "admin": true])
    }

    /// Not among them: an unknown kid, for which jwt-kit takes its default key.
    @Test(arguments: SigningAlgorithm.allCases, [TokenDefect.wrongKey, .algNone, .tampered])
    func `jwt-kit refuses tokens whose signature is defective`(algorithm: SigningAlgorithm, defect: TokenDefect) async throws {
        let key = try TestKeys.key(algorithm)
        let mint = try TokenMint(signingKey: key, stranger: TestKeys.key(algorithm, 1))
        let claims = TokenClaims(issuer: "i", subject: "ada", issuedAt: 0, lifetime: 1, extra: ["admin": true])
        let judge = try await judge(key)
        _ = try await judge.verify(mint.mint(claims).compact, as: Claims.self)
        let token = try mint.mint(claims, defect: defect).compact
        await #expect(throws: (any Error).self) { try await judge.verify(token, as: Claims.self) }
    }

    private func judge(_ key: SigningKey) async throws -> JWTKeyCollection {
        let keys = JWTKeyCollection()
        if key.algorithm == .hs256 {
            await keys.add(
                hmac: HMACKey(from: "a secret of thirty-two bytes, no. 0"), digestAlgorithm: .sha256, kid: JWKIdentifier(string: key.kid))
        } else {
            try await keys.add(jwksJSON: KeySet(keys: [key.verificationKey]).json.text)
        }
        return keys
    }

    private func pem(_ name: String) throws -> String { try String(contentsOfFile: TestKeys.folder + "/\(name).pem", encoding: .utf8) }
}
