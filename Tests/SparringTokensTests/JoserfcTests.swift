import SparringJSON
import SparringTokens
import Support
import Testing

/// Python's joserfc as an independent judge of what is encrypted and decrypted here.
@Suite struct JoserfcTests {
    @Test(.enabled("Python has no joserfc: make peers") { await Command.pythonHas("joserfc") })
    func `joserfc and we decrypt each other in every form`() async throws {
        let key = try DecryptionKey(TestKeys.pool.rsa(2))
        let forms = JWETests.forms.map { (alg: $0.0, enc: $0.1) }
        let ours = try forms.map { form -> JSON in
            .string(try JWE.encrypt(Array("from us".utf8), to: key.encryptionKey, algorithm: form.alg, encryption: form.enc))
        }
        let program = """
            import json, sys
            from joserfc import jwe
            from joserfc.jwk import RSAKey
            ask = json.load(sys.stdin)
            key = RSAKey.import_key(open(ask["key"]).read())
            registry = jwe.JWERegistry(algorithms=jwe.JWERegistry.algorithms["alg"].keys() | jwe.JWERegistry.algorithms["enc"].keys())
            print(json.dumps({
                "read": [jwe.decrypt_compact(text, key, registry=registry).plaintext.decode() for text in ask["ours"]],
                "theirs": [jwe.encrypt_compact({"alg": a, "enc": e}, b"from them", key, registry=registry) for a, e in ask["forms"]],
            }))
            """
        let question: JSON = [
            "key": .string(TestKeys.folder + "/rsa-03.pem"), "ours": .array(ours),
            "forms": .array(forms.map { [.string($0.alg.rawValue), .string($0.enc.rawValue)] }),
        ]
        var judge = Command.python(["-c", program])
        judge.input = question.text
        let answer = try JSON(parsing: try await judge.output())
        #expect(answer["read"]?.array == Array(repeating: "from us", count: forms.count))
        let theirs = try #require(answer["theirs"]?.array)
        try #require(theirs.count == forms.count)
        for (text, form) in zip(theirs, forms) {
            let jwe = try JWE(parsing: #require(text.string))
            #expect(jwe.algorithm == form.alg && jwe.encryption == form.enc)
            #expect(try jwe.decrypt(with: key) == Array("from them".utf8))
        }
    }
}
