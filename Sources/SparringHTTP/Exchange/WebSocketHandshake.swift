import Crypto
import Foundation
import HTTPTypes

/// The opening handshake, RFC 6455 §4.2.
package enum WebSocketHandshake {
    /// Nil for a sound handshake, else the answer to give.
    package static func refusal(of head: RequestHead) -> Response? {
        guard head.method == .get else {
            return answer(405, "A WebSocket is opened with GET (RFC 6455 §4.1).", [.allow: "GET"])
        }
        guard head.version == "HTTP/1.1" else { return answer(400, "A WebSocket is opened with HTTP/1.1 (RFC 6455 §4.1).") }
        let upgrades = tokens(head.headers[values: .upgrade])
        guard !upgrades.isEmpty else {
            return answer(426, "This is a WebSocket; there is no Upgrade (RFC 6455 §4.2.1).", wanted)
        }
        guard upgrades.contains("websocket") else {
            return answer(400, "Upgrade does not name websocket (RFC 6455 §4.2.1).", wanted)
        }
        guard tokens(head.headers[values: .connection]).contains("upgrade") else {
            return answer(400, "Connection does not name Upgrade (RFC 6455 §4.2.1).")
        }
        let versions = head.headers[values: .secWebSocketVersion]
        guard versions.count == 1 else { return answer(400, "There must be one Sec-WebSocket-Version (RFC 6455 §4.2.1).") }
        guard versions[0] == "13" else {
            return answer(426, "Sec-WebSocket-Version is not 13 (RFC 6455 §4.4).", wanted)
        }
        let keys = head.headers[values: .secWebSocketKey]
        guard keys.count == 1, isKey(keys[0]) else {
            return answer(400, "There must be one Sec-WebSocket-Key, 16 bytes in base64 (RFC 6455 §4.2.1).")
        }
        return nil
    }

    /// Says which protocol is spoken here.
    private static let wanted: HTTPFields = [.upgrade: "websocket", .secWebSocketVersion: "13"]

    /// `Sec-WebSocket-Accept` for a `Sec-WebSocket-Key` (RFC 6455 §4.2.2).
    package static func accept(_ key: String) -> String {
        let hash = Insecure.SHA1.hash(data: Data((key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").utf8))
        return Data(hash).base64EncodedString()
    }

    private static func isKey(_ key: String) -> Bool { key.utf8.count == 24 && Data(base64Encoded: key)?.count == 16 }

    /// The members of a comma-separated list, in lower case.
    private static func tokens(_ values: [String]) -> [String] {
        values.flatMap { $0.split(separator: ",") }.map { $0.trimmingCharacters(in: .whitespaces).lowercased() }.filter { !$0.isEmpty }
    }

    private static func answer(_ status: Int, _ sentence: String, _ fields: HTTPFields = [:]) -> Response {
        var fields = fields
        fields[.contentType] = "text/plain; charset=utf-8"
        return Response(status: status, headers: fields, body: .bytes(Array((sentence + "\n").utf8)))
    }
}
