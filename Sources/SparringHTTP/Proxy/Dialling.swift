import Foundation
import Glibc

/// A connection to another host, for what a proxy passes on.
enum Dialling {
    /// How long one address may take to answer, in milliseconds.
    private static let patience: Int32 = 10_000

    /// The resolver blocks, and so does a host that does not answer: so many wait at once, on threads of their own.
    private static let queue = {
        let queue = OperationQueue()
        queue.maxConcurrentOperationCount = 16
        return queue
    }()

    enum Failure: Error, Equatable {
        /// The resolver's words.
        case unknown(String)
        /// errno of the last address tried.
        case unreachable(Int32)

        /// In words that follow the host.
        var words: String {
            switch self {
            case .unknown(let reason): "cannot be resolved: \(reason)"
            case .unreachable(let number): "cannot be reached: \(String(cString: strerror(number)))"
            }
        }
    }

    /// - Parameter done: called on a thread of its own, with a connected descriptor that does not block.
    static func dial(_ host: String, _ port: Int, _ done: @escaping @Sendable (Result<Int32, Failure>) -> Void) {
        queue.addOperation { done(Result { () throws(Failure) in try connect(host, port) }) }
    }

    private static func connect(_ host: String, _ port: Int) throws(Failure) -> Int32 {
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var found: UnsafeMutablePointer<addrinfo>?
        let code = getaddrinfo(host, String(port), &hints, &found)
        guard code == 0 else { throw .unknown(String(cString: gai_strerror(code))) }
        defer { freeaddrinfo(found) }
        var number = EHOSTUNREACH
        var next = found
        while let info = next?.pointee {
            next = info.ai_next
            let descriptor = socket(info.ai_family, info.ai_socktype | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue), 0)
            guard descriptor >= 0 else { throw .unreachable(errno) }
            number = begin(descriptor, info)
            if number == 0 { return descriptor }
            close(descriptor)
        }
        throw .unreachable(number)
    }

    /// - Returns: 0, or errno.
    private static func begin(_ descriptor: Int32, _ info: addrinfo) -> Int32 {
        if Glibc.connect(descriptor, info.ai_addr, info.ai_addrlen) == 0 { return 0 }
        guard errno == EINPROGRESS else { return errno }
        var awaited = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        guard poll(&awaited, 1, patience) > 0 else { return ETIMEDOUT }
        var number: Int32 = 0
        var size = socklen_t(MemoryLayout<Int32>.size)
        return getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &number, &size) == 0 ? number : errno
    }
}
