import Foundation
import SparringJSON
import SparringLocks

/// A server of somebody else's, bare POSIX sockets, whose answers a test scripts: the brand's token endpoint or its JWKS endpoint.
final class ScriptedServer: Sendable {
    enum Script: Sendable {
        case answer(Int, type: String = "application/json", String)
        /// Head and half a body, then the end.
        case half
        /// Head and half a body; the rest never comes.
        case stall
        /// Takes the request and never answers.
        case silence
        /// Closes the connection without an answer.
        case hangUp
        case bytes(String)

        /// How long LivePerson is to wait: not long for what never comes, long enough for what does on a busy machine.
        var patience: JSON {
            switch self {
            case .silence, .stall: "300ms"
            default: "20s"
            }
        }
    }

    struct Request: Sendable {
        var line: String
        /// Names in lower case.
        var headers: [String: String]
        var body: String
    }

    let port: Int
    private let listener: Int32
    private let script: @Sendable (Request) -> Script
    private let state = Mutex((requests: [Request](), open: [Int32]()))

    var requests: [Request] { state.withLock { $0.requests } }
    func url(_ path: String) -> String { "http://127.0.0.1:\(port)\(path)" }

    /// Runs `body` beside a server on a free port.
    static func run<Value>(_ script: @escaping @Sendable (Request) -> Script, _ body: (ScriptedServer) async throws -> Value) async throws
        -> Value
    {
        let server = try ScriptedServer(script)
        defer { server.stop() }
        return try await body(server)
    }

    /// Runs `body` with a URL at whose port nobody listens, nor can begin to meanwhile: it is taken.
    static func runClosed<Value>(_ body: (String) async throws -> Value) async throws -> Value {
        let (descriptor, port) = try bound()
        defer { close(descriptor) }
        return try await body("http://127.0.0.1:\(port)/nobody")
    }

    private init(_ script: @escaping @Sendable (Request) -> Script) throws {
        self.script = script
        (listener, port) = try Self.bound()
        guard listen(listener, 64) == 0 else { throw POSIXError(.EIO) }
        Thread.detachNewThread { [self] in
            while true {
                let connection = accept(listener, nil, nil)
                guard connection >= 0 else { break }
                Thread.detachNewThread { self.serve(connection) }
            }
            // Not before: the number would be somebody else's by the time it is accepted on.
            close(listener)
        }
    }

    private func stop() {
        shutdown(listener, Int32(SHUT_RDWR))
        for descriptor in state.withLock({ $0.open }) { close(descriptor) }
    }

    private static func bound() throws -> (Int32, Int) {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let result = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                bind(descriptor, address, length) == 0 ? getsockname(descriptor, address, &length) : -1
            }
        }
        guard descriptor >= 0, result == 0 else { throw POSIXError(.EADDRNOTAVAIL) }
        return (descriptor, Int(UInt16(bigEndian: address.sin_port)))
    }

    private func serve(_ connection: Int32) {
        guard let request = Self.read(connection) else {
            close(connection)
            return
        }
        state.withLock { $0.requests.append(request) }
        switch script(request) {
        case .answer(let status, let type, let body):
            send(
                "HTTP/1.1 \(status) Scripted\r\nContent-Type: \(type)\r\nContent-Length: \(body.utf8.count)\r\nConnection: close\r\n\r\n\(body)",
                connection)
            close(connection)
        case .half:
            send(Self.half, connection)
            close(connection)
        case .stall:
            send(Self.half, connection)
            state.withLock { $0.open.append(connection) }
        case .silence: state.withLock { $0.open.append(connection) }
        case .hangUp: close(connection)
        case .bytes(let text):
            send(text, connection)
            close(connection)
        }
    }

    private static let half = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{\"id_token\":"

    private func send(_ text: String, _ connection: Int32) {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.send(connection, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            guard count > 0 else { return }
            rest = rest.dropFirst(count)
        }
    }

    private static func read(_ connection: Int32) -> Request? {
        var bytes: [UInt8] = []
        while true {
            if let request = parse(bytes) { return request }
            var buffer = [UInt8](repeating: 0, count: 16_384)
            let count = recv(connection, &buffer, buffer.count, 0)
            guard count > 0 else { return nil }
            bytes += buffer.prefix(count)
        }
    }

    /// Nil as long as something is missing.
    private static func parse(_ bytes: [UInt8]) -> Request? {
        let text = String(decoding: bytes, as: UTF8.self)
        guard let end = text.range(of: "\r\n\r\n") else { return nil }
        let lines = text[..<end.lowerBound].components(separatedBy: "\r\n")
        var headers: [String: String] = [:]
        for line in lines.dropFirst() {
            guard let colon = line.firstIndex(of: ":") else { continue }
            headers[line[..<colon].lowercased()] = line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)
        }
        let body = String(text[end.upperBound...])
        guard body.utf8.count >= Int(headers["content-length"] ?? "0") ?? 0 else { return nil }
        return Request(line: lines[0], headers: headers, body: body)
    }
}
