import HTTPTypes
package import SparringJSON
import SparringJournal

/// Calls and sockets of a journal as an HTTP Archive 1.2. The messages of a socket are in `_webSocketMessages` of the call that opened it, as browsers'
/// tools write them.
package struct ArchiveWriter {
    private var entries: [JSON] = []
    /// The place of each open socket's call in ``entries``, and the messages that have come and gone on it.
    private var sockets: [Socket: Int] = [:]
    private var messages: [Int: [JSON]] = [:]
    /// Messages that a fault let come after the next.
    private var held: [Int: [JSON]] = [:]
    /// How the sockets of these calls ended.
    private var ends: [Int: JSON] = [:]
    private var sandbox: RecordedSandbox?
    private let version: String

    /// Numbers are a process's own.
    private struct Socket: Hashable {
        var process: Int64
        var number: Int64
    }

    /// - Parameters:
    ///   - sandbox: in which it was written; nil: the archive does not say.
    ///   - version: Sparring's.
    package init(_ journal: [JSON], of sandbox: RecordedSandbox?, version: String) {
        (self.sandbox, self.version) = (sandbox, version)
        for entry in journal { take(entry) }
    }

    package var json: JSON {
        let entries = entries.enumerated().map { index, entry in
            var entry = entry
            if let messages = messages[index] {
                entry["_resourceType"] = "websocket"
                entry["_webSocketMessages"] = .array(messages)
            }
            if let end = ends[index] { entry["_sparring"]?["end"] = end }
            return entry
        }
        var log: JSON = [
            "version": "1.2", "creator": ["name": "Sparring", "version": .string(version)], "entries": .array(entries),
        ]
        if let sandbox { log["_sparring"] = sandbox.json }
        return ["log": log]
    }

    private mutating func take(_ entry: JSON) {
        let socket = entry["details"]?["socket"]?.integer.map { Socket(process: entry["arrival"]?["process"]?.integer ?? 1, number: $0) }
        switch entry["kind"]?.string {
        case JournalEntry.Kind.exchange.rawValue, JournalEntry.Kind.outbound.rawValue:
            guard let request = RecordedHalf(entry["request"]) else { return }
            if let socket, entry["answer"]?["status"]?.integer == 101 {
                sockets[socket] = entries.count
                messages[entries.count] = []
            }
            entries.append(Self.call(entry, request))
        case JournalEntry.Kind.message.rawValue:
            guard let place = socket.flatMap({ sockets[$0] }) else { return }
            if let request = RecordedHalf(entry["request"]) {
                messages[place]?.append(Self.message("send", request, entry, at: Self.seconds(entry)))
            }
            reply(entry, place)
        case JournalEntry.Kind.notification.rawValue:
            if let place = socket.flatMap({ sockets[$0] }) { reply(entry, place) }
        case JournalEntry.Kind.finding.rawValue:
            if let place = socket.flatMap({ sockets[$0] }) { misunderstood(entry, place) }
        case JournalEntry.Kind.socket.rawValue:
            if let place = socket.flatMap({ sockets[$0] }) { end(entry, place) }
        case JournalEntry.Kind.configuration.rawValue, JournalEntry.Kind.fault.rawValue: act(entry)
        default: return
        }
    }

    /// A message that fits no operation, and what came of it.
    private mutating func misunderstood(_ entry: JSON, _ place: Int) {
        guard let text = entry["details"]?["message"]?.string else { return }
        let isBinary = entry["details"]?["binary"]?.bool ?? false
        let half: JSON = .members([
            "body": isBinary ? nil : .string(text), "bodyHex": isBinary ? .string(Array(text.utf8).hex) : nil,
            "bodySize": entry["details"]?["messageSize"],
        ])
        if let request = RecordedHalf(half) { messages[place]?.append(Self.message("send", request, entry, at: Self.seconds(entry))) }
        reply(entry, place)
    }

    private mutating func end(_ entry: JSON, _ place: Int) {
        if entry["details"]?["by"] != nil {
            ends[place] = .members([
                "time": entry["sandboxTime"], "entry": entry["number"], "by": entry["details"]?["by"], "code": entry["details"]?["code"],
            ])
        }
        guard entry["causedBy"]?["operation"]?.string == RecordedSandbox.Act.endSocket, let ending = entry["details"]?["ending"]?.object
        else { return }
        act(entry, RecordedSandbox.Act.endSocket, ending, on: entries[place]["_sparring"]?["entry"]?.integer(in: 0...Int.max))
    }

    /// Keeps a change, but for the beginning and what a timeline asked for: these come by themselves.
    private mutating func act(_ entry: JSON) {
        var arguments = entry["details"]?.object ?? [:]
        let operation = arguments.removeValue(forKey: JournalEntry.act)?.string
        guard entry["causedBy"] == nil, operation != nil || arguments["scenario"] == nil else { return }
        act(entry, operation, arguments)
    }

    /// - Parameter opened: the number of the entry that opened the socket that it is about.
    private mutating func act(_ entry: JSON, _ operation: String?, _ arguments: JSON.Object, on opened: Int? = nil) {
        // What was done elsewhere had its effects before it was over.
        guard let time = (entry["began"] ?? entry["sandboxTime"])?.string.flatMap({ Timestamp($0) }) else { return }
        var act = RecordedSandbox.Act(
            time: time, entry: entry["number"]?.integer(in: 0...Int.max) ?? 0, operation: operation, arguments: arguments,
            cause: entry["cause"]?.string ?? "")
        act.opened = opened
        sandbox?.acts.append(act)
    }

    /// Keeps a message to the client, if the client got it.
    private mutating func reply(_ entry: JSON, _ place: Int) {
        guard let answer = RecordedHalf(entry["answer"]), answer.json["received"] == nil, answer.size > 0 else { return }
        let message = Self.message("receive", answer, entry, at: Self.seconds(entry, isAnswer: true))
        let effects = Set((entry["effects"]?.array ?? []).compactMap(\.string))
        if effects.contains("reorder") {
            held[place, default: []].append(message)
            return
        }
        messages[place]?.append(message)
        if effects.contains("duplicate") { messages[place]?.append(message) }
        // What a fault held back comes after the next.
        for var late in held.removeValue(forKey: place) ?? [] {
            (late["time"], late["_sparring"]) = (message["time"], message["_sparring"])
            messages[place]?.append(late)
        }
    }

    private static func message(_ type: String, _ half: RecordedHalf, _ entry: JSON, at time: Double) -> JSON {
        let isText = half.text != nil
        return [
            "type": .string(type), "time": .number(time), "opcode": isText ? 1 : 2, "data": .string(half.text ?? half.base64 ?? ""),
            "_sparring": .members([
                "entry": entry["number"],
                "time": type == "send" ? entry["began"] ?? entry["sandboxTime"] : entry["ended"] ?? entry["sandboxTime"],
                "size": half.isWhole ? nil : .integer(Int64(half.size)),
            ]),
        ]
    }

    private static func call(_ entry: JSON, _ request: RecordedHalf) -> JSON {
        let answer = RecordedHalf(entry["answer"])
        let took = milliseconds(entry)
        let scheme = request.json["tls"] == nil ? "http://" : "https://"
        // A URL in the query does not make it an absolute one (RFC 9112 §3.2.1).
        let url = !request.target.hasPrefix("/") ? request.target : scheme + (request.header("Host") ?? "localhost") + request.target
        return [
            "startedDateTime": entry["arrival"]?["wall"] ?? "", "time": .number(took),
            "request": .members([
                "method": request.json["method"] ?? "GET", "url": .string(url), "httpVersion": "HTTP/1.1", "cookies": [],
                "headers": .array(request.headers.map { pair($0.name, $0.value) }),
                "queryString": .array(request.query.map { pair($0.name, $0.value) }), "postData": postData(request), "headersSize": -1,
                "bodySize": .integer(Int64(request.size)),
            ]),
            "response": response(answer), "cache": [:], "timings": ["send": 0, "wait": .number(took), "receive": 0],
            "connection": .string(request.json["connection"]?.integer.map { String($0) } ?? ""),
            "comment": .string(entry["cause"]?.string ?? ""),
            "_sparring": .members([
                "entry": entry["number"], "kind": entry["kind"], "operation": entry["operation"], "lane": entry["lane"],
                "causedBy": entry["causedBy"], "answer": answer?.json["name"], "time": entry["began"] ?? entry["sandboxTime"],
                "ended": entry["ended"] ?? entry["sandboxTime"],
                "delivery": answer?.json["delivery"], "findings": entry["findings"], "faults": entry["faults"],
            ]),
        ]
    }

    private static func postData(_ request: RecordedHalf) -> JSON? {
        guard request.size > 0 else { return nil }
        return .members([
            "mimeType": .string(request.mediaType ?? ""), "params": [], "text": .string(request.text ?? request.base64 ?? ""),
            "encoding": request.text == nil ? "base64" : nil, "comment": request.isWhole ? nil : .string(Archive.Body.beginning),
        ])
    }

    /// Status 0 where no answer came, as browsers write it.
    private static func response(_ answer: RecordedHalf?) -> JSON {
        let isLost = answer?.json["received"]?.string == JournalEntry.Answer.Received.nothing.rawValue
        guard let answer, !isLost, let status = answer.json["status"] else {
            return [
                "status": 0, "statusText": "", "httpVersion": "", "cookies": [], "headers": [],
                "content": ["size": 0, "mimeType": "x-unknown"], "redirectURL": "", "headersSize": -1, "bodySize": -1,
                "_error": "no answer",
            ]
        }
        return [
            "status": status, "statusText": .string(HTTPResponse.Status(code: status.integer(in: 100...599) ?? 500).reasonPhrase),
            "httpVersion": "HTTP/1.1", "cookies": [], "headers": .array(answer.headers.map { pair($0.name, $0.value) }),
            "content": .members([
                "size": .integer(Int64(answer.size)), "mimeType": .string(answer.mediaType ?? "x-unknown"),
                "text": (answer.text ?? answer.base64).map { .string($0) },
                "encoding": answer.text == nil && answer.size > 0 ? "base64" : nil,
                "comment": answer.isWhole ? nil : .string(Archive.Body.beginning),
            ]),
            "redirectURL": .string(answer.header("Location") ?? ""), "headersSize": -1, "bodySize": .integer(Int64(answer.size)),
        ]
    }

    private static func pair(_ name: String, _ value: String) -> JSON { ["name": .string(name), "value": .string(value)] }

    private static func milliseconds(_ entry: JSON) -> Double {
        guard let begin = entry["arrival"]?["monotonic"]?.integer, let end = entry["arrival"]?["answered"]?.integer, end > begin else {
            return 0
        }
        return (Double(end - begin) / 1000).rounded() / 1000
    }

    /// Since 1970, as the messages' times are written.
    private static func seconds(_ entry: JSON, isAnswer: Bool = false) -> Double {
        let wall = entry["arrival"]?["wall"]?.string.flatMap(Timestamp.init)?.milliseconds ?? 0
        return (Double(wall) + (isAnswer ? milliseconds(entry) : 0)) / 1000
    }
}
