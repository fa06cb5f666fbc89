import SparringJSON

/// Redirect URIs and how they differ.
public enum RedirectURI {
    public enum Match: String, Decodable, Sendable {
        /// Character by character (RFC 6749 §3.1.2.3).
        case exact
        /// One slash at the end makes no difference.
        case slashTolerant
    }

    public static func matches(_ a: String, _ b: String, _ match: Match) -> Bool {
        a.isSame(as: b) || match == .slashTolerant && (a.isSame(as: b + "/") || (a + "/").isSame(as: b))
    }

    /// Whether both are URIs of the same loopback address that differ at most in the port (RFC 8252 §7.3). `localhost` is a name and not such an
    /// address (§8.3).
    public static func differInPort(_ a: String, _ b: String) -> Bool {
        guard let first = withoutLoopbackPort(a), let second = withoutLoopbackPort(b) else { return false }
        return first.isSame(as: second)
    }

    private static let loopbacks = ["http://127.0.0.1", "http://[::1]"]

    /// A loopback URI without its port; nil for every other URI.
    private static func withoutLoopbackPort(_ uri: String) -> String? {
        guard let origin = loopbacks.first(where: { uri.utf8.starts(with: $0.utf8) }) else { return nil }
        var rest = Substring(uri.utf8.dropFirst(origin.utf8.count))
        if rest.utf8.first == UInt8(ascii: ":") {
            let port = Substring(rest.utf8.dropFirst().prefix { 0x30...0x39 ~= $0 })
            guard port.integer(in: 1...UInt16.max) != nil else { return nil }
            rest = Substring(rest.utf8.dropFirst(1 + port.utf8.count))
        }
        // Anything else would continue the host name, or make what came before it user information.
        guard rest.isEmpty || rest.utf8.first == UInt8(ascii: "/") || rest.utf8.first == UInt8(ascii: "?") else { return nil }
        return origin + rest
    }

    /// Why `sent` is none of `known`, in words.
    public static func difference(sent: String, from known: [String], _ what: String) -> String {
        if let near = known.first(where: { matches(sent, $0, .slashTolerant) }) {
            return "redirect_uri differs by a trailing slash: \(sent.quoted) was sent, '\(near)' is \(what)"
        }
        if let near = known.first(where: { $0.lowercased() == sent.lowercased() }) {
            return "redirect_uri differs in capital letters: \(sent.quoted) was sent, '\(near)' is \(what)"
        }
        if let near = known.first(where: { differInPort(sent, $0) }) {
            return "redirect_uri differs in its port: \(sent.quoted) was sent, '\(near)' is \(what)"
        }
        return "redirect_uri \(sent.quoted) was sent, \(known.map { "'\($0)'" }.joined(separator: ", ")) is \(what)"
    }
}
