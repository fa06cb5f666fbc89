/// Media types (RFC 9110 §8.3.1) that contracts use.
enum MediaTypes {
    /// What a response may declare.
    static let ofAnswers = [
        "application/json", "application/problem+json", "application/javascript", "text/html", "text/plain", "application/x-ndjson",
        "application/x-pem-file", "application/x-www-form-urlencoded", "text/plain; version=0.0.4",
    ]

    /// Without parameters, in lower case.
    static func essence(of type: String) -> String {
        var essence = type.prefix { $0 != ";" }
        while essence.last?.isWhitespace == true { essence.removeLast() }
        return essence.drop(while: \.isWhitespace).lowercased()
    }

    static func isJSON(_ essence: String) -> Bool { essence == "application/json" || essence.hasSuffix("+json") }
    static func isForm(_ essence: String) -> Bool { essence == "application/x-www-form-urlencoded" }
}
