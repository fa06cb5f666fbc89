import SparringJSON

/// A sandbox, its scenario and its configuration as environment variables: `SPARRING_LIVEPERSON_ACCOUNT_ID` and its like.
enum ConfigurationVariables {
    /// - Parameter sandbox: as the admin API shows one.
    static func all(_ sandbox: JSON) -> [String: String] {
        var variables: [String: String] = [:]
        variables["SPARRING_SANDBOX"] = sandbox["id"]?.string
        variables["SPARRING_SCENARIO"] = sandbox["scenario"]?.string
        for (tenant, fields) in sandbox["tenants"]?.object ?? [:] {
            for (name, value) in fields.object ?? [:] {
                guard let text = text(value) else { continue }
                variables["SPARRING_\(words(tenant))_\(words(name))"] = text
            }
        }
        return variables
    }

    /// `accountId` → `ACCOUNT_ID`, `jwksURI` → `JWKS_URI`.
    static func words(_ name: String) -> String {
        var words = ""
        var wasSmall = false
        for character in name {
            if character.isUppercase, wasSmall { words += "_" }
            wasSmall = character.isLowercase || character.isNumber
            words += character.isLetter || character.isNumber ? character.uppercased() : "_"
        }
        return words
    }

    /// The text of a value that has one; the items of a list are separated by spaces.
    private static func text(_ value: JSON) -> String? {
        switch value {
        case .integer, .number, .bool: value.text
        default: value.strings(joinedBy: " ")
        }
    }
}
