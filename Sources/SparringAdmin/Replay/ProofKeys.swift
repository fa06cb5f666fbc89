import HTTPTypes
import SparringContract
import SparringJSON
import SparringJournal
import SparringTokens

/// Code verifiers and challenges (RFC 7636) for those that a recording has placeholders for: each challenge must be made of its verifier.
struct ProofKeys {
    /// The recorded challenge of each code that an answer hands out, with its method.
    private var challenges: [(answer: String, challenge: String, method: PKCE.Method)] = []
    /// The recorded verifier of each code that a request redeems.
    private var verifiers: [(code: String, verifier: String)] = []

    init(_ calls: [Archive.Call]) {
        for call in calls {
            let fields = Dictionary(RequestFields.all(call.target, call.body.bytes).map { ($0.name, $0.value) }) { first, _ in first }
            if let challenge = fields["code_challenge"] {
                let answer =
                    (call.answerHeaders[.location] ?? "").unescapedPlaceholders + String(decoding: call.answerBody.bytes, as: UTF8.self)
                challenges.append((answer, challenge, fields["code_challenge_method"].flatMap { PKCE.Method(rawValue: $0) } ?? .plain))
            }
            if let code = fields["code"], let verifier = fields["code_verifier"] { verifiers.append((code, verifier)) }
        }
    }

    /// Lets new ones stand for those that are not known.
    func note(in correspondence: inout Correspondence) {
        for (number, (code, verifier)) in verifiers.enumerated() where verifier.hasPrefix("«") && !correspondence.knows(verifier) {
            guard let issued = challenges.first(where: { $0.answer.contains(code) }) else { continue }
            let made = "replayed-verifier-\(number + 1)-of-a-recording-without-credentials"
            correspondence.note(verifier, made)
            if issued.challenge.hasPrefix("«") {
                correspondence.note(issued.challenge, PKCE.challenge(for: made, method: issued.method))
            }
        }
    }
}
