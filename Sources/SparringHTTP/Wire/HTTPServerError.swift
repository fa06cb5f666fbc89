import Glibc

/// Why a server cannot be started.
package enum HTTPServerError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The address is no IPv4 or IPv6 address.
    case badAddress(String)
    /// The address and port cannot be bound; the number is an errno.
    case cannotBind(address: String, port: Int, Int32)
    /// A system call failed with this errno.
    case system(String, Int32)
    /// libmicrohttpd would not start, with what it logged.
    case daemon(String)

    package var description: String {
        switch self {
        case .badAddress(let address): "'\(address)' is not an IPv4 or IPv6 address"
        case .cannotBind(let address, let port, let number):
            "cannot listen on \(address) port \(port): \(Self.text(number))"
                + (number == EADDRINUSE ? " (another server is using it; choose another --port, or 0 for a free one)" : "")
        case .system(let call, let number): "\(call): \(Self.text(number))"
        case .daemon(let reason): "libmicrohttpd did not start: \(reason)"
        }
    }

    private static func text(_ number: Int32) -> String { String(cString: strerror(number)) }
}
