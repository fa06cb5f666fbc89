import HTTPTypes
import SparringContract
import SparringJSON
import SparringJournal

/// A credential in a recorded request that the brand may have issued: a replay has to mint its own in its place.
struct WantedCredential {
    let recorded: String
    /// The body of `POST /__admin/sandboxes/{sandbox}/credentials`.
    let form: JSON

    /// All of a request, in the order sent.
    static func all(_ headers: HTTPFields, _ target: String, _ body: [UInt8]) -> [WantedCredential] {
        var fields: [(name: String, value: String)] = []
        if let value = headers[.authorization], let space = value.firstIndex(of: " ") {
            fields.append(("authorization", String(value[value.index(after: space)...])))
        }
        fields += RequestFields.all(target, body)
        return fields.compactMap { name, value in token(value) ?? code(name, value, fields) }
    }

    /// The claim `jti` of a JWT.
    static func id(of credential: String) -> String? { JSONWebSignature.unverifiedPayload(of: credential)?["jti"]?.string }

    /// The same that nobody has issued; a token in its form, for a placeholder is no signature.
    var unsound: String {
        guard recorded.hasPrefix("eyJ"), let mark = recorded.lastIndex(of: "."), recorded[mark...].contains("«") else {
            return recorded
        }
        return recorded[...mark] + Base64URL.encode(Array("nobody signed this".utf8))
    }

    /// The meanings of answers that do not take it. A call that brings a code asks for nothing else.
    var refusals: Set<AnswerOutcome> { form["form"] == "code" ? [.authentication, .refused] : [.authentication] }

    // MARK: Times

    /// Its claims say by themselves that it is over or has not begun (RFC 7519 §4.1.4 to §4.1.6): then it is refused in a replay too, however
    /// well it is signed.
    func isOutOfTime(at time: Timestamp) -> Bool {
        let now = Double(time.milliseconds) / 1000
        func claim(_ name: String) -> Double? { form["claims"]?[name]?.double }
        return claim("exp").map { $0 <= now } ?? false || max(claim("nbf") ?? 0, claim("iat") ?? 0) > now
    }

    /// The same, begun by now: the clocks of the brand and of the machine that recorded need not agree to the second.
    func form(begunBy now: Timestamp) -> JSON {
        let begin = ["iat", "nbf"].compactMap { form["claims"]?[$0]?.integer }.max() ?? now.seconds
        let ahead = begin.subtractingClamped(now.seconds)
        guard (1...2).contains(ahead) else { return form }
        var begun = form
        for name in ["iat", "nbf", "exp"] {
            if let time = form["claims"]?[name]?.integer { begun["claims"]?[name] = .integer(time.subtractingClamped(ahead)) }
        }
        return begun
    }

    // MARK: Kinds

    /// The wish for a JWT, whole or with a placeholder for its signature.
    private static func token(_ text: String) -> WantedCredential? {
        guard text.hasPrefix("eyJ"), let claims = JSONWebSignature.unverifiedPayload(of: text),
            let header = Base64URL.decode(text.prefix { $0 != "." }).flatMap({ try? JSON(parsing: $0) })
        else { return nil }
        let isOfApp = header["alg"] == "HS256" && claims["userId"] != nil
        guard let subject = (isOfApp ? claims["userId"] : claims["sub"])?.string, !subject.isEmpty else { return nil }
        var own: JSON.Object = [:]
        for (name, value) in claims.object ?? [:] where !(isOfApp ? ofAppUser : ofProvider).contains(name) { own[name] = value }
        // What it does not have must not come by default: a claim that is null counts as none.
        for name in isOfApp ? defaultsOfApp : defaultsOfProvider where own[name] == nil { own[name] = JSON.null }
        return WantedCredential(
            recorded: text, form: ["form": isOfApp ? "app-jwt" : "jwt", "subject": .string(subject), "claims": .object(own)])
    }

    /// The provider sets them itself: who issued it, for whom, and what makes it the only one (RFC 7519 §4.1, OpenID Connect Core
    /// §3.1.3.6).
    private static let ofProvider: Set = ["iss", "sub", "aud", "jti", "at_hash", "c_hash"]
    private static let ofAppUser: Set = ["userId", "jti"]
    private static let defaultsOfProvider = ["iat", "exp"]
    private static let defaultsOfApp = ["scope", "platform", "givenName", "iat", "exp"]

    private static func code(_ name: String, _ value: String, _ fields: [(name: String, value: String)]) -> WantedCredential? {
        guard ["code", "authcode", "auth_code"].contains(name.lowercased()), value.utf8.count >= 8 else { return nil }
        let redirect = fields.first { $0.name.lowercased().filter { $0 != "_" } == "redirecturi" }?.value
        return WantedCredential(
            recorded: value,
            form: .members(["form": "code", "subject": "recorded-user", "redirectURI": redirect.map { .string($0) }]))
    }
}
