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
        "device": ["devicetoken", "pushtoken", "registrationid"],
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
}
