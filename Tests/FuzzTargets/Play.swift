import Foundation
import HTTPTypes
import SparringContract
import SparringEngine
import SparringHTTP
import SparringJSON
import SparringSandbox

/// One input's sandbox, from its creation to its end, with what its answers told. For one thread.
final class Play {
    struct Answer {
        var status: Int
        var headers: HTTPFields
        var body: [UInt8]
    }

    let stage: Stage
    /// Milliseconds to wait for an answer, which a fault may hold back; one that comes later is looked at in the end.
    private let patience: Int
    static let patience = 200
    /// The last value that an answer had for a member, by the member's name.
    private(set) var told: [String: JSON] = [:]
    private(set) var sockets: [FuzzSocket] = []
    /// Calls that wait for time to pass, or for ever.
    private var unanswered: [(what: String, answer: Pending<Delivery>)] = []
    /// The steps so far, for the message of a failure.
    private var steps: [Step] = []
    private var seeking: Set<String> = []

    init(_ stage: Stage, patience: Int = Play.patience) throws {
        self.stage = stage
        self.patience = patience
        try call("GET", "/__admin/sandboxes/\(Stage.sandbox)")
    }

    func perform(_ step: Step) throws {
        steps.append(step)
        FuzzTrace.note(step)
        do {
            switch try step.filled(with: { try known($0)?.string }) {
            case .call(let method, let target, let headers, let body): try call(method, target, headers, body)
            case .open(let target, let headers): try open(target, headers)
            case .send(let socket, let text): if sockets.indices.contains(socket) { learn(sockets[socket].say(text, patience)) }
            case .leave(let socket, let code): if sockets.indices.contains(socket) { sockets[socket].leave(code) }
            }
        } catch let failure as FuzzFailure { throw failure.told(after: steps) }
    }

    /// - Returns: nil where there is no answer, or none yet.
    @discardableResult
    func call(_ method: String, _ target: String, _ headers: [(String, String)] = [], _ body: [UInt8] = []) throws -> Answer? {
        let target = Self.impatient(target)
        let pending = stage.send(method, target, headers, body)
        guard let delivery = pending.wait(patience) else {
            unanswered.append(("\(method) \(target.prefix(200))", pending))
            return nil
        }
        return try take(delivery, "\(method) \(target.prefix(200))")
    }

    private func take(_ delivery: Delivery, _ what: String) throws -> Answer? {
        switch delivery {
        case .answer(let response), .disturbed(let response, _), .formed(let response, _):
            guard case .bytes(let bytes) = response.body else { return nil }
            if response.status == 500, String(decoding: bytes.prefix(2000), as: UTF8.self).contains("Sparring failed") {
                throw FuzzFailure("\(what): \(String(decoding: bytes.prefix(2000), as: UTF8.self))")
            }
            // A schema names everything, and nothing of this sandbox.
            if response.headers[.contentType] != "application/schema+json", let json = try? JSON(parsing: bytes) { learn(json) }
            learn(response.headers)
            return Answer(status: response.status, headers: response.headers, body: bytes)
        case .upgrade(let upgrade):
            sockets.append(FuzzSocket(upgrade))
            return nil
        case .reset, .empty, .raw, .stall: return nil
        }
    }

    private func open(_ target: String, _ headers: [(String, String)]) throws {
        let fields = [
            ("Upgrade", "websocket"), ("Connection", "Upgrade"), ("Sec-WebSocket-Version", "13"),
            ("Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25jZQ=="),
        ]
        try call("GET", target, fields.filter { field in !headers.contains { $0.0.lowercased() == field.0.lowercased() } } + headers)
    }

    /// Waits that the machine's clock ends are not waited for.
    private static func impatient(_ target: String) -> String {
        guard target.contains("/wait") else { return target }
        let parts = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        var query = parts.count > 1 ? parts[1].split(separator: "&").filter { !$0.hasPrefix("timeout=") } : []
        // The clock's wait takes one of two, which no schema can say.
        if parts[0].hasSuffix("/clock/wait"), query.isEmpty { query = ["for=1s"] }
        return parts[0] + "?" + (query + ["timeout=5ms"]).joined(separator: "&")
    }

    // MARK: What is known

    private func learn(_ json: JSON, _ depth: Int = 0) {
        guard depth < 12, told.count < 500 else { return }
        switch json {
        case .object(let members):
            for (name, value) in members {
                switch value {
                case .string(let text) where !text.isEmpty && text.utf8.count < 20_000: told[name] = value
                case .integer: told[name] = value
                default: learn(value, depth + 1)
                }
            }
            // A conversation's main dialog has its id.
            if let conversation = members["conversationId"] ?? members["convId"] {
                told["conversationId"] = conversation
                told["dialogId"] = conversation
            }
        case .array(let elements): for element in elements.suffix(8) { learn(element, depth + 1) }
        default: break
        }
    }

    private func learn(_ headers: HTTPFields) {
        if let cookie = headers[.setCookie]?.split(separator: ";").first { told["Cookie"] = .string(String(cookie)) }
        guard let location = headers[.location], let mark = location.firstIndex(where: { $0 == "?" || $0 == "#" }) else { return }
        for field in location[location.index(after: mark)...].split(separator: "&") {
            let pair = field.split(separator: "=", maxSplits: 1).map(String.init)
            if pair.count == 2 { told[pair[0]] = .string(pair[1].removingPercentEncoding ?? pair[1]) }
        }
    }

    /// The value of a name in this sandbox; one that an answer must provide first is asked for.
    func known(_ name: String) throws -> JSON? {
        switch name {
        // What a request is, and what it says, stays the example's.
        case "id", "type", "kind", "reqId", "name", "message", "status", "state", "title", "detail", "value", "contentType",
            "eventType", "action", "eventId", "channel", "mode", "platform":
            return nil
        case "username", "loginName": return "agent"
        case "password": return "agent-secret"
        case "sandbox": return .string(Stage.sandbox)
        case "subject", "consumer", "ext_consumer_id": return "ada"
        case "redirect_uri", "redirectUri": return "https://liveperson.net"
        case "client_id": return told["clientId"]
        case "Brand-ID": return told["accountId"]
        case "asapp-api-id": return told["appId"]
        case "client_secret": return told["clientSecret"]
        case "conversation": return told["conversationId"]
        case "device": return told["deviceToken"] ?? "phone-1"
        case "id_token", "authCode": return try minted("jwt")
        case "code", "authorizationCode", "authorization_code": return try minted("code")
        default:
            if told[name] == nil, let source = Source(rawValue: name), seeking.insert(name).inserted {
                defer { seeking.remove(name) }
                try ask(source)
            }
            return told[name]
        }
    }

    /// A token of the brand's is the same in each sandbox that begins the same way; a code is good once.
    private func minted(_ form: String) throws -> JSON? {
        let wish: JSON = ["form": .string(form), "subject": "ada", "redirectURI": "https://liveperson.net"]
        let answer = try call(
            "POST", "/__admin/sandboxes/\(Stage.sandbox)/credentials", [("Content-Type", "application/json")], wish.bytes)
        return answer.flatMap { try? JSON(parsing: $0.body) }?["credential"]
    }

    /// The operation whose answer contains it.
    private enum Source: String {
        case jwt, bearer, csrf
        case access_token, token
        var operation: String {
            switch self {
            case .jwt: "liveperson.authenticateV2"
            case .bearer, .csrf: "liveperson.agentLogin"
            case .access_token: "liveperson.issueAppToken"
            case .token: "liveperson.createConsumer"
            }
        }
    }

    private func ask(_ source: Source) throws {
        guard let operation = Stage.operations.first(where: { $0.qualifiedName == source.operation }) else { return }
        var plain = Choices([])
        guard case .call(let method, let target, let headers, let body) = try RequestTarget.call(operation, &plain, self) else { return }
        try call(method, target, headers, body)
    }

    // MARK: The end

    /// Looks at what the journals say of Sparring itself, and deletes every sandbox; all calls must have been answered then.
    func end() throws {
        let judged = Result { try judge() }
        for socket in sockets { socket.leave(1000) }
        let engine = stage.engine
        for sandbox in engine.world.sandboxes {
            _ = try blocking("the deletion of sandbox \(sandbox.id)") { try await engine.world.delete(sandbox.id) }
        }
        do {
            try judged.get()
            for (what, answer) in unanswered where !what.contains("/wait") && !what.contains("/verdicts") {
                guard answer.wait(10_000) != nil else { throw FuzzFailure("never answered: \(what)") }
            }
        } catch let failure as FuzzFailure { throw failure.told(after: steps) }
    }

    private func judge() throws {
        for (what, answer) in unanswered { if let delivery = answer.wait(0) { _ = try take(delivery, what) } }
        for sandbox in stage.engine.world.sandboxes {
            let pending = stage.send("GET", "/__admin/sandboxes/\(sandbox.id)/journal?limit=2000", [], [])
            guard case .answer(let response)? = pending.wait(20_000), case .bytes(let bytes) = response.body else {
                throw FuzzFailure("the journal of \(sandbox.id) cannot be read")
            }
            let text = String(decoding: bytes, as: UTF8.self)
            guard text.contains("Sparring failed") || text.contains("Sparring's own") else { continue }
            for entry in (try? JSON(parsing: text))?["entries"]?.array ?? [] {
                let cause = entry["cause"]?.string ?? ""
                guard cause.hasPrefix("Sparring failed") || entry["kind"] == "finding" && cause.hasPrefix("Sparring's own") else {
                    continue
                }
                throw FuzzFailure(String("the journal says: \(entry.text)".prefix(3000)))
            }
        }
    }
}

extension FuzzFailure {
    /// With what led to it, as a script that can be kept in `fixtures/fuzz`.
    fileprivate func told(after steps: [Step]) -> FuzzFailure {
        description.contains("\nafter:\n") ? self : FuzzFailure(description + "\nafter:\n" + steps.map(\.line).joined(separator: "\n"))
    }
}
