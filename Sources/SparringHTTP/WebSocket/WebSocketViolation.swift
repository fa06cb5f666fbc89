/// A breach of RFC 6455 by a peer, with the close code for it (§7.4.1).
package struct WebSocketViolation: Error, Equatable {
    package let code: UInt16
    package let words: String

    /// 1002.
    static func protocolError(_ words: String) -> WebSocketViolation { WebSocketViolation(code: 1002, words: words) }
    /// 1007.
    static func invalidUTF8(_ words: String) -> WebSocketViolation { WebSocketViolation(code: 1007, words: words) }
    /// 1009.
    static func tooBig(limit: Int) -> WebSocketViolation {
        WebSocketViolation(code: 1009, words: "the message is longer than \(limit) bytes")
    }
}
