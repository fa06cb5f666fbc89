import Foundation
import HTTPTypes
import SparringJSON
@testable import SparringEngine
@testable import SparringSandbox
import Support

/// Somebody's app at a vendor: `ada@khoros`.
struct AppName: Hashable, Sendable, CustomStringConvertible {
    let person: String
    let vendor: String

    init(_ person: String, _ vendor: String) { (self.person, self.vendor) = (person, vendor) }

    init?(_ word: String) {
        let parts = word.split(separator: "@").map(String.init)
        guard parts.count == 2 else { return nil }
        self.init(parts[0], parts[1])
    }

    var description: String { "\(person)@\(vendor)" }
    var lane: String { "\(person)-\(vendor)" }
}

/// The way between an app and the server, with all that ever came over it.
final class AppLine: @unchecked Sendable {  // one task at a time
    let name: AppName
    let sandbox: String
    /// After a restart another one.
    var server: SimulatedServer
    private(set) var socket: MemorySocket?
    /// Bodies and messages.
    private(set) var received: [String] = []
    /// HTTP calls that came to an end.
    var calls = 0
    /// The last number that the app gave a message or a request.
    private var last = 0

    init(_ name: AppName, in sandbox: String, _ server: SimulatedServer) {
        (self.name, self.sandbox, self.server) = (name, sandbox, server)
    }

    /// A number that this app has not used yet; it is the same in each run of the story.
    func fresh() -> Int {
        last += 1
        return last
    }

    // MARK: Calls

    func call(_ method: HTTPRequest.Method, _ target: String, headers: HTTPFields = [:], body: [UInt8] = []) async throws
        -> SimulatedServer.Reply
    {
        var headers = headers
        headers[HTTPField.Name("X-Sparring-Lane")!] = name.lane
        let reply = try await server.call(method, target, headers: headers, body: body, in: sandbox)
        if case .answer(let answer) = reply { received.append(answer.text) }
        if case .held = reply {} else { calls += 1 }
        return reply
    }

    func call(_ method: HTTPRequest.Method, _ target: String, by authorization: String? = nil, _ json: JSON?) async throws
        -> SimulatedServer.Reply
    {
        var headers: HTTPFields = [:]
        headers[.authorization] = authorization
        if json != nil { headers[.contentType] = "application/json" }
        return try await call(method, target, headers: headers, body: json?.bytes ?? [])
    }

    func call(_ target: String, form: KeyValuePairs<String, String>) async throws -> SimulatedServer.Reply {
        let body = form.map { "\($0.key)=\(Form.encoded($0.value))" }.joined(separator: "&")
        return try await call(.post, target, headers: [.contentType: "application/x-www-form-urlencoded"], body: Array(body.utf8))
    }

    // MARK: The socket

    func open(_ target: String, headers: HTTPFields = [:]) async throws -> SimulatedServer.Reply {
        await leave()
        var headers = headers
        for (name, value) in [
            ("Upgrade", "websocket"), ("Connection", "Upgrade"), ("Sec-WebSocket-Version", "13"),
            ("Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25jZQ=="),
        ] { headers[HTTPField.Name(name)!] = value }
        let reply = try await call(.get, target, headers: headers)
        if case .opened(let opened) = reply { socket = opened }
        return reply
    }

    /// Waits for the effects of a call, such as an agent who joins, so that they come before the next call.
    func rest() async { await server.settle(socket.map { [$0] } ?? []) }

    func leave() async {
        guard let socket else { return }
        socket.close(1000)
        self.socket = nil
        // What follows finds it closed.
        await server.settle([socket])
    }

    /// The process at the other end is gone.
    func lose() { socket = nil }

    /// Takes what has come meanwhile.
    @discardableResult
    func listen() -> [JSON] {
        guard let socket else { return [] }
        var messages: [JSON] = []
        for event in socket.taken() {
            switch event {
            case .message(let message):
                messages.append(message)
                received.append(message.text)
            case .closed, .ended: self.socket = nil
            case .text, .pong: break
            }
        }
        return messages
    }

    /// Sends a message that is answered some other time.
    func tell(_ message: JSON) { socket?.sendText(message.text) }

    /// Sends a message and waits for its answer.
    ///
    /// - Parameter id: stands in the message, and in no other: by it the journal shows that it was decided.
    func ask(_ message: JSON, _ id: String, _ isAnswer: (JSON) -> Bool) async throws -> SimulatedServer.Reply {
        guard let socket, let world = server.engine.world.sandbox(sandbox) else { return .lost }
        listen()
        let (held, before) = (world.clock.delayed, try await newest(world))
        socket.sendText(message.text)
        var rounds = 0
        return try await server.look("an answer to \(message.text)") {
            if let answer = listen().first(where: isAnswer) {
                return .answer(TestAnswer(status: 200, headers: [:], body: answer.bytes))
            }
            if self.socket == nil || rounds == Self.patience { return .lost }
            if world.clock.delayed > held {
                // It may be another message that is held.
                await server.settle([socket])
                return listen().first(where: isAnswer).map { .answer(TestAnswer(status: 200, headers: [:], body: $0.bytes)) } ?? .held
            }
            if try await hasEntry(of: id, after: before, world) {
                // What is sent after it has been sent then.
                rounds = Self.patience
                await server.settle([socket])
            } else if mayBeSilent(world) {
                rounds += 1
                await server.settle([socket])
            }
            return nil
        }
    }

    /// How often all is given time to come to rest where there may be no answer and no entry.
    private static let patience = 20

    /// The message may be lost, or wait behind another one; or the store failed, which leaves no entry.
    private func mayBeSilent(_ world: Sandbox) -> Bool {
        world.clock.delayed > 0 || server.hasTrouble || world.faults.all.contains { $0.fault.text.contains(" drop ") }
    }

    private func newest(_ world: Sandbox) async throws -> Int {
        try await world.store.read { try world.journal.newest($0) } ?? 0
    }

    private func hasEntry(of id: String, after number: Int, _ world: Sandbox) async throws -> Bool {
        try await world.store.read { try world.journal.latest(100, since: number, $0) }.contains {
            String(decoding: $0, as: UTF8.self).contains("\"\(id)\"")
        }
    }
}
