import Foundation
import HTTPTypes
import SparringContract
import SparringJSON
import SparringTokens

/// Tokens and keys: one that is sound with something amiss in it, or whatever the input is.
enum TokenTarget {
    static func run(_ bytes: [UInt8]) throws {
        let play = try Stage.shared.begin()
        do {
            if Step.isScript(bytes) {
                for step in Step.script(bytes).prefix(64) { try play.perform(step) }
            } else if bytes.starts(with: "eyJ".utf8) || bytes.starts(with: ".".utf8) {
                try bring(String(decoding: bytes, as: UTF8.self), play, everywhere: true)
            } else {
                var choices = Choices(bytes)
                if choices.chance(40) {
                    try keys(&choices, play)
                } else {
                    try bring(try token(&choices, play), play, &choices)
                }
            }
        } catch {
            try? play.end()
            throw error
        }
        try play.end()
    }

    // MARK: Making one

    /// A sound token of one of the kinds that there are.
    private static func sound(_ kind: Int, _ play: Play) throws -> String? {
        switch kind {
        case 0: try play.known("id_token")?.string
        case 1: try play.known("jwt")?.string
        case 2: try play.known("access_token")?.string
        case 3: try play.known("token")?.string
        case 4: try minted(["form": "jwe", "subject": "ada"], play)
        case 5: try minted(["form": "jwt", "subject": "ada", "algorithm": "ES256"], play)
        default: try anonymous(play)
        }
    }

    private static func minted(_ wish: JSON, _ play: Play) throws -> String? {
        let answer = try play.call(
            "POST", "/__admin/sandboxes/\(Stage.sandbox)/credentials", [("Content-Type", "application/json")], wish.bytes)
        return answer.flatMap { try? JSON(parsing: $0.body) }?["credential"]?.string
    }

    private static func anonymous(_ play: Play) throws -> String? {
        guard let operation = Stage.operations.first(where: { $0.qualifiedName == "liveperson.authorizeAnonymous" }) else { return nil }
        var plain = Choices([])
        guard case .call(let method, let target, let headers, let body) = try RequestTarget.call(operation, &plain, play) else {
            return nil
        }
        return try play.call(method, target, headers, body).flatMap { try? JSON(parsing: $0.body) }?["token"]?.string
    }

    private static func token(_ choices: inout Choices, _ play: Play) throws -> String {
        guard let sound = try sound(choices.below(7), play) else { return "" }
        var parts = sound.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        if parts.count == 3, let token = try? JWS(parsing: sound) {
            let header = Mutation.mutated(token.header, &choices) { _ in nil }
            let payload = Mutation.mutated(token.payload, &choices) { _ in nil }
            parts = signed(header, payload, token, &choices).split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        } else if parts.count == 5, choices.chance(128), let header = Base64URL.decode(parts[0]).flatMap({ try? JSON(parsing: $0) }) {
            parts[0] = Base64URL.encode(Mutation.mutated(header, &choices) { _ in nil }.bytes)
        }
        for _ in 0..<choices.pick([0, 0, 0, 1, 2]) where !parts.isEmpty { change(&parts, &choices) }
        return parts.joined(separator: ".")
    }

    /// The text of the parts, as one who is not careful might send it.
    private static func change(_ parts: inout [String], _ choices: inout Choices) {
        let place = choices.below(parts.count)
        var part = Array(parts[place].utf8)
        let at = choices.below(part.count + 1)
        switch choices.below(7) {
        case 0: part = []
        case 1: part.removeSubrange(at..<min(part.count, at + choices.below(5)))
        case 2: part.insert(choices.pick(Array("=+/-_ %.\u{0}A".utf8)), at: at)
        case 3 where at < part.count: part[at] ^= 1
        case 4: parts.insert("", at: place)
        case 5: part = Array(Base64URL.encode(Values.json(&choices).bytes).utf8)
        default: part += part
        }
        if parts.indices.contains(place) { parts[place] = String(decoding: part, as: UTF8.self) }
    }

    /// Signed again by its own key, which is public, so that what is wrong inside comes to be looked at; or by another, or not at all.
    private static func signed(_ header: JSON, _ payload: JSON, _ original: JWS, _ choices: inout Choices) -> String {
        var extra = header.object ?? [:]
        extra["alg"] = nil
        switch choices.below(8) {
        case 0...4:
            if let key = pool.first(where: { original.verify(with: $0.verificationKey) }) {
                return JWS.sign(header: extra, payload: payload, with: key)
            }
        case 5: return JWS.sign(header: extra, payload: payload, with: choices.pick(pool))
        case 6:
            let secret = pool[0].publicKeyBase64 ?? "x"
            if let key = try? SigningKey(secret: Array(secret.utf8)) { return JWS.sign(header: extra, payload: payload, with: key) }
        default: break
        }
        return [header, payload].map { Base64URL.encode($0.bytes) }.joined(separator: ".") + "." + Base64URL.encode(original.signature)
    }

    /// All test keys; the vendors' own are among them.
    private static let pool: [SigningKey] = (0..<8).compactMap { try? Stage.keys.rsa($0) } + (0..<4).compactMap { try? Stage.keys.ec($0) }

    // MARK: Bringing it

    private static func bring(_ token: String, _ play: Play, _ choices: inout Choices) throws {
        try read(token)
        let steps = steps(token)
        for _ in 0...choices.below(3) { try play.perform(choices.pick(steps)) }
        let late = choices.pick(["", "1h", "10y"])
        guard !late.isEmpty else { return }
        try play.perform(advance(late))
        try play.perform(choices.pick(steps))
    }

    private static func bring(_ token: String, _ play: Play, everywhere: Bool) throws {
        try read(token)
        for step in steps(token) { try play.perform(step) }
    }

    private static func advance(_ by: String) -> Step {
        .call(
            method: "POST", target: "/__admin/sandboxes/\(Stage.sandbox)/clock/advance", headers: [("Content-Type", "application/json")],
            body: Array("{\"by\":\"\(by)\"}".utf8))
    }

    /// Every place where a token may be brought.
    private static func steps(_ token: String) -> [Step] {
        let json = JSON.string(token).text
        let field = String(String.UnicodeScalarView(token.unicodeScalars.filter { !"\r\n\0".unicodeScalars.contains($0) }))
        func post(_ operation: String, _ body: String, _ headers: [(String, String)] = []) -> Step? {
            Stage.operations.first { $0.qualifiedName == "liveperson." + operation }.map { operation in
                let names = operation.parameters.filter { $0.location == .path }.map {
                    ($0.name, $0.name == "accountId" ? "acme" : $0.example?.string ?? "x")
                }
                return .call(
                    method: operation.method.rawValue, target: operation.path(Dictionary(names) { $1 }),
                    headers: headers + [("Content-Type", "application/json")], body: Array(body.utf8))
            }
        }
        let open = Stage.operations.first { $0.qualifiedName == "liveperson.openConsumerSocket" }.map {
            Step.open(target: $0.path(["accountId": "acme"]), headers: [("Authorization", "jwt \(field)")])
        }
        return [
            post("authenticateV1", "{\"authCode\":\(json)}"), post("authenticateV2", "{\"id_token\":\(json)}"),
            post("authenticateV3", "{\"id_token\":\(json)}"), open,
            post("registerPush", "{\"deviceToken\":\"x\",\"pushType\":\"APNS\"}", [("Authorization", "Bearer \(field)")]),
            post("readUnread", "", [("Authorization", "Bearer \(field)")]),
            post("createConsumer", "{\"ext_consumer_id\":\"ada\"}", [("Authorization", field)]),
            post("createConversation", "[]", [("Authorization", "${access_token}"), ("X-LP-ON-BEHALF", field)]),
            post("sendRequest", "{}", [("Authorization", field), ("X-LP-ON-BEHALF", "${token}")]),
        ].compactMap(\.self)
    }

    /// Reads a token with the token readers alone.
    private static func read(_ text: String) throws {
        if let token = try? JWS(parsing: text) {
            for key in pool.prefix(3) + pool.suffix(1) { _ = token.verify(with: key.verificationKey) }
            _ = (token.algorithm, token.kid)
            guard token.header.object != nil, token.payload.object != nil else {
                throw FuzzFailure("header and payload must be objects: \(text)")
            }
        }
        if let token = try? JWE(parsing: text), let key = try? DecryptionKey(pool[0]) { _ = try? token.decrypt(with: key) }
        _ = PKCE.isVerifier(text)
        _ = PKCE.challenge(for: text, method: .s256)
    }

    // MARK: Keys

    /// Keys as they are published, pasted and configured.
    private static func keys(_ choices: inout Choices, _ play: Play) throws {
        let published = JSON.array(pool.compactMap(\.verificationKey.jwk))
        let set = Mutation.mutated(["keys": published], &choices) { _ in nil }
        if let read = try? KeySet(parsing: set) {
            for key in read.keys {
                _ = (key.thumbprint, key.jwk, key.publicKeyBase64, read.keys("x", for: .rs256), read.objection(to: "x", for: .es256))
            }
        }
        var text = choices.pick(pool).publicKeyBase64 ?? ""
        for _ in 0..<choices.below(4) where !text.isEmpty {
            let at = text.index(text.startIndex, offsetBy: choices.below(text.count))
            switch choices.below(4) {
            case 0: text.remove(at: at)
            case 1: text.insert(choices.pick(["=", "-", "\n", "A", "é"]), at: at)
            case 2:
                text =
                    "-----BEGIN \(choices.pick(["PUBLIC KEY", "RSA PUBLIC KEY", "PRIVATE KEY", "X"]))-----\n\(text)\n-----END PUBLIC KEY-----"
            default: text = String(text[..<at])
            }
        }
        if let key = try? VerificationKey(pem: text) { _ = (key.thumbprint, try? EncryptionKey(key)) }
        _ = try? SigningKey(pem: text)
        _ = try? DecryptionKey(SigningKey(pem: text))
        let issuer: JSON = [
            "displayName": "Brand", "iss": "https://idp.brand.test", "certificate": "publicKey", "publicKey": .string(text),
        ]
        let proxy: JSON = [
            "url": "/nowhere", "clientCertificate": .string(text), "clientKey": .string(text), "trustedCertificates": .string(text),
        ]
        let patch = Mutation.mutated(["issuers": [issuer], "push": ["proxy": proxy]], &choices) { _ in nil }
        try play.perform(
            .call(
                method: "PATCH", target: "/__admin/sandboxes/\(Stage.sandbox)/tenants/liveperson",
                headers: [("Content-Type", "application/json")],
                body: patch.bytes))
    }
}
