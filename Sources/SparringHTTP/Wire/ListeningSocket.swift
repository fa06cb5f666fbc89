import Glibc

/// A bound and listening TCP socket; it is closed with this value unless it was released to libmicrohttpd.
final class ListeningSocket {
    private(set) var descriptor: Int32
    let address: String
    let port: Int

    /// - Parameters:
    ///   - port: 0 lets the system choose.
    ///   - option: that names the port, for errors.
    init(address: String, port: Int, option: String, backlog: Int32 = 1024) throws(HTTPServerError) {
        var hints = addrinfo()
        hints.ai_flags = AI_NUMERICHOST | AI_PASSIVE
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var found: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(address, String(port), &hints, &found) == 0, let info = found?.pointee else { throw .badAddress(address) }
        defer { freeaddrinfo(found) }
        let descriptor = socket(info.ai_family, info.ai_socktype | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue), 0)
        guard descriptor >= 0 else { throw .cannotBind(address: address, port: port, option: option, errno) }
        var on: Int32 = 1
        setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &on, socklen_t(MemoryLayout<Int32>.size))
        if info.ai_family == AF_INET6 {
            setsockopt(descriptor, Int32(IPPROTO_IPV6), IPV6_V6ONLY, &on, socklen_t(MemoryLayout<Int32>.size))
        }
        guard bind(descriptor, info.ai_addr, info.ai_addrlen) == 0, listen(descriptor, backlog) == 0 else {
            let number = errno
            close(descriptor)
            throw .cannotBind(address: address, port: port, option: option, number)
        }
        self.descriptor = descriptor
        self.address = address
        self.port = Self.boundPort(descriptor)
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// Hands the descriptor on: closing it is then the receiver's affair.
    func release() -> Int32 {
        let released = descriptor
        descriptor = -1
        return released
    }

    private static func boundPort(_ descriptor: Int32) -> Int {
        var storage = sockaddr_in6()  // the larger of the two; both have the port at the same place
        var size = socklen_t(MemoryLayout<sockaddr_in6>.size)
        withUnsafeMutablePointer(to: &storage) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { _ = getsockname(descriptor, $0, &size) }
        }
        return Int(UInt16(bigEndian: storage.sin6_port))
    }
}
