import Foundation
import HTTPTypes
import SparringContract
import SparringJSON
import SparringJournal

/// Credentials of the brand's identity provider that a recorded client brought from elsewhere: what no recorded answer has handed out is minted, with the
/// same subject and claims.
struct ReplayCredentials {
    /// Credentials that the recorded sandbox was asked to mint, and this one has minted as well.
    private var minted: [(form: String, subject: String, credential: String)] = []
    /// All that the recorded answers say.
    private let answers: String

    init(_ calls: [Archive.Call]) {
        answers = calls.flatMap { call in
            [(call.answerHeaders[.location] ?? "").removingPercentEncoding ?? "", String(decoding: call.answerBody.bytes, as: UTF8.self)]
                + (call.messages ?? []).filter { !$0.isSent }.map { String(decoding: $0.bytes, as: UTF8.self) }
        }.joined(separator: "\n")
    }

    static let operation = "\(AdminAPI.name).\(AdminOperation.mintCredential.rawValue)"

    /// A credential that is to be minted.
    struct Wanted {
        let recorded: String
        /// The body of `POST /__admin/sandboxes/{sandbox}/credentials`.
        let form: JSON

        /// The same that nobody has issued; a token in its form, for a placeholder is no signature.
        var unsound: String {
            guard recorded.hasPrefix("eyJ"), let mark = recorded.lastIndex(of: "."), recorded[mark...].contains("«") else {
                return recorded
            }
            return recorded[...mark] + Base64URL.encode(Array("nobody signed this".utf8))
        }
    }

    /// Keeps what was minted because the recorded sandbox was asked for it.
    mutating func keep(_ form: JSON, _ answer: JSON) {
        guard let kind = form["form"]?.string, let credential = answer["credential"]?.string else { return }
        minted.append((kind, form["subject"]?.string ?? "", credential))
    }

    /// The next that was kept and fits.
    mutating func take(for wanted: Wanted) -> String? {
        let subject = wanted.form["subject"]?.string
        let place = minted.firstIndex { $0.form == wanted.form["form"]?.string && ($0.form == "code" || $0.subject == subject) }
        return place.map { minted.remove(at: $0).credential }
    }

    // MARK: What a request brings

    /// The credentials of a request that are not known and that no recorded answer hands out.
    func wanted(_ headers: HTTPFields, _ target: String, _ body: [UInt8], _ correspondence: Correspondence) -> [Wanted] {
        var fields: [(name: String, value: String)] = []
        if let value = headers[.authorization], let space = value.firstIndex(of: " ") {
            fields.append(("authorization", String(value[value.index(after: space)...])))
        }
        fields += RequestFields.all(target, body)
        return fields.compactMap { name, value in
            guard !correspondence.knows(value), let wanted = Self.token(value) ?? Self.code(name, value, fields), !answers.contains(value)
            else {
                return nil
            }
            return wanted
        }
    }

    /// The wish for a JWT, whole or with a placeholder for its signature.
    private static func token(_ text: String) -> Wanted? {
        guard text.hasPrefix("eyJ"), let claims = JSONWebSignature.unverifiedPayload(of: text),
            let header = Base64URL.decode(text.prefix { $0 != "." }).flatMap({ try? JSON(parsing: $0) })
        else { return nil }
        let isOfApp = header["alg"] == "HS256" && claims["userId"] != nil
        guard let subject = (isOfApp ? claims["userId"] : claims["sub"])?.string, !subject.isEmpty else { return nil }
        let further = claims.object?.filter { !registered.contains($0.key) } ?? [:]
        return Wanted(
            recorded: text,
            form: .members([
                "form": isOfApp ? "app-jwt" : "jwt", "subject": .string(subject),
                "claims": further.isEmpty || isOfApp ? nil : .object(JSON.Object(uniqueKeysWithValues: further.map { ($0.key, $0.value) })),
            ]))
    }

    /// The provider sets them itself (RFC 7519 §4.1, OpenID Connect Core §3.1.3.6).
    private static let registered: Set = ["iss", "sub", "aud", "exp", "nbf", "iat", "jti", "at_hash", "c_hash", "auth_time"]

    private static func code(_ name: String, _ value: String, _ fields: [(name: String, value: String)]) -> Wanted? {
        guard ["code", "authcode", "auth_code"].contains(name.lowercased()), value.utf8.count >= 8 else { return nil }
        let redirect = fields.first { $0.name.lowercased().filter { $0 != "_" } == "redirecturi" }?.value
        return Wanted(
            recorded: value,
            form: .members(["form": "code", "subject": "recorded-user", "redirectURI": redirect.map { .string($0) }]))
    }
}
