import Foundation

/// This process's standard input.
enum StandardInput {
    /// Bytes of the longest line; of a longer one the rest is passed over.
    static let longestLine = 8 << 20

    /// Each line as it comes, without its end; the last one also if no line feed ends it. Of a line that is too long, the beginning.
    static func lines() -> AsyncStream<[UInt8]> {
        AsyncStream { continuation in
            // A read cannot be cancelled: the thread ends with the input, or with the process.
            Thread.detachNewThread {
                var pending: [UInt8] = []
                var piece = [UInt8](repeating: 0, count: 64 * 1024)
                while true {
                    let count = read(STDIN_FILENO, &piece, piece.count)
                    if count < 0, errno == EINTR { continue }
                    guard count > 0 else { break }
                    var parts = piece[..<count].split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)[...]
                    let rest = parts.removeLast()
                    for part in parts {
                        continuation.yield(pending + part.prefix(longestLine + 1 - pending.count))
                        pending = []
                    }
                    pending += rest.prefix(longestLine + 1 - pending.count)
                }
                if !pending.isEmpty { continuation.yield(pending) }
                continuation.finish()
            }
        }
    }
}
