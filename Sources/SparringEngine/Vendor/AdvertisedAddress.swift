import SparringJSON
import SparringSandbox

/// The address at which clients reach this server, if it listens elsewhere: behind a container's port mapping, a proxy, a name of its own.
public struct AdvertisedAddress: Sendable, Hashable {
    /// Without port; an IPv6 address without brackets.
    public var host: String
    /// The ports of plain HTTP and of TLS; nil: those that the server listens on.
    public var port, tlsPort: Int?
}

extension AdvertisedAddress {
    /// - Parameter texts: a host, or URLs of one host: `https://sparring.test:9443` for TLS, `http://…` without. A URL without a port means its scheme's.
    /// - Throws: `ToolError`. nil where there are no texts.
    public init?(_ texts: [String]) throws {
        guard let first = texts.first else { return nil }
        self.init(host: try Self.read(first).host)
        for text in texts {
            let (scheme, host, port) = try Self.read(text)
            guard host == self.host else { throw ToolError("--advertise names two hosts: \(self.host) and \(host)", .usage) }
            switch scheme {
            case "https": tlsPort = port ?? 443
            case "http": self.port = port ?? 80
            default:
                if let port {
                    throw ToolError(
                        "--advertise: '\(text)' does not say which port \(port) is: write http://\(text) or https://\(text)", .usage)
                }
            }
        }
    }

    private static func read(_ text: String) throws -> (scheme: Substring?, host: String, port: Int?) {
        let url = URIParts(text).flatMap { ["http", "https"].contains($0.scheme) && ["", "/"].contains($0.rest) ? $0 : nil }
        let named = url?.authority ?? text[...]
        guard let authority = Authority(named) ?? Authority("[\(named)]") else {
            throw ToolError("--advertise: '\(text)' is neither a host nor a URL without a path, such as https://sparring.test:9443", .usage)
        }
        return (url?.scheme, authority.host, authority.port)
    }
}
