import Foundation
import SparringAdmin
import HTTPTypes
import SparringEngine
import SparringJSON
import SparringSandbox
import Support

/// Plays the clients of a transcript, and writes down what comes back.
final class TranscriptPlayer {
    private let server: TestServer
    /// The server that acts are performed on: the vendor behind a server that passes calls on.
    private let hand: TestServer
    private var names: TranscriptNames
    /// In the order of opening.
    private var sockets: [(name: String, socket: any TestSocket)] = []
    /// Whether what comes on sockets is read until nothing is under way any more; else as much as was recorded.
    private let isRecording: Bool

    init(_ server: TestServer, hand: TestServer? = nil, isRecording: Bool) {
        self.server = server
        self.hand = hand ?? server
        self.isRecording = isRecording
        names = TranscriptNames(host: "127.0.0.1:\(server.addresses.port)")
    }

    /// The transcript's text as it is now.
    func play(_ transcript: Transcript) async throws -> String {
        var lines: [String] = []
        for part in transcript.parts {
            switch part {
            case .text(let line): lines.append(line)
            case .step(let step):
                let mark = step.actor == "*" ? "*" : step.actor == ">" ? ">" : "\(step.actor)>"
                lines += step.client.map { $0.isEmpty ? mark : "\(mark) \($0)" }
                lines += try await take(step)
            }
        }
        if !isRecording {
            for (name, socket) in sockets {
                for event in try await socket.unread() { lines += written(event, on: name) }
            }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private func take(_ step: Transcript.Step) async throws -> [String] {
        var lines: [String] = []
        switch step.actor {
        case ">", "*": lines = try await call(step)
        default: lines = try await use(step.actor, step)
        }
        // What arrives together is listed by socket, in the order of their opening.
        var arrived: [(String, SocketClient.Event)] = []
        for (name, socket) in sockets {
            if isRecording {
                arrived += try await socket.unread().map { (name, $0) }
            } else {
                let told = lines.count { $0.hasPrefix("\(name)< 101") }
                for _ in 0..<max(0, step.count(on: name) - told) {
                    arrived.append((name, try await socket.next()))
                }
            }
        }
        for (name, event) in arrived {
            lines += written(event, on: name)
            if Self.isEnd(event) { sockets.removeAll { $0.name == name } }
        }
        return lines
    }

    private static func isEnd(_ event: SocketClient.Event) -> Bool {
        switch event {
        case .closed, .ended: true
        case .message, .text, .pong: false
        }
    }

    private struct NoSocket: Error {
        var name: String
    }

    // MARK: HTTP

    /// Fields of an answer that are shown.
    private static let shown = ["Location", "Retry-After", "WWW-Authenticate", "Set-Cookie"]

    private func call(_ step: Transcript.Step) async throws -> [String] {
        let request = step.request()
        let body = names.resolve(request.body)
        var headers = HTTPFields()
        for (name, value) in request.headers { headers[HTTPField.Name(name)!] = names.resolve(value) }
        if headers[.contentType] == nil, body.hasPrefix("{") || body.hasPrefix("[") { headers[.contentType] = "application/json" }
        let target = step.actor == "*" ? "/__admin/sandboxes/default/\(request.target)" : request.target
        // What is due at once may still be under way.
        if step.actor == "*", request.target.hasPrefix("journal?kind=due") { try await hand.admin(.post, "clock/advance", ["by": "0s"]) }
        let answer = try await (step.actor == "*" ? hand : server).send(
            HTTPRequest.Method(request.method)!, names.resolve(target), headers: headers, body: Array(body.utf8))
        var lines = ["< \(answer.status)"]
        for name in Self.shown {
            guard let value = answer.headers[HTTPField.Name(name)!] else { continue }
            names.learn(value)
            lines.append("< \(name): \(names.name(value))")
        }
        // Of a setting all that matters is that it was taken.
        let isSetting = step.actor == "*" && ["tenants", "faults", "clock"].contains { request.target.hasPrefix($0) }
        if isSetting, answer.status < 300 { return lines }
        if step.actor == "*", request.target.hasPrefix("journal") { return lines + entries(answer) }
        return lines + written(answer)
    }

    /// The journal's entries, without the parts that differ from run to run.
    private func entries(_ answer: TestAnswer) -> [String] {
        (answer.json?["entries"]?.array ?? []).flatMap { entry in
            let findings = (entry["findings"]?.array ?? []).map { "finding \($0["code"]?.string ?? ""): \($0["words"]?.string ?? "")" }
            return ([entry["cause"]?.string ?? ""] + findings).flatMap { written($0, "<") }
        }
    }

    private func written(_ answer: TestAnswer) -> [String] {
        guard !answer.body.isEmpty else { return [] }
        let text: String
        if let json = answer.json {
            text = Self.readable(json)
        } else if let plain = String(validating: answer.body, as: UTF8.self) {
            text = plain
        } else {
            text = "(\(answer.body.count) bytes)"
        }
        return written(text, "<")
    }

    private func written(_ text: String, _ mark: String) -> [String] {
        names.learn(text)
        return names.name(text).split(separator: "\n", omittingEmptySubsequences: false).map { "\(mark) \($0)" }
    }

    /// Writes a short value on one line, and a long one with a line for each member or element.
    private static func readable(_ json: JSON, indentation: String = "") -> String {
        guard json.text.count + indentation.count > 120 else { return json.text }
        let inner = indentation + "  "
        if let members = json.object {
            let lines = members.map { "\(inner)\(JSON.string($0.key).text): \(readable($0.value, indentation: inner))" }
            return "{\n\(lines.joined(separator: ",\n"))\n\(indentation)}"
        }
        if let elements = json.array {
            let lines = elements.map { inner + readable($0, indentation: inner) }
            return "[\n\(lines.joined(separator: ",\n"))\n\(indentation)]"
        }
        return json.text
    }

    // MARK: Sockets

    private func use(_ name: String, _ step: Transcript.Step) async throws -> [String] {
        if step.client[0].hasPrefix("GET ") {
            let request = step.request()
            do {
                let socket = try await server.open(
                    names.resolve(request.target), headers: request.headers.map { ($0.0, names.resolve($0.1)) })
                sockets.removeAll { $0.name == name }
                sockets.append((name, socket))
                return ["\(name)< 101"]
            } catch let refused as SocketRefused {
                return ["\(name)< \(refused.status)"] + written(String(decoding: refused.body, as: UTF8.self), "\(name)<")
            }
        }
        guard let socket = sockets.first(where: { $0.name == name })?.socket else {
            throw NoSocket(name: name)
        }
        if step.client[0].hasPrefix("close") {
            // What follows finds it closed.
            let before = try await server.journal("?kind=socket").count
            socket.close(Int(step.client[0].dropFirst(6)) ?? 1000)
            sockets.removeAll { $0.name == name }
            try await server.admin(.get, "journal/wait?kind=socket&count=\(before + 1)&timeout=60s")
            return []
        }
        let message = try JSON(parsing: names.resolve(step.client.joined(separator: "\n")))
        socket.sendText(message.text)
        guard isRecording else { return [] }
        if message == ["action": "heartbeat"] { return written(try await socket.next(), on: name) }
        let channel = message["channel"]?.string  // Bayeux
        guard let id = (message["id"] ?? message["eventId"])?.string ?? channel else { return [] }
        // Its response first: the pong of a later ping may overtake it.
        var lines: [String] = []
        while true {
            let event = try await socket.next()
            lines += written(event, on: name)
            guard case .message(let answer) = event else {
                sockets.removeAll { $0.name == name }
                return lines
            }
            if (answer["reqId"] ?? answer["eventId"] ?? answer.array?.first?["channel"])?.string == id { return lines }
        }
    }

    private func written(_ event: SocketClient.Event, on name: String) -> [String] {
        switch event {
        case .message(let message): return written(Self.readable(message), "\(name)<")
        case .closed(let code, let reason):
            return ["\(name)< closed \(code.map(String.init) ?? "without a code")\(reason.isEmpty ? "" : " \(reason)")"]
        case .ended: return ["\(name)< ended without a close frame"]
        case .text(let text): return ["\(name)< \(text)"]
        case .pong: return []
        }
    }
}
