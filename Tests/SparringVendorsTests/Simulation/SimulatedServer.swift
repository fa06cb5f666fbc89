import Foundation
import HTTPTypes
@testable import SparringAdmin
@testable import SparringEngine
import SparringHTTP
import SparringJSON
import SparringJournal
import SparringLocks
@testable import SparringSandbox
import SparringTestKit
import SparringVendors
import Support

/// One process of Sparring, without a port: from its start on a database to its end.
final class SimulatedServer: Sendable {
    let engine: Engine
    let database: String
    private let trouble: Trouble?

    /// - Parameter trouble: makes statements of the store fail, when it is armed.
    init(database: String, trouble: Trouble? = nil) throws {
        (self.database, self.trouble) = (database, trouble)
        var options = Server.Options()
        options.version = "simulated"
        options.contracts = Repository.folder("contracts")
        options.engine.database = database
        // Nothing that a story says leads out of it.
        options.engine.callsAbroad = false
        if let trouble { options.engine.prepareDatabase = { trouble.prepare($0) } }
        let cast = try Cast.shipped.get()
        engine = try Server(options, contracts: cast.contracts, behaviours: cast.behaviours) {
            try AllVendors.make($0, keys: Brand.pool)
        }.engine
    }

    /// A statement was made to fail.
    var hasTrouble: Bool { trouble?.hasStruck ?? false }

    func stop() async throws { try await engine.stop(grace: .zero) }

    // MARK: Calls

    /// The outcome of a call.
    enum Reply: Sendable {
        case answer(TestAnswer)
        case opened(MemorySocket)
        /// The connection ended without an answer, or there is none that can be read.
        case lost
        /// A fault holds it back until the clock is advanced.
        case held
    }

    private static let host = HTTPField.Name("Host")!

    func call(_ method: HTTPRequest.Method, _ target: String, headers: HTTPFields = [:], body: [UInt8] = [], in sandbox: String)
        async throws
        -> Reply
    {
        var headers = headers
        headers[Self.host] = "127.0.0.1:0"
        if !body.isEmpty { headers[.contentLength] = String(body.count) }
        let request = Request(
            head: RequestHead(method: method, target: target, headers: headers, connection: 1, arrival: .now), body: body)
        guard let world = engine.world.sandbox(sandbox), world.faults.all.contains(where: { $0.fault.text.contains(" delay ") }) else {
            return reply(await engine.answer(request))
        }
        let (clock, held) = (world.clock, world.clock.heldCalls)
        let delivery = Mutex<Delivery?>(nil)
        let engine = engine
        Task {
            let answered = await engine.answer(request)
            delivery.withLock { $0 = answered }
        }
        return try await look("an answer to \(method) \(target)") {
            if let delivery = delivery.withLock(\.self) { return reply(delivery) }
            if clock.heldCalls > held { return .held }
            return nil
        }
    }

    private func reply(_ delivery: Delivery) -> Reply {
        switch delivery {
        case .answer(let response), .disturbed(let response, _), .formed(let response, _):
            if case .disturbed(_, let transmission) = delivery, transmission.cut != nil { return .lost }
            guard case .bytes(let bytes) = response.body else { return .lost }
            return .answer(TestAnswer(status: response.status, headers: response.headers, body: bytes))
        case .upgrade(let upgrade): return .opened(MemorySocket(upgrade))
        case .reset, .empty, .raw, .stall: return .lost
        }
    }

    /// A call of the admin API.
    ///
    /// - Throws: ``UnexpectedAnswer`` where it is refused.
    @discardableResult
    func admin(_ method: HTTPRequest.Method, _ path: String, _ json: JSON? = nil) async throws -> JSON {
        let answer = try await reach(method, path, json)
        guard answer.status < 300 else { throw UnexpectedAnswer(answer: answer) }
        return answer.json ?? .null
    }

    /// The same, whatever is answered.
    func reach(_ method: HTTPRequest.Method, _ path: String, _ json: JSON? = nil) async throws -> TestAnswer {
        var headers: HTTPFields = [:]
        if json != nil { headers[.contentType] = "application/json" }
        guard case .answer(let answer) = try await call(method, "/__admin/\(path)", headers: headers, body: json?.bytes ?? [], in: "")
        else { throw SimulationFailure("no answer to \(method) \(path)") }
        return answer
    }

    // MARK: Rest

    /// Lets everything that is under way come to its end, without letting time pass.
    func settle(_ sockets: [MemorySocket]) async {
        for _ in 0..<2 {
            for sandbox in engine.world.sandboxes { _ = await sandbox.clock.advance(by: .zero) }
            for socket in sockets { await socket.settled() }
            for _ in 0..<2 { try? await engine.world.store.write { _ in } }
        }
    }

    /// Looks again and again until there is something to return. Between two looks a reader of the store has its turn, and so has every thread.
    ///
    /// - Throws: ``SimulationFailure`` where it never comes.
    func look<Value>(_ what: @autoclosure () -> String, _ body: () async throws -> Value?) async throws -> Value {
        let deadline = ContinuousClock.now + patience
        while true {
            if let value = try await body() { return value }
            guard ContinuousClock.now < deadline else { throw SimulationFailure("\(what()) never came") }
            try await engine.world.store.read { _ in }
        }
    }
}

/// A story showed that something promised is not kept.
struct SimulationFailure: Error, CustomStringConvertible {
    var description: String
    init(_ description: String) { self.description = description }
}

extension SandboxClock {
    /// How much a fault is holding back.
    var delayed: Int { pending.count { $0.what.contains("delayed by") || $0.what.hasPrefix("a message on socket") } }

    /// The number of calls that a fault is holding back, without messages to clients, which may be sent beside the answer to a call.
    var heldCalls: Int { pending.count { $0.what.contains("delayed by") && !$0.what.hasPrefix("a message on socket") } }
}
