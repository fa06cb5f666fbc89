import SparringJSON
import SparringTokens
import Testing

@Suite struct JWETests {
    static let forms = EncryptionAlgorithm.allCases.flatMap { alg in ContentEncryption.allCases.map { (alg, $0) } }

    @Test(arguments: forms)
    func `a JWE of every form is decrypted by its key and no other`(algorithm: EncryptionAlgorithm, encryption: ContentEncryption) throws {
        let key = try DecryptionKey(TestKeys.pool.rsa(2))
        for length in [0, 1, 15, 16, 17, 1000] {
            let plaintext = (0..<length).map { UInt8(truncatingIfNeeded: $0) }
            let text = try JWE.encrypt(
                plaintext, to: key.encryptionKey, algorithm: algorithm, encryption: encryption, contentType: "JWT")
            let jwe = try JWE(parsing: text)
            #expect(try jwe.decrypt(with: key) == plaintext)
            #expect(jwe.kid == key.encryptionKey.kid)
            #expect(
                jwe.header.text
                    == #"{"alg":"\#(algorithm.rawValue)","enc":"\#(encryption.rawValue)","kid":"\#(jwe.kid ?? "")","cty":"JWT"}"#)
            let stranger = try DecryptionKey(TestKeys.pool.rsa(3))
            #expect(refusal { _ = try jwe.decrypt(with: stranger) }.contains("encrypted key cannot be decrypted"))
        }
    }

    @Test func `a key without kid leaves none in the header`() throws {
        let key = try EncryptionKey(pem: #require(TestKeys.pool.rsa(0).publicKeyBase64))
        #expect(try JWE(parsing: JWE.encrypt([], to: key)).header.text == #"{"alg":"RSA-OAEP-256","enc":"A128CBC-HS256"}"#)
    }

    @Test(arguments: ContentEncryption.allCases, [0, 2, 3, 4])
    func `a JWE with any part changed is refused`(encryption: ContentEncryption, index: Int) throws {
        let key = try DecryptionKey(TestKeys.pool.rsa(2))
        var parts = try JWE.encrypt([1, 2, 3], to: key.encryptionKey, encryption: encryption, contentType: "JWT")
            .split(separator: ".").map(String.init)
        var bytes = try #require(Base64URL.decode(parts[index]))
        if index == 0 {
            bytes = Array(String(decoding: bytes, as: UTF8.self).replacing("JWT", with: "JWS").utf8)
        } else {
            bytes[0] ^= 1
        }
        parts[index] = Base64URL.encode(bytes)
        let jwe = try JWE(parsing: parts.joined(separator: "."))
        #expect(
            refusal { _ = try jwe.decrypt(with: key) }
                == "JWE: authentication tag does not fit: header, vector, ciphertext or tag was changed")
    }

    @Test func `a content key of another length is refused`() throws {
        let key = try DecryptionKey(TestKeys.pool.rsa(2))
        let parts = try JWE.encrypt([1], to: key.encryptionKey, encryption: .a128GCM).split(separator: ".").map(String.init)
        let header = part(#"{"alg":"RSA-OAEP-256","enc":"A256GCM"}"#)
        let jwe = try JWE(parsing: ([header] + parts[1...]).joined(separator: "."))
        #expect(refusal { _ = try jwe.decrypt(with: key) } == "JWE: content key has 16 bytes, A256GCM takes 32")
    }

    @Test func `only RSA keys encrypt and decrypt`() throws {
        let key = try TestKeys.pool.ec(0)
        #expect(refusal { _ = try EncryptionKey(key.verificationKey) } == "encryption key: not RSA")
        #expect(refusal { _ = try DecryptionKey(key) } == "decryption key: not RSA")
    }

    private static let header = part(#"{"alg":"RSA-OAEP-256","enc":"A128GCM"}"#)

    @Test(arguments: [
        ("a.b.c", "not a compact JWE: 3 parts instead of 5"), (part("null") + "....", "JWE: header is null instead of object"),
        (part(#"{"enc":"A128GCM"}"#) + "....", "JWE: header has no 'alg'"),
        (part(#"{"alg":"RSA-OAEP"}"#) + "....", "JWE: header has no 'enc'"),
        (part(#"{"alg":"dir","enc":"A128GCM"}"#) + "....", "JWE: alg 'dir' is not RSA-OAEP-256 or RSA-OAEP"),
        (
            part(#"{"alg":"RSA-OAEP","enc":"A1"}"#) + "....",
            "JWE: enc 'A1' is not one of A128CBC-HS256, A192CBC-HS384, A256CBC-HS512, A128GCM, A192GCM, A256GCM"
        ),
        (part(#"{"alg":"RSA-OAEP","enc":"A128GCM","zip":"DEF"}"#) + "....", "JWE: 'zip' in the header is not supported"),
        (part(#"{"alg":"RSA-OAEP","enc":"A128GCM","crit":["exp"]}"#) + "....", "JWE: 'crit' in the header is not supported"),
        (header + ".!...", "JWE: encrypted key is not base64url"), (header + "..!..", "JWE: initialization vector is not base64url"),
        (header + "...!.", "JWE: ciphertext is not base64url"), (header + "....!", "JWE: authentication tag is not base64url"),
        (header + "..AQAB..", "JWE: initialization vector has 3 bytes, A128GCM takes 12"),
        (header + "..AAAAAAAAAAAAAAAA..AQAB", "JWE: authentication tag has 3 bytes, A128GCM takes 16"),
    ])
    func `a malformed JWE is refused with the place`(text: String, reason: String) {
        #expect(refusal { _ = try JWE(parsing: text) } == reason)
    }
}
