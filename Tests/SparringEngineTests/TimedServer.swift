import BirdSupport
import Foundation
import GRDB
import HTTPTypes
import SparringAdmin
import SparringContract
import SparringEngine
import SparringHTTP
import SparringJSON
import SparringJournal
import SparringSandbox
import Support
import Testing

/// A vendor of these tests' own that does things later.
struct Timed: PlainVendor {
    enum Operation: String, CaseIterable, Sendable {
        case schedule, cancel, receive
    }

    let name = "timed"
    let tenantKey = "timerId"
    static let start = Timestamp("2026-01-01T00:00:00Z")!

    func registerMigrations(in migrator: inout DatabaseMigrator) {
        migrator.registerMigration("timed.1") { db in
            try db.execute(
                sql:
                    "CREATE TABLE timed_note (number INTEGER PRIMARY KEY, sandbox TEXT NOT NULL REFERENCES sandbox ON DELETE CASCADE, text TEXT)"
            )
        }
    }

    func handler(of operation: Operation) -> Handler {
        switch operation {
        case .schedule: .decide(schedule)
        case .cancel:
            .decide { db, call in
                let count = try call.sandbox.cancelDueWork(of: name, key: call.field("key") ?? "", db)
                return .answer(Answer("cancelled", ["count": .integer(Int64(count))]))
            }
        case .receive: .decide { _ in .answer(Answer("received", ["ok": true])) }
        }
    }

    func dueHandler(of kind: String) -> DueHandler? {
        switch kind {
        case "note": .decide(note)
        case "call": .prepare(callOut, thenDecide: tell)
        case "fail":
            .decide { db, call in
                try write("never", db, call)
                throw ToolError("on purpose")
            }
        default: nil
        }
    }

    private func schedule(_ db: Database, _ call: Call) throws -> Decision {
        let text = call.field("text") ?? ""
        let kind = call.field("kind") ?? "note"
        let times = call.body?["times"]?.integer
        var number: Int64 = 0
        for time in 0..<(times ?? 1) {
            var body = call.body ?? [:]
            if times != nil { body["text"] = .string("\(text).\(time)") }
            number = try call.sandbox.schedule(
                DueItem(
                    due: call.now + (Duration(text: call.field("after") ?? "") ?? .zero), vendor: name, kind: kind, what: "\(kind) \(text)",
                    lane: call.lane, key: call.field("key"), body: body, causedBy: call.origin), db)
        }
        if call.body?["throw"] == true { throw ToolError("on purpose") }
        return .answer(Answer("scheduled", ["number": .integer(number)]))
    }

    private func note(_ db: Database, _ call: DueCall) throws -> DueOutcome {
        let text = call.item.body["text"]?.string ?? ""
        try write(text, db, call)
        if let again = call.item.body["again"]?.integer, again > 1 {
            var next = call.item
            next.due = call.now + (Duration(text: next.body["after"]?.string ?? "") ?? .seconds(1))

            next.body["again"] = .integer(again - 1)
            try call.sandbox.schedule(next, db)
        }
        return DueOutcome("noted \(text)")
    }

    private func callOut(_ call: DueCall) async throws -> String {
        let url = call.item.body["url"]?.string ?? "/timed/\(call.tenant.id)/receive"
        // The time-out runs on the wall clock; what is delayed on the sandbox's must not reach it on a slow machine.
        switch await call.send(OutboundRequest(.post, url, timeout: .seconds(600)), as: "receive") {
        case .answered(let answer): return "\(answer.status) \(answer.name ?? "?")"
        case .timedOut: return "timed out"
        case .failed: return "failed"
        }
    }

    private func tell(_ db: Database, _ call: DueCall, _ words: String) throws -> DueOutcome {
        try db.execute(
            sql: "INSERT INTO timed_note (sandbox, text) VALUES (?, ?)",
            arguments: [call.sandbox.id, "\(words) at \((call.sandbox.clock.now - Self.start).words)".replacing(" 0 ms", with: " 0 s")])
        return DueOutcome(words)
    }

    private func write(_ text: String, _ db: Database, _ call: DueCall) throws {
        try db.execute(
            sql: "INSERT INTO timed_note (sandbox, text) VALUES (?, ?)",
            arguments: [call.sandbox.id, "\(text) at \((call.now - Self.start).words)".replacing(" 0 ms", with: " 0 s")])
    }

    static let contract = """
        openapi: 3.1.0
        info: { title: Timed, version: '1' }
        tags: [{ name: Later }]
        paths:
          /timed/{timerId}/schedule:
            parameters: [{ $ref: '#/components/parameters/TimerId' }]
            post:
              operationId: schedule
              tags: [Later]
              x-fidelity: assumed
              x-source: a test
              x-tenant: $request.path.timerId
              requestBody: { content: { application/json: { examples: { one: { value: { text: hi, after: 1s } } } } } }
              responses:
                '200': { description: Scheduled., content: { application/json: { examples: { scheduled: { value: { number: 1 } } } } } }
                '500': { description: Failed., x-outcome: unavailable, content: { application/json: { examples: { internal-error: { value: { error: x } } } } } }
          /timed/{timerId}/cancel:
            parameters: [{ $ref: '#/components/parameters/TimerId' }]
            post:
              operationId: cancel
              tags: [Later]
              x-fidelity: assumed
              x-source: a test
              x-tenant: $request.path.timerId
              requestBody: { content: { application/json: { examples: { one: { value: { key: k } } } } } }
              responses:
                '200': { description: Taken back., content: { application/json: { examples: { cancelled: { value: { count: 1 } } } } } }
          /timed/{timerId}/receive:
            parameters: [{ $ref: '#/components/parameters/TimerId' }]
            post:
              operationId: receive
              tags: [Later]
              x-fidelity: assumed
              x-source: a test
              x-tenant: $request.path.timerId
              responses:
                '200': { description: Received., content: { application/json: { examples: { received: { value: { ok: true } } } } } }
                '403': { description: Denied., content: { application/json: { examples: { denied: { value: { ok: false } } } } } }
        components:
          parameters:
            TimerId: { name: timerId, in: path, required: true, schema: { type: string }, example: t1 }
        """
}

/// An engine whose only vendor is ``Timed``, called straight into the pipeline.
struct TimedServer {
    let engine: Engine
    let database: String

    static func run(database: String? = nil, _ body: (TimedServer) async throws -> Void) async throws {
        guard let database else { return try await TemporaryFolder.database { try await run(database: $0, body) } }
        let folder = try TemporaryFolder()
        try FileManager.default.copyItem(
            atPath: Repository.folder("contracts/admin.openapi.yaml"), toPath: folder.file("admin.openapi.yaml"))
        _ = try folder.write(Timed.contract, to: "timed.openapi.yaml")
        var options = Server.Options()
        options.contracts = folder.path
        options.engine.database = database
        let engine = try Server(options) { _ in [Timed()] }.engine
        if engine.world.sandbox("default") == nil {
            var request = World.SandboxRequest()
            request.name = "default"
            request.clock = ["mode": "frozen", "now": "2026-01-01T00:00:00Z"]
            request.tenants = ["timed": ["timerId": "t1"]]
            _ = try await engine.world.create(request)
        }
        do {
            try await body(TimedServer(engine: engine, database: database))
        } catch {
            try? await engine.stop()
            throw error
        }
        try await engine.stop()
    }

    @discardableResult
    func send(_ method: HTTPRequest.Method, _ target: String, _ json: JSON? = nil, lane: String = "ada") async throws -> TestAnswer {
        var headers: HTTPFields = [.init("Host")!: "127.0.0.1", .init("X-Sparring-Lane")!: lane]
        if json != nil { headers[.contentType] = "application/json" }
        let head = RequestHead(method: method, target: target, headers: headers, connection: 1, arrival: .now)
        guard case .answer(let response) = await engine.answer(Request(head: head, body: json?.bytes ?? [])),
            case .bytes(let bytes) = response.body
        else { throw Disturbed.closed }
        return TestAnswer(status: response.status, headers: response.headers, body: bytes)
    }

    @discardableResult
    func schedule(
        _ after: String, _ text: String, _ more: JSON = [:], kind: String = "note", lane: String = "ada"
    ) async throws -> TestAnswer {
        var body: JSON = ["after": .string(after), "text": .string(text), "kind": .string(kind)]
        for (name, value) in more.object ?? [:] { body[name] = value }
        return try await send(.post, "/timed/t1/schedule", body, lane: lane)
    }

    @discardableResult
    func advance(_ by: String) async throws -> JSON {
        try #require(try await send(.post, "/__admin/sandboxes/default/clock/advance", ["by": .string(by)]).json)
    }

    func arm(_ fault: String) async throws {
        #expect(try await send(.post, "/__admin/sandboxes/default/faults", ["fault": .string(fault)]).status == 201)
    }

    func pending() async throws -> [String] {
        try await send(.get, "/__admin/sandboxes/default/clock").json?["pending"]?.array?.compactMap { $0["what"]?.string } ?? []
    }

    func journal(_ query: String = "") async throws -> [JSON] {
        try await send(.get, "/__admin/sandboxes/default/journal\(query)").json?["entries"]?.array ?? []
    }

    func notes() throws -> [String] {
        try Dump.read(database) { try String.fetchAll($0, sql: "SELECT text FROM timed_note ORDER BY number") }
    }
}
