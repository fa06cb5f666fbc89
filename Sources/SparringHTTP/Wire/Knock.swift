import Glibc

/// A connection to a listening socket of this process, which only has that looked at.
struct Knock {
    private let descriptor: Int32

    init(address: String, port: Int) {
        let isIPv6 = address.contains(":")
        descriptor = socket(isIPv6 ? AF_INET6 : AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue), 0)
        var hints = addrinfo()
        hints.ai_flags = AI_NUMERICHOST
        var found: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(address, String(port), &hints, &found) == 0, let first = found else { return }
        defer { freeaddrinfo(first) }
        // Over loopback it is there at once, in the queue of those to be accepted.
        connect(descriptor, first.pointee.ai_addr, first.pointee.ai_addrlen)
    }

    func end() { close(descriptor) }
}
