import HTTPTypes
import SparringHTTP
import SparringJSON

/// Keeps what a vendor answers from acting as a page of this server, whose admin API has the same origin: it may hold what a client sent, and a fault may call it
/// HTML.
enum Isolation {
    /// A document without scripts and of an origin of its own, whose links and forms work (Content Security Policy Level 3 §6.4.2; HTML, sandboxing).
    private static let policy =
        "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; "
        + "sandbox allow-forms allow-popups allow-top-navigation allow-top-navigation-to-custom-protocols"

    /// Media types that browsers run scripts in when they show them.
    private static let documents = ["text/html", "application/xhtml+xml", "image/svg+xml", "text/xml", "application/xml"]

    /// - Parameter response: keeps a policy that it has already.
    static func add(to response: inout Response) {
        // No other type than the one that is said (Fetch standard, X-Content-Type-Options).
        if !response.headers.contains(.xContentTypeOptions) {
            response.headers.append(HTTPField(name: .xContentTypeOptions, value: "nosniff"))
        }
        guard let whole = response.headers.value(of: .contentType), whole != "application/json" else { return }
        let type = whole.prefix { $0 != ";" }.lowercased()
        if documents.contains(where: { type.hasPrefix($0) }), response.headers[.contentSecurityPolicy] == nil {
            response.headers[.contentSecurityPolicy] = policy
        }
    }
}
