package import SparringJSON

/// A conversation over the network as a text: what clients send is written by hand, what comes back is recorded. Line by line:
///
/// - `# …` says something to the reader; empty lines do too.
/// - `tenants: {…}` are the sandbox's, once, before the first step.
/// - `> METHOD target`, header fields and a body (after an empty line, unless it is JSON): a request of a client's, answered by `< …`.
/// - `* METHOD path {…}`: an act of somebody else's, as a call of the admin API about the sandbox, answered by `< …`.
/// - `app> GET target` opens a socket called app; `app> {…}` sends on it, `app> close 1000` closes it; `app< …` is what comes on it.
///
/// `{token-1}` and such stand for what was issued first of its kind.
package struct Transcript {
    /// An action of a client, with its result.
    package struct Step {
        /// `>`, `*`, or a socket's name.
        package var actor: String
        package var client: [String]
        /// The server's lines as recorded, with `<` in front.
        package var server: [String] = []
    }

    package enum Part {
        case text(String)
        case step(Step)
    }

    package var tenants: JSON = [:]
    package var parts: [Part] = []

    package struct Malformed: Error, CustomStringConvertible {
        package var line: Int
        package var reason: String
        package var description: String { "line \(line): \(reason)" }
    }

    /// - Throws: ``Malformed``, `JSONSyntaxError` for tenants that are not JSON.
    package init(_ text: String) throws {
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init).enumerated() {
            if line.isEmpty || line.hasPrefix("#") {
                parts.append(.text(line))
            } else if line.hasPrefix("tenants: ") {
                tenants = try JSON(parsing: String(line.dropFirst(9)))
                parts.append(.text(line))
            } else {
                try add(line, number: index + 1)
            }
        }
        if case .text("")? = parts.last { parts.removeLast() }
    }

    /// A first line of a step has an actor and a verb; others go on with it.
    private mutating func add(_ line: String, number: Int) throws {
        guard let mark = line.firstIndex(where: { "><*".contains($0) }), line[..<mark].allSatisfy({ $0.isLetter || $0.isNumber }) else {
            throw Malformed(line: number, reason: "neither a client's line nor a server's: \(line)")
        }
        let indented = String(line[line.index(after: mark)...].dropFirst())
        if line[mark] == "<" {
            guard case .step(var step)? = parts.last else { throw Malformed(line: number, reason: "an answer without a step") }
            step.server.append(line)
            parts[parts.count - 1] = .step(step)
            return
        }
        let actor = line[mark] == "*" ? "*" : mark == line.startIndex ? ">" : String(line[..<mark])
        if case .step(var step)? = parts.last, step.actor == actor, step.server.isEmpty, !Self.begins(indented, actor) {
            step.client.append(indented)
            parts[parts.count - 1] = .step(step)
        } else {
            parts.append(.step(Step(actor: actor, client: [indented])))
        }
    }

    private static func begins(_ text: String, _ actor: String) -> Bool {
        let word = text.prefix { $0 != " " }
        if ["GET", "POST", "PUT", "PATCH", "DELETE"].contains(word) { return true }
        // On a socket each message, opening and closing is a step.
        return actor != ">" && actor != "*" && (word == "close" || text.hasPrefix("{"))
    }
}

extension Transcript.Step {
    /// A request's parts.
    package func request() -> (method: String, target: String, headers: [(String, String)], body: String) {
        let words = client[0].split(separator: " ", maxSplits: 2).map(String.init)
        var headers: [(String, String)] = []
        var body: [String] = words.count > 2 ? [words[2]] : []
        var isBody = false
        for line in client.dropFirst() {
            if isBody {
                body.append(line)
            } else if line.isEmpty {
                isBody = true
            } else if line.hasPrefix("{") || line.hasPrefix("[") {
                isBody = true
                body.append(line)
            } else if let colon = line.firstIndex(of: ":") {
                headers.append((String(line[..<colon]), String(line[line.index(after: colon)...].drop { $0 == " " })))
            }
        }
        return (words[0], words.count > 1 ? words[1] : "", headers, body.joined(separator: "\n"))
    }

    /// How many things were recorded to come on a socket.
    package func count(on socket: String) -> Int {
        let prefix = "\(socket)< "
        return server.count { $0.hasPrefix(prefix) && Self.isFirst($0.dropFirst(prefix.count)) }
    }

    /// The first line of something that came on a socket is not indented.
    static func isFirst(_ text: Substring) -> Bool { !text.hasPrefix(" ") && !text.hasPrefix("}") && !text.hasPrefix("]") }
}
