import HTTPTypes
package import SparringJSON
import SparringJournal

/// An HTTP Archive (HAR 1.2) as browsers, proxies and Sparring write it, with the messages of sockets in `_webSocketMessages`.
package struct Archive: Sendable {
    /// A call, and what came of it.
    package struct Call: Sendable {
        /// Counted from 0, of the archive's `entries`.
        var index: Int
        var started: Timestamp
        /// Milliseconds.
        var took: Double
        var method: HTTPRequest.Method
        /// `http`, `https`, `ws` or `wss`.
        var scheme: String
        /// Host and perhaps port.
        var authority: String
        /// Path and query.
        var target: String
        var headers: HTTPFields
        var body: Body
        /// Nil where none came.
        var status: Int?
        var answerHeaders: HTTPFields
        var answerBody: Body
        /// Nil if the archive is not one of Sparring's.
        var own: Own?
        /// Nil where it is no socket.
        var messages: [Message]?
    }

    /// Further facts about a call, from an archive of Sparring's.
    package struct Own: Sendable {
        /// A call that Sparring made to somebody else's server.
        var isOutbound: Bool
        /// Sparring made it itself, on behalf of a call of the client's.
        var isCaused: Bool
        /// The number of its entry in the journal.
        var entry: Int
        /// Times of the sandbox's clock.
        var time, ended: Timestamp?
        /// How its socket ended.
        var end: (time: Timestamp, entry: Int, isByClient: Bool, code: Int?)?
    }

    package struct Body: Sendable {
        var bytes: [UInt8] = []
        /// The archive has all of it. Browsers leave bodies out that they no longer have, and Sparring keeps only the beginning of long ones.
        var isKnown = true

        /// Sparring's comment on a body of which its archive has only the beginning.
        static let beginning = "only the beginning was kept"
    }

    /// A message on a socket.
    package struct Message: Sendable {
        var isSent: Bool
        var time: Timestamp
        var isBinary: Bool
        var bytes: [UInt8]
        /// The archive has all of it.
        var isWhole = true
        /// The sandbox's time and the number of its entry; nil if the archive is not one of Sparring's.
        var own: (time: Timestamp, entry: Int)?
    }

    /// In the order in which they began.
    package private(set) var calls: [Call] = []
    /// The sandbox of the recording, if Sparring made it.
    package private(set) var sandbox: RecordedSandbox?

    init(_ calls: [Call], in sandbox: RecordedSandbox) { (self.calls, self.sandbox) = (calls, sandbox) }

    /// - Throws: ``ConfigurationError`` with the place of what is missing or of another type.
    package init(_ json: JSON) throws(ConfigurationError) {
        let pointer = JSONPointer(tokens: ["log", "entries"])
        guard let entries = json["log"]?["entries"]?.array else {
            throw ConfigurationError(pointer, "expected a list: an HTTP Archive has `log` with `entries`")
        }
        for (index, entry) in entries.enumerated() {
            calls.append(try Self.call(entry, index, pointer.appending(String(index))))
        }
        if let own = json["log"]?["_sparring"] { sandbox = try RecordedSandbox(own, at: JSONPointer(tokens: ["log", "_sparring"])) }
        calls.sort { ($0.started, $0.index) < ($1.started, $1.index) }
    }

    private static func call(_ entry: JSON, _ index: Int, _ pointer: JSONPointer) throws(ConfigurationError) -> Call {
        let (request, response) = (entry["request"] ?? .null, entry["response"] ?? .null)
        guard let url = request["url"]?.string, let parts = URIParts(url), ["http", "https", "ws", "wss"].contains(parts.scheme) else {
            throw ConfigurationError(pointer.appending("request").appending("url"), "expected the URL that was called")
        }
        guard let method = request["method"]?.string.flatMap({ HTTPRequest.Method($0) }) else {
            throw ConfigurationError(pointer.appending("request").appending("method"), "expected a method, such as GET")
        }
        guard let text = entry["startedDateTime"]?.string, let started = Timestamp(text) else {
            throw ConfigurationError(pointer.appending("startedDateTime"), "expected a time, such as 2026-01-31T12:00:00.000Z")
        }
        if let status = response["status"], status.double == nil, !status.isNull {
            throw ConfigurationError(
                pointer.appending("response").appending("status"),
                "\(status.quoted) is not a status, such as 200, or 0 where no answer came")
        }
        let path = parts.rest.prefix { $0 != "#" }
        let messages = try self.messages(entry["_webSocketMessages"], pointer.appending("_webSocketMessages"))
        return Call(
            index: index, started: started, took: entry["time"]?.double ?? 0, method: method, scheme: String(parts.scheme),
            authority: String(parts.authority), target: path.hasPrefix("/") ? String(path) : "/" + path,
            headers: fields(request["headers"]), body: posted(request), status: response["status"]?.integer(in: 100...599),
            answerHeaders: fields(response["headers"]), answerBody: content(response["content"] ?? .null),
            own: entry["_sparring"].map { own($0) }, messages: messages)
    }

    private static func own(_ json: JSON) -> Own {
        func time(_ json: JSON?) -> Timestamp? { json?.string.flatMap { Timestamp($0) } }
        func number(_ json: JSON?) -> Int { json?.integer(in: 0...Int.max) ?? 0 }
        let end = json["end"]
        return Own(
            isOutbound: json["kind"]?.string == JournalEntry.Kind.outbound.rawValue, isCaused: json["causedBy"] != nil,
            entry: number(json["entry"]), time: time(json["time"]), ended: time(json["ended"]),
            end: time(end?["time"]).map { ($0, number(end?["entry"]), end?["by"] == "client", end?["code"]?.integer(in: 0...65535)) })
    }

    /// Without HTTP/2's pseudo-header fields (RFC 9113 §8.3), which are no fields.
    private static func fields(_ json: JSON?) -> HTTPFields {
        var fields = HTTPFields()
        for field in json?.array ?? [] {
            guard let name = field["name"]?.string.flatMap({ HTTPField.Name($0) }), let value = field["value"]?.string else { continue }
            fields.append(HTTPField(name: name, value: value))
        }
        return fields
    }

    private static func posted(_ request: JSON) -> Body {
        guard let data = request["postData"] else {
            return Body(isKnown: (request["bodySize"]?.integer ?? 0) <= 0)
        }
        if let text = data["text"]?.string, !text.isEmpty { return body(text, data) }
        // Some write a form's fields only.
        let fields = (data["params"]?.array ?? []).compactMap { field in
            field["name"]?.string.map { "\($0)=\(field["value"]?.string ?? "")" }
        }
        let isForm = data["mimeType"]?.string?.hasPrefix("application/x-www-form-urlencoded") ?? false
        return fields.isEmpty || isForm
            ? Body(bytes: Array(fields.joined(separator: "&").utf8), isKnown: isForm || fields.isEmpty) : Body(isKnown: false)
    }

    private static func content(_ content: JSON) -> Body {
        guard let text = content["text"]?.string else { return Body(isKnown: (content["size"]?.integer ?? 0) <= 0) }
        return body(text, content)
    }

    private static func body(_ text: String, _ json: JSON) -> Body {
        let bytes = json["encoding"] == "base64" ? Base64.decode(text) ?? Array(text.utf8) : Array(text.utf8)
        return Body(bytes: bytes, isKnown: json["comment"]?.string != Body.beginning)
    }

    private static func messages(_ json: JSON?, _ pointer: JSONPointer) throws(ConfigurationError) -> [Message]? {
        guard let json else { return nil }
        guard let items = json.array else { throw ConfigurationError(pointer, "expected the list of a socket's messages") }
        var messages: [Message] = []
        for (index, item) in items.enumerated() {
            let place = pointer.appending(String(index))
            guard let type = item["type"]?.string, ["send", "receive"].contains(type) else {
                throw ConfigurationError(place.appending("type"), "expected 'send' or 'receive'")
            }
            guard let data = item["data"]?.string else { throw ConfigurationError(place.appending("data"), "expected what was sent") }
            let opcode = item["opcode"]?.integer ?? 1
            // Some tools write control frames as well: pings, pongs and closes (RFC 6455 §5.5).
            guard opcode < 8 else { continue }
            let isBinary = opcode == 2
            // Chrome writes seconds since 1970, Playwright milliseconds.
            let time = item["time"]?.double ?? 0
            let milliseconds = time > 1e11 ? time : time * 1000
            messages.append(
                Message(
                    isSent: type == "send", time: Timestamp(milliseconds: Int64(clamped: milliseconds)), isBinary: isBinary,
                    bytes: isBinary ? Base64.decode(data) ?? Array(data.utf8) : Array(data.utf8),
                    isWhole: item["_sparring"]?["size"] == nil,
                    own: item["_sparring"]?["time"]?.string.flatMap { Timestamp($0) }.map {
                        ($0, item["_sparring"]?["entry"]?.integer(in: 0...Int.max) ?? 0)
                    }))
        }
        return messages
    }
}
