import SparringHTTP
import SparringLocks

/// Sends each message back, or does what a text beginning with `!` says, and notes how it was called.
final class EchoSocket: WebSocketHandler {
    private let notes: ScriptedHandler

    init(notes: ScriptedHandler) { self.notes = notes }

    func received(text: [UInt8], on socket: any WebSocketWire) {
        guard text.first == UInt8(ascii: "!") else { return socket.send(text: text) }
        let words = String(decoding: text, as: UTF8.self).split(separator: " ", maxSplits: 2).map(String.init)
        switch words[0] {
        case "!close": socket.close(UInt16(words[1])!, words.count > 2 ? words[2] : "")
        case "!abort": socket.abort()
        case "!reset": socket.reset()
        case "!freeze":
            socket.freeze()
            notes.note("frozen")
        case "!pause":
            socket.setReading(false)
            notes.note("paused")
        // As many bytes, of as many messages.
        case "!flood": for _ in 0..<Int(words[2])! { socket.send(binary: [UInt8](repeating: 7, count: Int(words[1])!)) }
        case "!unsent": socket.send(text: Array("\(socket.unsent)".utf8))
        default: notes.note("unknown: \(words)")
        }
    }

    func received(binary: [UInt8], on socket: any WebSocketWire) { socket.send(binary: binary) }

    func receivedControl(on socket: any WebSocketWire) { notes.note("control") }

    func closed(_ end: WebSocketEnd, on socket: any WebSocketWire) {
        let code = end.code.map { "\($0)" } ?? "-"
        notes.note("closed by \(end.by): \(code) \(end.reason)\(end.isClean ? " (clean)" : "")")
    }
}

extension ScriptedHandler {
    /// Upgrades whatever comes.
    static func echoing(_ limits: WebSocketLimits = .patient, onOpen: @escaping @Sendable (any WebSocketWire) -> Void = { _ in })
        -> ScriptedHandler
    {
        ScriptedHandler { handler, exchange in
            exchange.deliver(
                .upgrade(
                    WebSocketUpgrade(
                        limits: limits,
                        opened: { socket in
                            handler.note("opened")
                            onOpen(socket)
                            return EchoSocket(notes: handler)
                        }, failed: { handler.note("failed: \($0)") })))
        }
    }

    func waits(forNotes count: Int, where isMeant: @escaping @Sendable (String) -> Bool) async -> Bool {
        await waits { $0.count { if case .noted(let note) = $0 { isMeant(note) } else { false } } >= count }
    }
}

extension WebSocketLimits {
    /// Gives clients five minutes to answer a close frame: a busy machine answers late, and that is not what most tests are about.
    static let patient: WebSocketLimits = {
        var limits = WebSocketLimits()
        limits.closing = .seconds(300)
        return limits
    }()
}
