package import HTTPTypes
import SparringJSON

/// One thing that a client does at a vendor, or that somebody else does there, and what is known to come of it.
package struct ProbeStep: Sendable {
    /// The request of a transcript, with names in it.
    package struct Request: Sendable {
        package var method: HTTPRequest.Method
        /// Path and query.
        package var target: String
        package var headers: [(name: String, value: String)]
        package var body: String

        package init(_ method: HTTPRequest.Method, _ target: String, headers: [(name: String, value: String)] = [], body: String = "") {
            (self.method, self.target, self.headers, self.body) = (method, target, headers, body)
        }

        /// All in which a name can stand.
        var text: String { ([target, body] + headers.map(\.value)).joined(separator: "\n") }
    }

    package enum Deed: Sendable {
        case call(Request)
        case open(socket: String, Request)
        case message(socket: String, String)
        case close(socket: String, code: Int)
        /// An agent's, a bot's or a tester's: a call of Sparring's admin API about the sandbox, such as `POST liveperson/agent/say`.
        case act(Request)
    }

    /// A recording of the same step elsewhere. It is not compared with: it says what names stand for, and what to wait for.
    package struct Expected: Sendable {
        var headers: [(name: String, value: String)] = []
        var body = ""
        /// The messages that came on sockets.
        var messages: [(socket: String, text: String)] = []
        /// How many things came on each socket, its end among them.
        var counts: [String: Int] = [:]

        /// All in which a name can stand.
        var text: String { ([body] + headers.map(\.value) + messages.map(\.text)).joined(separator: "\n") }
    }

    package var deed: Deed
    package var expected = Expected()
    /// Its peculiarity, in words.
    private(set) var note: String?

    package init(_ deed: Deed, note: String? = nil) { (self.deed, self.note) = (deed, note) }

    /// It only closes a socket.
    var isEnd: Bool { if case .close = deed { true } else { false } }

    /// The text that is sent, with names.
    var text: String {
        switch deed {
        case .call(let request), .open(_, let request), .act(let request): request.text
        case .message(_, let text): text
        case .close: ""
        }
    }
}

extension ProbeStep {
    /// - Throws: ``Transcript/Malformed`` for a method that is none.
    init(_ step: Transcript.Step) throws {
        func request() throws -> Request {
            let (method, target, headers, body) = step.request()
            guard let method = HTTPRequest.Method(method) else { throw Transcript.Malformed(line: 0, reason: "no method: \(method)") }
            return Request(method, target, headers: headers.map { (name: $0.0, value: $0.1) }, body: body)
        }
        switch step.actor {
        case ">": deed = .call(try request())
        case "*": deed = .act(try request())
        case let socket where step.client[0].hasPrefix("GET "): deed = .open(socket: socket, try request())
        case let socket where step.client[0].hasPrefix("close"):
            deed = .close(socket: socket, code: String(step.client[0].dropFirst(6)).integer(in: 1000...4999) ?? 1000)
        case let socket: deed = .message(socket: socket, step.client.joined(separator: "\n"))
        }
        var body: [String] = []
        for line in step.server {
            guard let mark = line.firstIndex(of: "<") else { continue }
            let (socket, text) = (String(line[..<mark]), line[line.index(after: mark)...].dropFirst())
            if socket.isEmpty {
                expected.take(text, &body)
            } else {
                expected.take(text, on: socket)
            }
        }
        expected.body = body.joined(separator: "\n")
        for message in expected.messages { expected.counts[message.socket, default: 0] += 1 }
        // What comes of an opening comes on no socket yet.
        if case .open(let socket, _) = deed, expected.messages.first?.socket == socket {
            let head = expected.messages.removeFirst()
            expected.counts[socket] = (expected.counts[socket] ?? 1) - 1
            if head.text != "101" { expected.counts[socket] = 0 }
        }
    }
}

extension ProbeStep.Expected {
    fileprivate mutating func take(_ text: Substring, _ body: inout [String]) {
        let isStatus = text.count == 3 && text.allSatisfy(\.isNumber)
        if body.isEmpty, isStatus { return }
        let name = text.prefix { $0.isLetter || $0 == "-" }
        if body.isEmpty, !name.isEmpty, text.dropFirst(name.count).hasPrefix(": ") {
            headers.append((String(name), String(text.dropFirst(name.count + 2))))
        } else {
            body.append(String(text))
        }
    }

    fileprivate mutating func take(_ text: Substring, on socket: String) {
        if Transcript.Step.isFirst(text) || messages.last?.socket != socket {
            messages.append((socket, String(text)))
        } else {
            messages[messages.count - 1].text += "\n" + text
        }
    }
}
