import Glibc
import SparringAdmin
import SparringEngine
import SparringHTTP
import SparringJSON
import SparringSandbox

/// The bytes of one connection to a server with a port of its own. Whatever they are, another connection is answered afterwards;
/// a client that sends a whole and plain request gets an answer.
enum HeadTarget {
    /// Milliseconds that an answer may take.
    private static let patience: Int32 = 15_000
    /// The byte that marks where the input is sent in two pieces; it is not sent itself.
    private static let cut: UInt8 = 0x1E

    private static let server = Result { () throws -> (engine: Engine, port: Int) in
        let engine = try Stage.server().engine
        _ = try blocking("a sandbox's creation") { try await engine.world.create(Stage.request()) }
        var options = HTTPServer.Options()
        options.addresses = ["127.0.0.1"]
        // The bystander's connection is kept from one input to the next, however long a crowded machine takes between them.
        options.idleTimeout = .seconds(3600)
        return (engine, try engine.serve(options).port)
    }
    private static let bystander = Result { try Connection(port: server.get().port) }

    static func run(_ bytes: [UInt8]) throws {
        let connection = try Connection(port: server.get().port)
        defer { connection.reset() }
        for piece in bytes.split(separator: cut, omittingEmptySubsequences: true) {
            connection.send(Array(piece))
            if bytes.contains(cut) { sched_yield() }
        }
        try ask(bystander.get())
        let isWhole = isPlainRequest(bytes)
        let answer = connection.receive(isWhole ? patience : 0)
        if isWhole, !answer.starts(with: "HTTP/1.1 ".utf8) {
            throw FuzzFailure("no answer to \(String(decoding: bytes.prefix(2000), as: UTF8.self))")
        }
        // 500 alone says nothing: LivePerson refuses with it.
        let text = String(decoding: answer.prefix(4000), as: UTF8.self)
        if text.contains("Sparring failed") { throw FuzzFailure(text) }
    }

    /// Another client, whose connection is kept.
    private static func ask(_ connection: Connection) throws {
        connection.send(Array("GET /__admin/health HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".utf8))
        var answer: [UInt8] = []
        // The body is JSON, and short.
        while answer.last != UInt8(ascii: "}") {
            let more = connection.receive(patience)
            guard !more.isEmpty else { throw FuzzFailure("another connection is not served") }
            answer += more
        }
        guard answer.starts(with: "HTTP/1.1 200".utf8) else {
            throw FuzzFailure("another connection got \(String(decoding: answer, as: UTF8.self))")
        }
    }

    /// Head and nothing more, as no one could take amiss: RFC 9112 §2.1 with one Host, visible characters and no body.
    static func isPlainRequest(_ bytes: [UInt8]) -> Bool {
        guard bytes.count < 12_000, let text = String(validating: bytes, as: UTF8.self), text.utf8.allSatisfy({ $0 < 0x7F }),
            text.hasSuffix("\r\n\r\n")
        else { return false }
        let lines = text.dropLast(4).split(separator: "\r\n", omittingEmptySubsequences: false)
        guard let first = lines.first, !lines.contains(where: { $0.isEmpty || $0.contains { $0.isNewline || $0 < " " } }) else {
            return false
        }
        let words = first.split(separator: " ", omittingEmptySubsequences: false)
        guard words.count == 3, ["GET", "DELETE", "OPTIONS"].contains(words[0]), words[1].hasPrefix("/"), words[2] == "HTTP/1.1",
            !words[1].contains("/wait"), words[1].utf8.count < 8000
        else { return false }
        let fields = lines.dropFirst().map { $0.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false) }
        guard fields.count <= 40, fields.allSatisfy({ $0.count == 2 && isToken($0[0]) }) else { return false }
        let names = fields.map { $0[0].lowercased() }
        let special: Set = ["content-length", "transfer-encoding", "upgrade", "connection", "expect", "te", "trailer"]
        return names.count { $0 == "host" } == 1 && special.isDisjoint(with: names)
    }

    private static func isToken(_ name: Substring) -> Bool {
        !name.isEmpty
            && name.utf8.allSatisfy { ($0 >= 0x61 && $0 <= 0x7A) || ($0 >= 0x41 && $0 <= 0x5A) || ($0 >= 0x30 && $0 <= 0x39) || $0 == 0x2D }
    }
}

/// A TCP connection to a port of this machine, for one thread.
private final class Connection: Sendable {
    private let descriptor: Int32

    init(port: Int) throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var name = sockaddr_in()
        name.sin_family = sa_family_t(AF_INET)
        name.sin_port = in_port_t(port).bigEndian
        inet_pton(AF_INET, "127.0.0.1", &name.sin_addr)
        var connected: Int32
        repeat {
            connected = withUnsafePointer(to: &name) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) }
            }
            // The fuzzer's own alarm interrupts it; asked again, it says when it has come about in the meantime.
        } while connected != 0 && (errno == EINTR || errno == EALREADY)
        guard connected == 0 || errno == EISCONN else { throw FuzzFailure("no connection: \(String(cString: strerror(errno)))") }
        var on: Int32 = 1
        setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &on, socklen_t(MemoryLayout<Int32>.size))
    }

    /// Sends what the other side takes.
    func send(_ bytes: [UInt8]) {
        var sent = 0
        while sent < bytes.count {
            let count = bytes.withUnsafeBytes { bytes in
                Self.untilDone { Glibc.send(descriptor, bytes.baseAddress! + sent, bytes.count - sent, Int32(MSG_NOSIGNAL)) }
            }
            guard count > 0 else { return }
            sent += count
        }
    }

    /// The bytes that have come, or that come first; empty where none do in time, or the connection has ended.
    func receive(_ milliseconds: Int32) -> [UInt8] {
        var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        guard Self.untilDone({ Int(poll(&waiting, 1, milliseconds)) }) > 0 else { return [] }
        var piece = [UInt8](repeating: 0, count: 64 * 1024)
        let count = Self.untilDone { recv(descriptor, &piece, piece.count, 0) }
        return count > 0 ? Array(piece.prefix(count)) : []
    }

    /// libFuzzer's alarms interrupt what waits.
    private static func untilDone(_ call: () -> Int) -> Int {
        while true {
            let result = call()
            if result >= 0 || errno != EINTR { return result }
        }
    }

    /// With an RST, so that no port is left waiting.
    func reset() {
        var linger = linger(l_onoff: 1, l_linger: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout.size(ofValue: linger)))
        close(descriptor)
    }
}
