/// The payload of a close frame (RFC 6455 §5.5.1).
struct WebSocketClosing: Equatable {
    /// Nil: the frame is empty.
    var code: UInt16?
    var reason: String
}

extension WebSocketClosing {
    /// A client's.
    init(_ payload: [UInt8]) throws(WebSocketViolation) {
        guard !payload.isEmpty else {
            self.init(code: nil, reason: "")
            return
        }
        guard payload.count >= 2 else { throw .protocolError("the close frame has half a code (RFC 6455 §5.5.1)") }
        let code = UInt16(payload[0]) << 8 | UInt16(payload[1])
        guard Self.mayBeSent(code) else { throw .protocolError("close code \(code) must not be sent (RFC 6455 §7.4)") }
        guard let reason = String(validating: payload[2...], as: UTF8.self) else {
            throw .invalidUTF8("the close frame's reason is not UTF-8 (RFC 6455 §5.5.1)")
        }
        self.init(code: code, reason: reason)
    }

    /// How a socket ends that we close with this.
    func end(isClean: Bool = false) -> WebSocketEnd { WebSocketEnd(by: .server, code: code ?? 1005, reason: reason, isClean: isClean) }

    /// The payload as it is sent, the reason cut at a character so that the frame is no longer than a control frame may be.
    var payload: [UInt8] {
        guard let code else { return [] }
        var bytes = [UInt8(code >> 8), UInt8(code & 0xFF)]
        for character in reason.unicodeScalars {
            let next = Array(String(character).utf8)
            if bytes.count + next.count > 125 { break }
            bytes += next
        }
        return bytes
    }

    /// RFC 6455 §7.4 and the registry of §11.7: 1004 and 1015 are reserved, 1005 and 1006 are for the sight of the application alone.
    static func mayBeSent(_ code: UInt16) -> Bool {
        switch code {
        case 1000...1003, 1007...1014, 3000...4999: true
        default: false
        }
    }
}
