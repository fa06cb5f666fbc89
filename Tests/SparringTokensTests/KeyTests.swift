import CryptoExtras
import Foundation
import SparringJSON
import SparringTokens
import Testing

@Suite struct KeyTests {
    /// `openssl pkey -pubout` of rsa-01.pem.
    private static let rsaBase64 =
        "MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAwUv5CfBGpFWy69puiKdT3MSnbRlS5fYGeOCfiEZMiJqxx+PHGRhnKSheWDTqvYeOjikAndAvKdrUEKrT"
        + "bgXgfMI0Nhoh0N++HKK0TyrVpZplQ5dKhNJXNDIOWCWhhDRA3Qeh0ftQAukZq1GNsqVnu5l6HcR5qv63DG/U5neulmrW0Qg040ZYagHhftnUR2nCordXuTgdh4CZ"
        + "M6EpLjGmlVFDxtTvs2jsCfooxPU4IRvLL1FBjZ1k2elBqCfFx14QOLM91CY1ALJewumY3BWivwVwF4kdDwQ1gEJJveASkhX2CZdbCijdoE/LfSz8iP0sYTZ0236j"
        + "/mhwispfc3NngwIDAQAB"
    /// `openssl pkey -pubout` of ec-01.pem, and `openssl ec` of it.
    private static let ecBase64 =
        "MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEElRt7swjY9fujYPCDgwkk1/R4RTXhOG4ScVe9QvtLC8brtLUn7hwUi/qSIVpaVbEZ781FQ5Bi5E1q1OC4Ue0sA=="
    private static let ecSEC1 = """
        -----BEGIN EC PRIVATE KEY-----
        MHcCAQEEIBnabITA/imMY7SoTo/p3iFOaqIpVRTlW3pPleVWWASloAoGCCqGSM49
        AwEHoUQDQgAEElRt7swjY9fujYPCDgwkk1/R4RTXhOG4ScVe9QvtLC8brtLUn7hw
        Ui/qSIVpaVbEZ781FQ5Bi5E1q1OC4Ue0sA==
        -----END EC PRIVATE KEY-----
        """
    /// `openssl req -x509` with rsa-01.pem and ec-01.pem; long expired.
    private static let rsaCertificate =
        "MIIDETCCAfmgAwIBAgIUZMbH6DpQFKmmBOIJFg0H7RefzrswDQYJKoZIhvcNAQELBQAwGDEWMBQGA1UEAwwNYnJhbmQuZXhhbXBsZTAeFw0yNjExMjcxNTI1"
        + "NDFaFw0yNjExMjgxNTI1NDFaMBgxFjAUBgNVBAMMDWJyYW5kLmV4YW1wbGUwggEiMA0GCSqGSIb3DQEBAQUAA4IBDwAwggEKAoIBAQDBS/kJ8EakVbLr2m6I"
        + "p1PcxKdtGVLl9gZ44J+IRkyImrHH48cZGGcpKF5YNOq9h46OKQCd0C8p2tQQqtNuBeB8wjQ2GiHQ374corRPKtWlmmVDl0qE0lc0Mg5YJaGENEDdB6HR+1AC"
        + "6RmrUY2ypWe7mXodxHmq/rcMb9Tmd66WatbRCDTjRlhqAeF+2dRHacKit1e5OB2HgJkzoSkuMaaVUUPG1O+zaOwJ+ijE9TghG8svUUGNnWTZ6UGoJ8XHXhA4"
        + "sz3UJjUAsl7C6ZjcFaK/BXAXiR0PBDWAQkm94BKSFfYJl1sKKN2gT8t9LPyI/SxhNnTbfqP+aHCKyl9zc2eDAgMBAAGjUzBRMB0GA1UdDgQWBBRp0ILXNXCs"
        + "YrLcOGhS/IS0vUlSxDAfBgNVHSMEGDAWgBRp0ILXNXCsYrLcOGhS/IS0vUlSxDAPBgNVHRMBAf8EBTADAQH/MA0GCSqGSIb3DQEBCwUAA4IBAQCwC47ZMrfu"
        + "SNqoEh9FTH4qmsQbCzWgBHoMq2KBrm/5wPV3TmA4EsVLtgH7x7CzC/Cz4vcZZv/OW0SotJA0TDbzOqpQhdmur4F5ZdshZ3icmK67iDUbooQIkkMMXSb8Zsf/"
        + "XOxLnU1vPbuZd9bJmPKVC+y6dzuldV6HFnmNN29uXh6DfRJazu4LcOAg0fFqmA3LAW9HcP4DudQMyERxXs34wDOgSPsbH5Nj9NR6rQB1wNo6zXmhIofMHZDw"
        + "FZRmeln+Pxz9nPVSvURi72uelLLXYGHQfPxAgr4iQc7xjfpn5lqCkRt75Hy9dNxg+617qTPBygiFFrtod/JcvxI2X6/O"
    private static let ecCertificate =
        "MIIBbTCCAROgAwIBAgIUTyZICBA33/xiYG6UEZHnsVAEQHwwCgYIKoZIzj0EAwIwDDEKMAgGA1UEAwwBYjAeFw0yNjExMjcxNTI1NDFaFw0yNjExMjgxNTI1"
        + "NDFaMAwxCjAIBgNVBAMMAWIwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAAQSVG3uzCNj1+6Ng8IODCSTX9HhFNeE4bhJxV71C+0sLxuu0tSfuHBSL+pIhWlp"
        + "VsRnvzUVDkGLkTWrU4LhR7Swo1MwUTAdBgNVHQ4EFgQUwxwmeiND2PS0I2pMLLRDpYmvAqkwHwYDVR0jBBgwFoAUwxwmeiND2PS0I2pMLLRDpYmvAqkwDwYD"
        + "VR0TAQH/BAUwAwEB/zAKBggqhkjOPQQDAgNIADBFAiBUF6vMNoH1wCPhv8ouXnyTve1WkRUijCjSTOvAi8W2CQIhAPtDmpX04a6/QIgFM+5QkRFfSwP03zuM"
        + "97kBHQ1Ic4oL"
    private static let rsa1024 =
        "MIGfMA0GCSqGSIb3DQEBAQUAA4GNADCBiQKBgQC1r0Ju5uaFBcK09uNQx09rVUKWZqB1N0FAU/KMoG1xmS9Agc6yL4pLFQOGYZGiG4NdkLDf77+yGUfNC4LVH+9D"
        + "9QY6FoBCIBMz6TerIIqO0SN7K6gdJQz3a6bcdeVydwZMNAGRcYVAku8982GHPO6vSPrMiXAGalgwU8DeHzRvLQIDAQAB"
    private static let rsa512 =
        "MFwwDQYJKoZIhvcNAQEBBQADSwAwSAJBAKJWlDFmyZYhI4sQ+g0jdZcm5yaelclNsR1zSaFsYKht4jM61F2cvDQ28gnwxzrnDBvUqBpRSBlI2m2SOI71lWECAwEAAQ=="
    private static let p384 =
        "MHYwEAYHKoZIzj0CAQYFK4EEACIDYgAEHZi9znno6WrsMXAQp4IXfV4VaPbtgpHiUl0opk1p/goKdS6u2XWMUiCk9cCpaL8l4dEMAO/LfFPNMB4J5kpeNgHLtyTU"
        + "6KbPMrc2yPxnOpYbmbtFeVdJCzaqDHhCo04Q"
    private static let ed25519 =
        "-----BEGIN PRIVATE KEY-----\nMC4CAQAwBQYDK2VwBCIEIHxZ03G0GqcxmXebD51AdZOsItFwtJoohcox++YMUGxN\n-----END PRIVATE KEY-----"

    @Test func `the public half is what openssl says it is`() throws {
        #expect(try TestKeys.pool.rsa(0).publicKeyBase64 == Self.rsaBase64)
        #expect(try TestKeys.pool.ec(0).publicKeyBase64 == Self.ecBase64)
    }

    @Test func `the default kid is the thumbprint that joserfc computes`() throws {
        #expect(try TestKeys.pool.rsa(0).kid == "4RlcTOuUdOFrVDZa52Bda_woEFoMAQlFMxPam-bt2J8")
        #expect(try TestKeys.pool.ec(0).kid == "4I8GAohGNE9IHoymRUG52oAwzmYgWAyBxcxaU-mzlzQ")
    }

    @Test func `the thumbprint is that of RFC 7638 section 3_1`() throws {
        let key = try VerificationKey(jwk: [
            "kty": "RSA", "e": "AQAB", "alg": "RS256", "kid": "2011-04-29",
            "n": """
            0vx7agoebGcQSuuPiLJXZptN9nndrQmbXEps2aiAFbWhM78LhWx4cbbfAAtVT86zwu1RK7aPFFxuhDR1L6tSoc_BJECPebWKRXjBZCiFV4n3oknjhMstn64tZ_2W-5J\
            sGY4Hc5n9yBXArwl93lqt7_RN5w6Cf0h4QyQ5v-65YGjQR0_FDW2QvzqY368QQMicAtaSqzs8KJZgnYb9c7d0zgdAZHzu6qMQvRL5hajrn1n91CbOpbISD08qNLyrdkt-\
            bFTWhAI4vMQFh6WeZu0fM4lFd2NcRwr3XPksINHaQ-G_xBniIqbw0Ls1jF44-csFCur-kEgU8awapJzKnqDKgw
            """,
        ])
        #expect(key.thumbprint == "NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xs")
        #expect(key.kid == "2011-04-29")
    }

    @Test(arguments: [
        "-----BEGIN PUBLIC KEY-----\n\(rsaBase64)\n-----END PUBLIC KEY-----\n",
        "-----BEGIN PUBLIC KEY-----\(rsaBase64)-----END PUBLIC KEY-----",
        "some words before\r\n-----BEGIN PUBLIC KEY-----\r\n\(rsaBase64.prefix(64))\r\n\(rsaBase64.dropFirst(64))\r\n-----END PUBLIC KEY-----",
        "-----BEGIN PUBLIC KEY-----\\n\(rsaBase64)\\n-----END PUBLIC KEY-----\\n",
        "-----BEGIN CERTIFICATE-----\n\(rsaCertificate)\n-----END CERTIFICATE-----\n", rsaCertificate,
        "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n-----BEGIN PUBLIC KEY-----\n\(rsaBase64)\n-----END PUBLIC KEY-----",
        rsaBase64, "  " + rsaBase64.prefix(100) + " " + rsaBase64.dropFirst(100) + "\n",
    ])
    func `a public key is read however it was pasted`(text: String) throws {
        #expect(try VerificationKey(pem: text).publicKeyBase64 == Self.rsaBase64)
    }

    @Test func `a certificate of a P-256 key has that key`() throws {
        #expect(try VerificationKey(pem: Self.ecCertificate).publicKeyBase64 == Self.ecBase64)
    }

    @Test func `private keys are read in every usual form`() throws {
        #expect(try SigningKey(pem: Self.ecSEC1).kid == TestKeys.pool.ec(0).kid)
        let pkcs8 = try String(contentsOfFile: TestKeys.folder + "/rsa-01.pem", encoding: .utf8)
        let pkcs1 = try _RSA.Signing.PrivateKey(pemRepresentation: pkcs8).pemRepresentation
        #expect(pkcs1.hasPrefix("-----BEGIN RSA PRIVATE KEY-----"))
        #expect(try SigningKey(pem: pkcs1).kid == TestKeys.pool.rsa(0).kid)
        #expect(try SigningKey(pem: pkcs8, kid: "my-kid").verificationKey.kid == "my-kid")
        let spki = try #require(Data(base64Encoded: Self.rsaBase64))
        let publicPKCS1 = try _RSA.Signing.PublicKey(derRepresentation: spki).pkcs1PEMRepresentation
        #expect(try VerificationKey(pem: publicPKCS1).publicKeyBase64 == Self.rsaBase64)
    }

    @Test(arguments: SigningAlgorithm.allCases)
    func `a key survives its JWK, unless it is secret`(algorithm: SigningAlgorithm) throws {
        let key = try TestKeys.key(algorithm)
        guard let jwk = key.verificationKey.jwk else {
            #expect(algorithm == .hs256)
            return
        }
        let copy = try VerificationKey(jwk: jwk)
        #expect(copy.thumbprint == key.kid)
        #expect(copy.kid == key.kid)
        #expect(jwk["d"] == nil)
        #expect(jwk["alg"]?.string == algorithm.rawValue)
    }

    @Test func `an RSA key of 1024 bits checks signatures, but encrypts for nobody`() throws {
        let key = try VerificationKey(pem: Self.rsa1024)
        let copy = try VerificationKey(jwk: #require(key.jwk))
        #expect(copy.publicKeyBase64 == Self.rsa1024)
        #expect(refusal { _ = try EncryptionKey(key) } == "encryption key: 1024 bits, less than 2048")
    }

    @Test(arguments: [
        ("", "PEM: not base64"), ("not a key!", "PEM: not base64"), ("AAAA", "public key: neither RSA of 1024 bits or more nor P-256"),
        (rsa512, "public key: neither RSA of 1024 bits or more nor P-256"),
        (p384, "public key: neither RSA of 1024 bits or more nor P-256"),
        (ecSEC1, "PEM: found a block 'EC PRIVATE KEY' where a PUBLIC KEY is expected"),
        ("-----BEGIN PUBLIC KEY-----\nAAAA", "PEM: END PUBLIC KEY is missing"),
        ("-----BEGIN PUBLIC", "PEM: the BEGIN line does not end in -----"),
        ("-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----", "PEM: the certificate is not one of X.509"),
        (
            "-----BEGIN CERTIFICATE REQUEST-----\nAAAA\n-----END CERTIFICATE REQUEST-----",
            "PEM: no block of a key or a certificate, but 'CERTIFICATE REQUEST'"
        ),
        ("-----BEGIN CERTIFICATE-----\nAAAA", "PEM: END CERTIFICATE is missing"),
        ("-----BEGIN CERTIFICATE-----\n\(rsaBase64)\n-----END CERTIFICATE-----", "PEM: the certificate is not one of X.509"),
    ])
    func `what is no public key is refused with the reason`(text: String, reason: String) {
        #expect(refusal { _ = try VerificationKey(pem: text) } == reason)
    }

    @Test(arguments: [
        (
            "-----BEGIN PUBLIC KEY-----\n\(rsaBase64)\n-----END PUBLIC KEY-----",
            "PEM: found a block 'PUBLIC KEY' where a PRIVATE KEY is expected"
        ),
        (
            "-----BEGIN CERTIFICATE-----\n\(rsaCertificate)\n-----END CERTIFICATE-----",
            "PEM: found a block 'CERTIFICATE' where a PRIVATE KEY is expected"
        ),
        (ed25519, "private key: neither RSA of 1024 bits or more nor P-256"),
        ("-----BEGIN ENCRYPTED PRIVATE KEY-----\nAAAA\n-----END ENCRYPTED PRIVATE KEY-----", "PEM: the key is encrypted"),
        (
            "-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-256-CBC,00\n\nAAAA\n-----END RSA PRIVATE KEY-----",
            "PEM: the key is encrypted"
        ),
    ])
    func `what is no private key is refused with the reason`(text: String, reason: String) {
        #expect(refusal { _ = try SigningKey(pem: text) } == reason)
    }

    @Test func `an empty secret is refused`() { #expect(refusal { _ = try SigningKey(secret: []) } == "the secret is empty") }

    @Test(arguments: [
        ("[]", "JWK: array instead of an object"), ("{}", "JWK: kty is missing"), (#"{"kty":1}"#, "JWK: kty is integer instead of string"),
        (#"{"kty":"OKP"}"#, "JWK: kty 'OKP' is not RSA, EC or oct"), (#"{"kty":"RSA","e":"AQAB"}"#, "JWK: n is missing"),
        (#"{"kty":"RSA","n":"a+b","e":"AQAB"}"#, "JWK: n is not base64url"),
        (#"{"kty":"RSA","n":"","e":"AQAB"}"#, "JWK: n is not base64url"),
        (#"{"kty":"RSA","n":"AQAB","e":"AQAB"}"#, "JWK: n and e are no RSA key of 1024 bits or more"),
        (#"{"kty":"EC","crv":"P-384"}"#, "JWK: crv 'P-384' is not P-256"),
        (#"{"kty":"EC","crv":"P-256","x":"AQAB","y":"AQAB"}"#, "JWK: x and y of P-256 have 32 bytes each"),
        (
            #"{"kty":"EC","crv":"P-256","x":"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAE","y":"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAE"}"#,
            "JWK: x and y are not a point on P-256"
        ),
        (#"{"kty":"oct","k":"AQAB","alg":"RS256"}"#, #"JWK: alg "RS256" does not fit kty 'oct': HS256 is expected"#),
        (#"{"kty":"oct","k":"AQAB","kid":7}"#, "JWK: kid is integer instead of string"),
    ])
    func `a malformed JWK is refused with the reason`(text: String, reason: String) {
        #expect(refusal { _ = try VerificationKey(jwk: JSON(parsing: text)) } == reason)
    }
}
