import Glibc

/// Why a server cannot be started.
package enum HTTPServerError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The address is no IPv4 or IPv6 address.
    case badAddress(String)
    /// The address and port cannot be bound; the option is the one that names the port, and the number an errno.
    case cannotBind(address: String, port: Int, option: String, Int32)
    /// A system call failed with this errno.
    case system(String, Int32)
    /// libmicrohttpd would not start, with what it logged.
    case daemon(String)

    package var description: String {
        switch self {
        case .badAddress(let address): "'\(address)' is not an IPv4 or IPv6 address"
        case .cannotBind(let address, let port, let option, let number):
            "cannot listen on \(address) port \(port): \(Self.text(number))\(Self.advice(number, option))"
        case .system(let call, let number): "\(call): \(Self.text(number))"
        case .daemon(let reason): "libmicrohttpd did not start: \(reason)"
        }
    }

    private static func advice(_ number: Int32, _ option: String) -> String {
        switch number {
        case EADDRINUSE: " (another server is using it; choose another \(option), or 0 for a free one)"
        case EADDRNOTAVAIL: " (no interface of this machine has this address)"
        default: ""
        }
    }

    private static func text(_ number: Int32) -> String { String(cString: strerror(number)) }
}
