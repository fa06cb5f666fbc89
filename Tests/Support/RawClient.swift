import Glibc
import SparringLocks

/// A TCP client that sends exactly the bytes it is given and tells how the connection ended: for tests that look at the wire.
public final class RawClient: WireClient {
    /// Why a read returned.
    public enum End: Sendable, Hashable {
        /// The read's condition is met; the connection is open.
        case met
        /// The peer closed in order (FIN).
        case closed
        /// `ECONNRESET`.
        case reset
        case timedOut
        case failed(errno: Int32)
    }

    public struct Failed: Error, CustomStringConvertible {
        public var description: String
    }

    private struct State {
        var descriptor: Int32
        /// Received and not handed out yet.
        var buffer: [UInt8] = []
    }

    private let state: Mutex<State>

    /// - Parameter receiveBuffer: bytes that the kernel keeps of what has not been read, roughly; nil: as it likes.
    /// - Throws: ``Failed`` with the system's words, such as "Connection refused".
    public init(port: Int, address: String = "127.0.0.1", receiveBuffer: Int32? = nil) throws {
        let descriptor = socket(address.contains(":") ? AF_INET6 : AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        state = Mutex(State(descriptor: descriptor))
        if var receiveBuffer {
            setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &receiveBuffer, socklen_t(MemoryLayout<Int32>.size))
        }
        guard descriptor >= 0, Self.connect(descriptor, address, UInt16(port)) == 0 else {
            throw Failed(description: String(cString: strerror(errno)))
        }
        var on: Int32 = 1
        setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &on, socklen_t(MemoryLayout<Int32>.size))
    }

    deinit { close() }

    public func close() {
        state.withLock { state in
            if state.descriptor >= 0 { Glibc.close(state.descriptor) }
            state.descriptor = -1
        }
    }

    /// Closes with an RST instead of a FIN.
    public func reset() {
        Self.prepareReset(descriptor)
        close()
    }

    static func prepareReset(_ descriptor: Int32) {
        var linger = linger(l_onoff: 1, l_linger: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout.size(ofValue: linger)))
    }

    /// Neither side has closed, as the kernel knows it at this moment (tcp(7), TCP_INFO).
    public var isUp: Bool { Self.isUp(descriptor) }

    static func isUp(_ descriptor: Int32) -> Bool {
        var information = tcp_info()
        var size = socklen_t(MemoryLayout<tcp_info>.size)
        return getsockopt(descriptor, Int32(IPPROTO_TCP), TCP_INFO, &information, &size) == 0
            && Int(information.tcpi_state) == Int(TCP_ESTABLISHED)
    }

    /// Sends a FIN; answers can still be read.
    public func finishSending() { shutdown(descriptor, Int32(SHUT_WR)) }

    public func send(_ text: String) { send(Array(text.utf8)) }

    /// Sends all of it. A peer that has gone shows when reading.
    public func send(_ bytes: [UInt8]) {
        var sent = 0
        while sent < bytes.count {
            let count = bytes.withUnsafeBytes {
                Glibc.send(descriptor, $0.baseAddress! + sent, bytes.count - sent, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return }
            sent += count
        }
    }

    public func write(_ bytes: [UInt8]) async { send(bytes) }

    /// Collects what comes until `isEnough`, the end of the connection or the deadline. What was read stays for the next call, unless it is
    /// taken with ``take(_:)``.
    public func read(
        within limit: Duration = patience, until isEnough: @escaping @Sendable ([UInt8]) -> Bool
    ) async -> (bytes: [UInt8], end: End) {
        await aside { self.readBlocking(limit, isEnough) }
    }

    public func readBlocking(_ limit: Duration, _ isEnough: ([UInt8]) -> Bool = { _ in false }) -> (bytes: [UInt8], end: End) {
        let deadline = ContinuousClock.now + limit
        var piece = [UInt8](repeating: 0, count: 64 * 1024)
        while true {
            // Looked at where it is: a copy of it at each turn would make much out of a few megabytes.
            if state.withLock({ isEnough($0.buffer) }) { return (received, .met) }
            let left = deadline - ContinuousClock.now
            var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            guard left > .zero, poll(&waiting, 1, Int32(left / .milliseconds(1)) + 1) > 0 else { return (received, .timedOut) }
            let count = recv(descriptor, &piece, piece.count, 0)
            let number = errno
            if count == 0 { return (received, .closed) }
            if count < 0 { return (received, number == ECONNRESET ? .reset : .failed(errno: number)) }
            state.withLock { $0.buffer += piece.prefix(count) }
        }
    }

    /// Forgets the first bytes that were read.
    public func take(_ count: Int) { state.withLock { $0.buffer.removeFirst(count) } }

    private var received: [UInt8] { state.withLock { $0.buffer } }
    private var descriptor: Int32 { state.withLock { $0.descriptor } }

    private static func connect(_ descriptor: Int32, _ address: String, _ port: UInt16) -> Int32 {
        if address.contains(":") {
            var name = sockaddr_in6()
            name.sin6_family = sa_family_t(AF_INET6)
            name.sin6_port = port.bigEndian
            inet_pton(AF_INET6, address, &name.sin6_addr)
            return withUnsafePointer(to: &name) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in6>.size))
                }
            }
        }
        var name = sockaddr_in()
        name.sin_family = sa_family_t(AF_INET)
        name.sin_port = port.bigEndian
        inet_pton(AF_INET, address, &name.sin_addr)
        return withUnsafePointer(to: &name) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
    }
}
