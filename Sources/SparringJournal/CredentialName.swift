/// The names of header fields, query parameters, form fields and JSON members that carry credentials (RFC 6749, OpenID Connect and the vendors' own), with the
/// kind of credential that each carries.
enum CredentialName {
    private static let names: [String: [String]] = [
        "token": [
            "accesstoken", "apitoken", "appjwt", "assertion", "authorization", "authtoken", "bearer", "clientassertion", "contexttoken",
            "idtoken",
            "idtokenhint", "jwt", "jwttoken", "oauthtoken", "proxyauthorization", "refreshtoken", "sessiontoken", "token", "userjwt",
            "xauthtoken",
        ],
        "key": ["apikey", "clientkey", "privatekey", "secretkey", "xapikey"],
        "secret": ["apisecret", "clientsecret", "secret", "sharedsecret"],
        "code": ["code", "otk", "readotk", "writeotk"],
        "verifier": ["codeverifier"],
        "cookie": ["cookie", "setcookie"],
        "password": ["passcode", "password"],
        "device": ["devicetoken", "pushnotificationtoken", "pushtoken", "registrationid"],
        "signature": ["signature", "tempurlsig"],
    ]

    private static let kinds = names.reduce(into: [String: String]()) { kinds, entry in for name in entry.value { kinds[name] = entry.key }
    }

    /// The kind of credential that a field of this name carries, however it is spelled; nil: none.
    static func kind(_ name: String) -> String? {
        // No name of them is longer, with all its signs.
        guard name.utf8.count <= 32 else { return nil }
        return kinds[name.lowercased().filter { $0 != "-" && $0 != "_" }]
    }

    /// The kind of credential in a setting or a variable of this name, by the words that it ends with: `pushSecret`, `SHOP_CLIENT_SECRET`.
    static func kind(ofSetting name: String) -> String? {
        if let kind = kind(name) { return kind }
        let words = words(of: name)
        for start in words.indices {
            let end = words[start...].joined()
            if let kind = ofSettings[end] { return kind }
            // What ends with `code` is a status or a region.
            if let kind = kinds[end], endings.contains(kind) { return kind }
        }
        return nil
    }

    private static let ofSettings = ["passphrase": "password", "passwd": "password", "pgpassword": "password"]
    private static let endings: Set = ["token", "key", "secret", "password"]
    /// Bytes of the longest name of a setting or a variable.
    private static let longestSetting = 96

    /// Whether what a member or a variable of this name has in it is made to be shown to all: public keys (RFC 7517 §4, RFC 7518 §6) and their names.
    static func isPublic(_ name: String) -> Bool {
        if ofPublicKeys.contains(name) { return true }
        let words = words(of: name)
        return words.last == "kid" || words.suffix(2) == ["public", "key"] || words.last == "publickey"
    }

    private static let ofPublicKeys: Set = ["x", "y", "n", "kid", "x5t", "x5t#S256"]

    /// The words of a name in small letters, as hyphens, underscores or capitals part them.
    private static func words(of name: String) -> [String] {
        guard name.utf8.count <= longestSetting else { return [] }
        var words = [""]
        var wasSmall = false
        for character in name {
            if character == "-" || character == "_" {
                words.append("")
                wasSmall = false
                continue
            }
            if character.isUppercase, wasSmall { words.append("") }
            words[words.count - 1] += character.lowercased()
            wasSmall = !character.isUppercase
        }
        return words.filter { !$0.isEmpty }
    }
}
