import OrderedCollections
import SparringJSON
import SparringTokens
import Testing

@Suite struct JWSTests {
    private static let claims = "eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ"

    @Test(arguments: [
        (
            "appendix A.1", #"{"kty":"oct","k":"AyM1SysPpbyDfgZld3umj1qzKObwVMkoqQ-EstJQLr_T-1qS0gZH75aKtMN3Yj0iPS4hcgUuTwjAzZr1Z9CAow"}"#,
            "eyJ0eXAiOiJKV1QiLA0KICJhbGciOiJIUzI1NiJ9." + claims + ".dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
        ),
        (
            "appendix A.2",
            """
            {"kty":"RSA","e":"AQAB","n":"ofgWCuLjybRlzo0tZWJjNiuSfb4p4fAkd_wWJcyQoTbji9k0l8W26mPddxHmfHQp-Vaw-4qPCJrcS2mJPMEzP1Pt0Bm4d4QlL-yRT-\
            SFd2lZS-pCgNMsD1W_YpRPEwOWvG6b32690r2jZ47soMZo9wGzjb_7OMg0LOL-bSf63kpaSHSXndS5z5rexMdbBYUsLA9e-KXBdQOS-UTo7WTBEMa2R2CapHg665xsmtdVMTBQY\
            4uDZlxvb3qCo5ZwKh9kG4LT6_I5IhlJH7aGhyxXFvUK-DWNmoudF8NAco9_h9iaGNj8q2ethFkMLs91kzk2PAcDTW9gb54h4FRWyuXpoQ"}
            """,
            "eyJhbGciOiJSUzI1NiJ9." + claims
                + """
                .cC4hiUPoj9Eetdgtv3hF80EGrhuB__dzERat0XF9g2VtQgr9PJbu3XOiZj5RZmh7AAuHIm4Bh-0Qc_lF5YKt_O8W2Fp5jujGbds9uJdbF9CUAr7t1dnZcAcQjbKBYNX4\
                BAynRFdiuB--f_nZLgrnbyTyWzO75vRK5h6xBArLIARNPvkSjtQBMHlb1L07Qe7K0GarZRmB_eSN9383LcOLn6_dO--xi12jzDwusC-eOkHWEsqtFZESc6BfI7noOPqvhJ1\
                phCnvWh6IeYI2w9QOYEUipUTI8np6LbgGY9Fs98rqVt5AXLIhWkWywlVmtVrBp0igcN_IoypGlUPQGe77Rw
                """
        ),
        (
            "appendix A.3",
            """
            {"kty":"EC","crv":"P-256","x":"f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU","y":"x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0"}
            """,
            "eyJhbGciOiJFUzI1NiJ9." + claims + ".DtEhU3ljbEg8L38VWAfUAqOyKAM6-Xx-F4GawxaepmXFCgfTjDxw5djxLa8ISlSApmWQxfKTUJqPP3-Kg6NU1Q"
        ),
    ])
    func `the tokens of RFC 7515 are verified`(place: String, jwk: String, token: String) throws {
        let key = try VerificationKey(jwk: JSON(parsing: jwk))
        let jws = try JWS(parsing: token)
        #expect(jws.verify(with: key))
        #expect(jws.payload == ["iss": "joe", "exp": 1_300_819_380, "http://example.com/is_root": true])
        #expect(jws.algorithm == key.algorithm)
        let changed = try JWS(parsing: token.replacing("eyJpc3MiOiJqb2Ui", with: "eyJpc3MiOiJqb2Ei"))
        #expect(!changed.verify(with: key))
    }

    @Test(arguments: SigningAlgorithm.allCases)
    func `what a key signed, that key verifies and no other`(algorithm: SigningAlgorithm) throws {
        let key = try TestKeys.key(algorithm)
        let jws = try JWS(parsing: JWS.sign(header: ["nonce": "n"], payload: ["sub": "ada"], with: key))
        #expect(jws.header.text == #"{"alg":"\#(algorithm.rawValue)","typ":"JWT","kid":"\#(key.kid)","nonce":"n"}"#)
        #expect(jws.kid == key.kid)
        #expect(jws.verify(with: key.verificationKey))
        #expect(!jws.verify(with: try TestKeys.key(algorithm, 1).verificationKey))
    }

    @Test(arguments: [SigningAlgorithm.rs256, .hs256])
    func `the same claims give the same text`(algorithm: SigningAlgorithm) throws {
        let key = try TestKeys.key(algorithm)
        #expect(JWS.sign(payload: ["sub": "ada"], with: key) == JWS.sign(payload: ["sub": "ada"], with: key))
    }

    @Test func `extra members replace typ and kid, but not alg`() throws {
        let token = JWS.sign(header: ["kid": "k", "alg": "none", "typ": "at+jwt"], payload: [:], with: try TestKeys.key(.hs256))
        #expect(try JWS(parsing: token).header.text == #"{"alg":"HS256","typ":"at+jwt","kid":"k"}"#)
    }

    @Test(arguments: [SigningAlgorithm.rs256, .es256])
    func `a public key is never taken for a shared secret`(algorithm: SigningAlgorithm) throws {
        let key = try TestKeys.key(algorithm).verificationKey
        let base64 = try #require(key.publicKeyBase64)
        for secret in [base64, "-----BEGIN PUBLIC KEY-----\n\(base64)\n-----END PUBLIC KEY-----\n"] {
            let forger = try SigningKey(secret: Array(secret.utf8), kid: key.kid)
            #expect(try !JWS(parsing: JWS.sign(payload: ["sub": "ada"], with: forger)).verify(with: key))
        }
    }

    @Test(arguments: SigningAlgorithm.allCases)
    func `a token of another alg is not verified, nor one of none`(algorithm: SigningAlgorithm) throws {
        let key = try TestKeys.key(algorithm).verificationKey
        for other in SigningAlgorithm.allCases where other != algorithm {
            #expect(try !JWS(parsing: JWS.sign(payload: [:], with: TestKeys.key(other))).verify(with: key))
        }
        for alg in ["none", "None", "RS512", algorithm.rawValue, algorithm.rawValue.lowercased()] {
            #expect(try !JWS(parsing: part(#"{"alg":"\#(alg)"}"#) + "." + part("{}") + ".").verify(with: key))
        }
    }

    @Test(arguments: [
        ("", "not a compact JWS: 1 part instead of 3"), ("a.b", "not a compact JWS: 2 parts instead of 3"),
        ("a.b.c.d.e", "not a compact JWS: 5 parts instead of 3"), ("a=.e30.", "JWS: header is not base64url"),
        (part("{]") + "..", "JWS: header is not JSON: expected a name in double quotes at line 1, column 2"),
        (part(#"{"alg":"RS256","alg":"none"}"#) + "..", "JWS: header is not JSON: member 'alg' is named twice at line 1, column 16"),
        (part("[]") + "..", "JWS: header is array instead of object"), (part("{}") + "..", "JWS: header has no 'alg'"),
        (part(#"{"alg":1}"#) + "..", "JWS: 'alg' in the header is integer instead of string"),
        (part(#"{"alg":"RS256","crit":["b64"]}"#) + "..", "JWS: 'crit' in the header is not supported"),
        (part(#"{"alg":"none"}"#) + ".!.", "JWS: payload is not base64url"),
        (part(#"{"alg":"none"}"#) + "..", "JWS: payload is not JSON: empty text at line 1, column 1"),
        (part(#"{"alg":"none"}"#) + "." + part("\"x\"") + ".", "JWS: payload is string instead of object"),
        (part(#"{"alg":"none"}"#) + ".e30.Zh", "JWS: signature is not base64url"),
    ])
    func `a malformed token is refused with the place`(text: String, reason: String) {
        #expect(refusal { _ = try JWS(parsing: text) } == reason)
    }
}
