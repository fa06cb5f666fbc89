import Testing

@testable import SparringTokens

@Suite struct ContentEncryptionTests {
    private let plaintext = Array(
        ("A cipher system must not be required to be secret, and it must be able to fall into the hands of the enemy "
            + "without inconvenience").utf8)
    private let iv: [UInt8] = [0x1A, 0xF3, 0x8C, 0x2D, 0xC2, 0xB9, 0x6F, 0xFD, 0xD8, 0x66, 0x94, 0x09, 0x23, 0x41, 0xBC, 0x04]
    private let additionalData = Array("The second principle of Auguste Kerckhoffs".utf8)

    /// The tag covers the ciphertext, of which the beginning is enough then.
    @Test(arguments: [
        (ContentEncryption.a128CBCHS256, "c80edfa32ddf39d5", "652c3fa36b0a7c5b3219fab3a30bc1c4"),
        (.a192CBCHS384, "ea65da6b59e61edb", "8490ac0e58949bfe51875d733f93ac2075168039ccc733d7"),
        (.a256CBCHS512, "4affaaadb78c31c5", "4dd3b4c088a7f45c216839645b2012bf2e6269a8c56a816dbc1b267761955bc5"),
    ])
    func `CBC with HMAC gives the vectors of RFC 7518 appendix B`(form: ContentEncryption, beginning: String, tag: String) throws {
        let key = (0..<form.keyLength).map { UInt8($0) }
        let sealed = try form.seal(plaintext, key: key, iv: iv, additionalData: additionalData)
        #expect(sealed.ciphertext.count == 144)
        #expect(hex(sealed.ciphertext.prefix(8)) == beginning)
        #expect(hex(sealed.tag) == tag)
        #expect(try form.open(sealed.ciphertext, tag: sealed.tag, key: key, iv: iv, additionalData: additionalData) == plaintext)
    }

    @Test(arguments: ContentEncryption.allCases)
    func `nothing opens once anything was changed`(form: ContentEncryption) throws {
        let key = [UInt8](repeating: 7, count: form.keyLength)
        let iv = [UInt8](repeating: 9, count: form.ivLength)
        let sealed = try form.seal([1, 2, 3], key: key, iv: iv, additionalData: [4])
        #expect(sealed.tag.count == form.tagLength)
        func opened(_ ciphertext: [UInt8], _ tag: [UInt8], _ key: [UInt8], _ iv: [UInt8], _ data: [UInt8]) throws -> [UInt8]? {
            try form.open(ciphertext, tag: tag, key: key, iv: iv, additionalData: data)
        }
        let (ciphertext, tag) = sealed
        #expect(try opened(ciphertext, tag, key, iv, [4]) == [1, 2, 3])
        #expect(try opened(flipped(ciphertext), tag, key, iv, [4]) == nil)
        #expect(try opened(ciphertext, flipped(tag), key, iv, [4]) == nil)
        #expect(try opened(ciphertext, tag, flipped(key), iv, [4]) == nil)
        #expect(try opened(ciphertext, tag, key, flipped(iv), [4]) == nil)
        #expect(try opened(ciphertext, tag, key, iv, [5]) == nil)
    }

    private func flipped(_ bytes: [UInt8]) -> [UInt8] { [bytes[0] ^ 1] + bytes.dropFirst() }

    private func hex(_ bytes: some Sequence<UInt8>) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}
