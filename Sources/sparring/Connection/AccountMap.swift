import Foundation
import SparringContract
import SparringJSON

/// The file by which a balancer finds the node that has an account, and the running HAProxy that has read it.
struct AccountMap {
    let path: String
    /// HAProxy's stats socket; nil: it is not running yet.
    let stats: String?

    /// Adds the accounts of a sandbox, which lead to its node.
    ///
    /// - Throws: ``CommandFailure`` where the file or the socket cannot be used; the sandbox is there then.
    func add(_ sandbox: JSON) throws {
        guard let node = sandbox["node"]?.string else {
            throw CommandFailure(text: "--map: the server has no --node name for the map to point to", status: 64)
        }
        let keys = (sandbox["calledBy"]?.object ?? [:]).flatMap { vendor, names in
            (names.array ?? []).compactMap { $0.string.map { "\(vendor)/\($0)" } }
        }
        try append(keys.map { "\($0) \(node)\n" }.joined())
        if let stats { for key in keys { try tell("add map \(path) \(key) \(node)", at: stats) } }
    }

    /// One write, so that lines of commands that run at once do not mix (write(2), O_APPEND).
    private func append(_ lines: String) throws {
        let descriptor = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw failure("\(path): cannot be written") }
        defer { close(descriptor) }
        let bytes = Array(lines.utf8)
        guard write(descriptor, bytes, bytes.count) == bytes.count else { throw failure("\(path): cannot be written") }
    }

    /// Gives HAProxy one command (HAProxy 2.6 Management Guide, chapter 9.3). What it answers to a success is an empty line.
    private func tell(_ command: String, at stats: String) throws {
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        guard descriptor >= 0 else { throw failure("\(stats): cannot be opened") }
        defer { close(descriptor) }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let name = Array(stats.utf8)
        guard name.count < MemoryLayout.size(ofValue: address.sun_path) else {
            throw CommandFailure(text: "--map-socket: '\(stats)' is too long for the name of a socket", status: 64)
        }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: name) }
        let size = socklen_t(MemoryLayout<sockaddr_un>.size)
        let isConnected = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(descriptor, $0, size) == 0 }
        }
        guard isConnected else { throw failure("\(stats): HAProxy does not answer") }
        let line = Array((command + "\n").utf8)
        guard send(descriptor, line, line.count, Int32(MSG_NOSIGNAL)) == line.count else {
            throw failure("\(stats): HAProxy does not listen")
        }
        shutdown(descriptor, Int32(SHUT_WR))
        var (answer, piece) = ([UInt8](), [UInt8](repeating: 0, count: 1024))
        while answer.count < 4096 {
            let count = recv(descriptor, &piece, piece.count, 0)
            if count <= 0 { break }
            answer += piece.prefix(count)
        }
        let words = String(decoding: answer, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
        if !words.isEmpty {
            throw CommandFailure(text: "\(stats): HAProxy refuses '\(command)': \(Terminal.printable(words))", status: 69)
        }
    }

    private func failure(_ words: String) -> CommandFailure {
        CommandFailure(text: "\(words): \(String(cString: strerror(errno)))", status: 73)
    }
}
