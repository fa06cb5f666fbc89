/// Media types (RFC 9110 §8.3.1) that contracts use.
package enum MediaTypes {
    /// The media types that a response may declare.
    static let ofAnswers = [
        "application/json", "application/problem+json", "application/javascript", "text/css", "text/event-stream", "text/html",
        "text/javascript",
        "text/plain",
        "application/x-ndjson",
        "application/schema+json", "application/x-apple-aspen-config", "application/x-pem-file", "application/x-www-form-urlencoded",
        "text/plain; version=0.0.4",
        "application/xml", "text/xml", "image/svg+xml", "image/gif", "image/jpeg", "image/png",
        "application/octet-stream", "application/pdf",
    ]

    /// Whether a contract may have it as the type of an answer.
    package static func mayAnswer(_ type: String) -> Bool { ofAnswers.contains(type) }

    /// The range of all (RFC 9110 §12.5.1), for a body that is taken whatever it is.
    static let any = "*/*"

    /// Without parameters, in lower case.
    package static func essence(of type: String) -> String {
        // By bytes: this runs for every request with a body.
        var essence = type.utf8.prefix { $0 != UInt8(ascii: ";") }
        while let last = essence.last, isSpace(last) { essence.removeLast() }
        while let first = essence.first, isSpace(first) { essence.removeFirst() }
        let isLower = essence.allSatisfy { !(UInt8(ascii: "A")...UInt8(ascii: "Z") ~= $0) }
        return isLower ? String(Substring(essence)) : Substring(essence).lowercased()
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }

    package static func isJSON(_ essence: String) -> Bool { essence == "application/json" || essence.hasSuffix("+json") }
    /// Whether the type is not text: a body of it has no value that a schema could be checked against.
    static func isBinary(_ essence: String) -> Bool {
        essence == any || essence.hasPrefix("image/") || essence == "application/octet-stream" || essence == "application/pdf"
    }
    static func isForm(_ essence: String) -> Bool { essence == "application/x-www-form-urlencoded" }
}
