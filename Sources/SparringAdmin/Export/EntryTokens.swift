import SparringEngine
package import SparringJSON
import SparringJournal
import SparringTokens

/// The JSON Web Tokens in an entry, as people read them.
package struct EntryTokens {
    /// Each once, with the place of its first occurrence.
    package private(set) var all: [(place: String, token: String)] = []

    /// More than this would be a list of tokens, and no call.
    private static let most = 20

    package init(_ entry: JSON) {
        for half in ["request", "answer"] {
            add(entry[half]?["target"], "\(half), target")
            add(entry[half]?["body"], "\(half), body")
            for (name, value) in entry[half]?["headers"]?.object ?? [:] { add(value, "\(half), \(name)") }
        }
    }

    /// Adds the words that begin like the header of a token: `{"` in base64url.
    private mutating func add(_ text: JSON?, _ place: String) {
        guard let text = text?.string else { return }
        for word in text.split(whereSeparator: { !($0.isASCII && ($0.isLetter || $0.isNumber || "-_.".contains($0))) }) {
            guard word.hasPrefix("eyJ"), [3, 5].contains(word.split(separator: ".", omittingEmptySubsequences: false).count),
                all.count < Self.most, !all.contains(where: { $0.token == word })
            else { continue }
            all.append((place, String(word)))
        }
    }

    /// - Parameters:
    ///   - now: the time to which the token's times are relative.
    ///   - look: finds the key of a token.
    func text(at now: Timestamp, _ look: (String) -> TokenLook?) -> String {
        all.map { "\($0.place)\n" + Self.lines(of: $0.token, at: now, look).joined(separator: "\n") + "\n" }.joined(separator: "\n")
    }

    private static func lines(of token: String, at now: Timestamp, _ look: (String) -> TokenLook?) -> [String] {
        let known = look(token)
        if token.split(separator: ".", omittingEmptySubsequences: false).count == 5 {
            let encrypted: JWE
            do throws(TokenError) { encrypted = try JWE(parsing: token) } catch { return ["  cannot be read: \(error.reason)"] }
            guard let known, let content = known.content else {
                return ["  encrypted, for no key of this sandbox", indented(encrypted.header)]
            }
            let inner = JWS.isLike(content) ? lines(of: content, at: now, look) : ["  \(JSON.string(content).text)"]
            return ["  encrypted for \(known.key)", indented(encrypted.header), "  in it:"] + inner
        }
        let signed: JWS
        do throws(TokenError) { signed = try JWS(parsing: token) } catch { return ["  cannot be read: \(error.reason)"] }
        let signature = known.map { "signed with \($0.key)" } ?? "signed with no key of this sandbox"
        return ["  \(signature)"] + times(signed.payload, now) + [indented(signed.header), indented(signed.payload)]
    }

    /// RFC 7519 §4.1.4 to §4.1.6.
    private static func times(_ claims: JSON, _ now: Timestamp) -> [String] {
        let names = [("exp", "expired", "expires"), ("nbf", "valid since", "not valid before"), ("iat", "issued", "issued in the future:")]
        return names.compactMap { name, past, future in
            guard let seconds = claims[name]?.double, seconds.isFinite, abs(seconds) < 1e11 else { return nil }
            let time = Timestamp(seconds: Int64(clamped: seconds))
            return time > now ? "  \(future) in \((time - now).words) (\(name))" : "  \(past) \((now - time).words) ago (\(name))"
        }
    }

    private static func indented(_ json: JSON) -> String {
        json.prettyText.split(separator: "\n").map { "  \($0)" }.joined(separator: "\n")
    }
}

extension JWS {
    fileprivate static func isLike(_ text: String) -> Bool {
        text.hasPrefix("eyJ") && text.split(separator: ".", omittingEmptySubsequences: false).count == 3
    }
}
