import Foundation
import SparringLocks
import Support

/// Takes one connection, reads what comes until a request is whole, and answers it with given bytes.
final class WireServer: Sendable {
    enum End: Sendable {
        case close, reset
        /// Says nothing more and stays.
        case stay
    }

    let port: Int
    private let listener: Int32
    private let heard = Mutex<[UInt8]>([])

    /// The bytes of the client's request, as text.
    var request: String { heard.withLock { String(decoding: $0, as: UTF8.self) } }

    init(_ answer: String, _ end: End = .close) {
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var name = sockaddr_in()
        name.sin_family = sa_family_t(AF_INET)
        inet_pton(AF_INET, "127.0.0.1", &name.sin_addr)
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        withUnsafeMutablePointer(to: &name) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, size)
                listen(listener, 1)
                _ = getsockname(listener, $0, &size)
            }
        }
        self.listener = listener
        port = Int(UInt16(bigEndian: name.sin_port))
        Thread.detachNewThread { self.serve(Array(answer.utf8), end) }
    }

    /// Ends the thread that waits for a connection or for the client's end.
    func stop() { shutdown(listener, Int32(SHUT_RDWR)) }

    private func serve(_ answer: [UInt8], _ end: End) {
        let connection = accept(listener, nil, nil)
        defer { close(listener) }
        guard connection >= 0 else { return }
        defer { close(connection) }
        var piece = [UInt8](repeating: 0, count: 1 << 16)
        while !isWhole, case let count = recv(connection, &piece, piece.count, 0), count > 0 {
            heard.withLock { $0 += piece.prefix(count) }
        }
        _ = send(connection, answer, answer.count, Int32(MSG_NOSIGNAL))
        switch end {
        case .close: break
        case .reset:
            var linger = linger(l_onoff: 1, l_linger: 0)
            setsockopt(connection, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout.size(ofValue: linger)))
        case .stay: while recv(connection, &piece, piece.count, 0) > 0 {}
        }
    }

    private var isWhole: Bool {
        let parts = request.split(separator: "\r\n\r\n", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2 else { return false }
        let length = parts[0].split(separator: "\r\n").first { $0.lowercased().hasPrefix("content-length:") }
        return parts[1].utf8.count >= length.flatMap { Int($0.drop { $0 != " " }.dropFirst()) } ?? 0
    }
}
