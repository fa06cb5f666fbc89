import SparringContract
import SparringJSON

/// Token answers (RFC 6749 §5.1) and key sets (RFC 7517 §5), which are known by their members.
extension BodyVariation {
    mutating func varyToken(_ result: inout JSON.Object, _ members: JSON.Object, _ view: SchemaView, _ place: String) {
        guard members["access_token"]?.string != nil, let type = members["token_type"]?.string else { return }
        func at(_ name: String) -> String { Self.place(place, name) }
        let types = [type.lowercased(), type.uppercased()].filter { $0 != type }
        if !types.isEmpty, let pick = subject.pick(.tokens, at("token_type"), of: types.count) {
            result["token_type"] = .string(types[pick.index])
            note(pick, at: at("token_type"), "\(type.quoted) → \(types[pick.index].quoted)")
        }
        if members["refresh_token"] != nil, view.mayLack("refresh_token"), view.certainMembers.contains("refresh_token"),
            pick(.tokens, at("refresh_token"), of: 1, "removed") != nil
        {
            result["refresh_token"] = nil
        }
        let scopes = (members["scope"]?.string ?? "").split(separator: " ")
        if scopes.count > 1, pick(.tokens, at("scope"), of: 1, "in another order") != nil {
            result["scope"] = .string(scopes.reversed().joined(separator: " "))
        }
        if let given = members["expires_in"]?.integer, let pick = subject.pick(.tokens, at("expires_in"), of: 2) {
            let seconds: Int64 = [1 << 31, 5][pick.index]
            result["expires_in"] = .integer(seconds)
            note(pick, at: at("expires_in"), "\(given) → \(seconds)")
        }
    }

    mutating func varyKeys(_ result: inout JSON.Object, _ members: JSON.Object, _ place: String) {
        guard let keys = members["keys"]?.array, !keys.isEmpty, keys.allSatisfy({ $0["kty"]?.string != nil }) else { return }
        let at = Self.place(place, "keys")
        guard let pick = subject.pick(.keys, at, of: 3), let sent = result["keys"]?.array else { return }
        let (words, key) = Self.otherKey(pick.index, pick.word)
        result["keys"] = .array([key] + sent)
        note(pick, at: at, "added at 0: \(words)")
    }

    private static func otherKey(_ index: Int, _ word: String) -> (words: String, key: JSON) {
        let kid = JSON.string("sparring-\(word)")
        switch index {
        case 0: return ("a key of an unknown kty", ["kty": .string("SPARRING_\(word.uppercased())"), "kid": kid])
        case 1:
            // The base point of P-256 (SEC 2 §2.4.2), which is a sound key of the number 1.
            return (
                "a key of another kty",
                [
                    "kty": "EC", "kid": kid, "use": "sig", "alg": "ES256", "crv": "P-256",
                    "x": "axfR8uEsQkf4vOblY6RA8ncDfYEt6zOg9KE5RdiYwpY", "y": "T-NC4v4af5uO5-tKfA-eFivOM1drMV7Oy7ZAaDe_UfU",
                ]
            )
        default:
            return (
                "a key for encryption",
                ["kty": "RSA", "kid": kid, "use": "enc", "alg": "RSA-OAEP", "n": .string(modulus), "e": "AQAB"]
            )
        }
    }

    /// 2048 bits, odd, of no known factors: nothing is ever encrypted with it.
    private static let modulus = "v" + String(repeating: "9pXQ", count: 85) + "w"
}
