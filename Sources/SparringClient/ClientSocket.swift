package import HTTPTypes
import SparringHTTP
import SparringJSON
import SparringLocks

/// A WebSocket that is opened at another server (RFC 6455).
package final class ClientSocket: Sendable {
    package enum Event: Sendable {
        /// Valid UTF-8.
        case text([UInt8])
        case binary([UInt8])
        /// The last event. A close frame came; the code is nil where it holds none (RFC 6455 §5.5.1).
        case closed(code: Int?, reason: String)
        /// The last event. The connection ended without a close frame, for this reason if one is known.
        case ended(String?)
    }

    /// The result of the opening handshake.
    package enum Opening: Sendable {
        case open(ClientSocket, HTTPFields)
        /// Another answer than 101.
        case refused(status: Int, HTTPFields, [UInt8])
    }

    private enum Step: Sendable {
        case opening(AnswerReader, CheckedContinuation<Result<Opening, CallFailure>, Never>)
        case open(WebSocketReader)
        case over
    }

    private let step: Mutex<Step>
    private let connection = Mutex<ClientConnection?>(nil)
    private let key: String
    private let handler: @Sendable (Event) -> Void

    /// Bytes of the longest message.
    private static let messageLimit = 64 << 20

    private init(_ key: String, _ step: Step, _ handler: @escaping @Sendable (Event) -> Void) {
        self.key = key
        self.step = Mutex(step)
        self.handler = handler
    }

    /// Opens one.
    ///
    /// - Parameters:
    ///   - url: `http`, `https`, `ws` or `wss`.
    ///   - headers: further fields of the request.
    ///   - limit: until the handshake is over.
    ///   - handler: called on a thread of the socket's own.
    package static func open(
        _ url: String, headers: HTTPFields, tls: ClientTLS?, isProxied: Bool, within limit: Duration = .seconds(10),
        _ handler: @escaping @Sendable (Event) -> Void
    ) async throws(CallFailure) -> Opening {
        guard let parts = URIParts(url), ["http", "https", "ws", "wss"].contains(parts.scheme.lowercased()) else {
            throw CallFailure(.url, "'\(url)' is no URL of a WebSocket")
        }
        let key = Base64.encode((0..<16).map { _ in UInt8.random(in: .min ... .max) })
        let isSecure = ["https", "wss"].contains(parts.scheme.lowercased())
        let socket = ClientSocket(key, .over, handler)
        let connection = try await ClientConnection.open(
            "\(isSecure ? "https" : "http")://\(parts.authority)/", tls: tls, isProxied: isProxied, within: limit
        ) { socket.take($1, from: $0) }
        socket.connection.withLock { $0 = connection }
        let timer = Task {
            try await Task.sleep(for: limit)
            socket.end(CallFailure(.timedOut, "no answer in time"))
        }
        defer { timer.cancel() }
        let result: Result<Opening, CallFailure> = await withCheckedContinuation { continuation in
            socket.step.withLock { $0 = .opening(AnswerReader(), continuation) }
            connection.send(Array(Self.head(parts, key, headers).utf8))
        }
        return try result.get()
    }

    private static func head(_ parts: URIParts, _ key: String, _ headers: HTTPFields) -> String {
        let target = parts.rest.prefix { $0 != "#" }
        var lines = ["GET \(target.hasPrefix("/") ? "" : "/")\(target) HTTP/1.1"]
        if headers[HTTPField.Name("Host")!] == nil { lines.append("Host: \(parts.authority)") }
        lines += ["Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Version: 13", "Sec-WebSocket-Key: \(key)"]
        for field in headers where !ofHandshake.contains(field.name) { lines.append("\(field.name.rawName): \(field.value)") }
        return lines.joined(separator: "\r\n") + "\r\n\r\n"
    }

    /// No extension is spoken here (RFC 6455 §9).
    private static let ofHandshake: Set<HTTPField.Name> = [
        .upgrade, .connection, .secWebSocketVersion, .secWebSocketKey, .secWebSocketExtensions, .contentLength, .transferEncoding,
    ]

    // MARK: Sending

    package func send(text: [UInt8]) { send(.text, text) }
    package func send(binary: [UInt8]) { send(.binary, binary) }

    /// - Parameter code: nil: the close frame has none.
    package func close(_ code: Int?, reason: String = "") {
        let payload =
            code.map { [UInt8(truncatingIfNeeded: $0 >> 8), UInt8(truncatingIfNeeded: $0)] + Array(reason.utf8.prefix(123)) } ?? []
        send(.close, payload)
        connection.withLock(\.self)?.close()
    }

    /// Ends TCP without a close frame.
    package func abort() { connection.withLock(\.self)?.close() }

    private func send(_ opcode: WebSocketOpcode, _ payload: [UInt8]) {
        var bytes: [UInt8] = []
        opcode.appendFrame(of: payload, to: &bytes, mask: .random(in: .min ... .max))
        connection.withLock(\.self)?.send(bytes)
    }

    // MARK: The connection's thread

    private func take(_ event: ClientConnection.Event, from connection: ClientConnection) {
        switch event {
        case .received(let bytes): take(bytes)
        case .ended(let failure): end(failure)
        }
    }

    private func take(_ bytes: [UInt8]) {
        let step = step.withLock { step in
            defer { step = .over }
            return step
        }
        switch step {
        case .opening(var reader, let continuation):
            reader.take(bytes)
            guard let answer = reader.answer else { return keep(.opening(reader, continuation)) }
            guard answer.status == 101 else {
                continuation.resume(returning: .success(.refused(status: answer.status, answer.headers, answer.body)))
                return abort()
            }
            guard answer.headers[.secWebSocketAccept] == WebSocketHandshake.accept(key) else {
                continuation.resume(returning: .failure(CallFailure(.other(0), "its Sec-WebSocket-Accept is wrong (RFC 6455 §4.1)")))
                return abort()
            }
            keep(.open(WebSocketReader(messageLimit: Self.messageLimit, isOfServer: true)))
            continuation.resume(returning: .success(.open(self, answer.headers)))
            if !reader.rest.isEmpty { take(reader.rest) }
        case .open(var reader):
            if read(bytes, by: &reader) { keep(.open(reader)) }
        case .over: return
        }
    }

    private func keep(_ step: Step) { self.step.withLock { $0 = step } }

    /// - Returns: whether more may come.
    private func read(_ bytes: [UInt8], by reader: inout WebSocketReader) -> Bool {
        bytes.withUnsafeBytes { bytes in
            var bytes = bytes
            while true {
                let received: WebSocketReader.Received?
                do throws(WebSocketViolation) { received = try reader.next(&bytes) } catch {
                    handler(.ended(error.words))
                    close(Int(error.code))
                    return false
                }
                switch received {
                case nil: return true
                case .text(let text): handler(.text(text))
                case .binary(let bytes): handler(.binary(bytes))
                case .ping(let payload): send(.pong, payload)
                case .pong: break
                case .close(let payload):
                    let code = payload.count >= 2 ? Int(payload[0]) << 8 | Int(payload[1]) : nil
                    close(code)
                    handler(.closed(code: code, reason: String(decoding: payload.dropFirst(2), as: UTF8.self)))
                    return false
                }
            }
        }
    }

    private func end(_ failure: CallFailure?) {
        let step = step.withLock { step in
            defer { step = .over }
            return step
        }
        switch step {
        case .opening(var reader, let continuation):
            reader.end()
            if failure == nil, let answer = reader.answer {
                return continuation.resume(returning: .success(.refused(status: answer.status, answer.headers, answer.body)))
            }
            continuation.resume(returning: .failure(failure ?? CallFailure(.closed, "the connection was closed before an answer came")))
            abort()
        case .open: handler(.ended(failure?.description))
        case .over: return
        }
    }
}
