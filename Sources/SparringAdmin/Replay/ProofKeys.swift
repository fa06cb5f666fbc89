import HTTPTypes
import SparringContract
import SparringJSON
import SparringJournal
import SparringTokens

/// Code verifiers and challenges (RFC 7636) for those that a recording has placeholders for: each challenge must be made of its verifier.
struct ProofKeys {
    /// The recorded challenge of each code that an answer hands out, with its method.
    private var challenges: [(answer: String, challenge: String, method: PKCE.Method)] = []
    /// The recorded verifiers, each with what may be its code.
    private var verifiers: [(codes: [String], verifier: String)] = []

    init(_ calls: [Archive.Call]) {
        for call in calls {
            let fields = RequestFields.all(call.target, call.body.bytes)
            if let challenge = fields.first(where: { $0.name == "code_challenge" })?.value {
                let answer =
                    (call.answerHeaders[.location] ?? "").unescapedPlaceholders + String(decoding: call.answerBody.bytes, as: UTF8.self)
                let method = fields.first { $0.name == "code_challenge_method" }.flatMap { PKCE.Method(rawValue: $0.value) }
                challenges.append((answer, challenge, method ?? .plain))
            }
            take(fields)
            for message in call.messages ?? [] where message.isSent { take(RequestFields.all("", message.bytes)) }
        }
    }

    private mutating func take(_ fields: [(name: String, value: String)]) {
        // `code`, `code_verifier`; on a socket `authorizationCode`, `codeVerifier`.
        func plain(_ name: String) -> String { name.lowercased().filter { $0 != "_" } }
        guard let verifier = fields.first(where: { plain($0.name) == "codeverifier" }) else { return }
        verifiers.append((fields.filter { plain($0.name).hasSuffix("code") }.map(\.value), verifier.value))
    }

    /// Lets new ones stand for those that are not known.
    func note(in correspondence: inout Correspondence) {
        func made(_ number: Int) -> String { "replayed-verifier-\(number)-of-a-recording-without-credentials" }
        for (number, (codes, verifier)) in verifiers.enumerated() where verifier.hasPrefix("«") && !correspondence.knows(verifier) {
            guard let issued = challenges.first(where: { challenge in codes.contains { !$0.isEmpty && challenge.answer.contains($0) } })
            else { continue }
            correspondence.note(verifier, made(number + 1))
            if issued.challenge.hasPrefix("«") {
                correspondence.note(issued.challenge, PKCE.challenge(for: made(number + 1), method: issued.method))
            }
        }
        // Of a code that was never redeemed.
        for (number, issued) in challenges.enumerated() where issued.challenge.hasPrefix("«") && !correspondence.knows(issued.challenge) {
            correspondence.note(issued.challenge, PKCE.challenge(for: made(verifiers.count + number + 1), method: issued.method))
        }
    }
}
