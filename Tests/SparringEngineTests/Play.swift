import BirdSupport
import HTTPTypes
import GRDB
import SparringContract
import SparringEngine
import SparringJSON
import SparringSandbox

/// A vendor that does what none should, for what the engine makes of it.
struct Play: PlainVendor {
    enum Operation: String, CaseIterable, Sendable {
        case note, spend, ping, misbehave, whisper, greet
    }

    let name = "play"
    let tenantKey = "playerId"
    func registerMigrations(in migrator: inout DatabaseMigrator) {
        migrator.registerMigration("play.1") { db in
            try db.execute(
                sql: """
                    CREATE TABLE play_note (sandbox TEXT NOT NULL REFERENCES sandbox ON DELETE CASCADE, text TEXT NOT NULL UNIQUE) STRICT;
                    CREATE TABLE play_token (sandbox TEXT NOT NULL REFERENCES sandbox ON DELETE CASCADE, spent_by TEXT) STRICT;
                    """)
        }
    }

    func handler(of operation: Operation) -> Handler {
        switch operation {
        case .note: .decide(note)
        case .spend: .decide(spend)
        case .ping: .prepare(callOut, thenDecide: tell)
        case .misbehave: .prepare(misbehave, thenDecide: misbehave)
        case .whisper: .decide { _, _ in throw Mishap.expected("whispered") }
        case .greet:
            .decide { _, call in
                .answer(Answer("greeted", ["sandbox": .string(call.sandbox.id), "ordinal": .integer(Int64(call.ordinal))]))
            }
        }
    }

    enum Mishap: Error { case expected(String) }

    // MARK: Behaviours

    private func write(_ text: String, _ db: Database, _ call: Call) throws {
        try db.execute(sql: "INSERT INTO play_note (sandbox, text) VALUES (?, ?)", arguments: [call.sandbox.id, text])
    }

    private func note(_ db: Database, _ call: Call) throws -> Decision {
        try write(call.field("text") ?? "", db, call)
        let count = try Int64.fetchOne(db, sql: "SELECT count(*) FROM play_note WHERE sandbox = ?", arguments: [call.sandbox.id])
        return .answer(Answer("noted", ["entry": .integer(Int64(call.entry)), "count": .integer(count ?? 0)], cause: "noted"))
    }

    /// One token, spent once.
    private func spend(_ db: Database, _ call: Call) throws -> Decision {
        if try Row.fetchOne(db, sql: "SELECT 1 FROM play_token WHERE sandbox = ?", arguments: [call.sandbox.id]) == nil {
            try db.execute(sql: "INSERT INTO play_token (sandbox, spent_by) VALUES (?, NULL)", arguments: [call.sandbox.id])
        }
        try write("\(call.lane) tried", db, call)
        try db.execute(
            sql: "UPDATE play_token SET spent_by = ? WHERE sandbox = ? AND spent_by IS NULL", arguments: [call.lane, call.sandbox.id])
        return db.changesCount == 1 ? .answer(Answer("spent")) : .refusal(Refusal("token-spent", "the token was spent"))
    }

    private func callOut(_ call: Call) async throws -> OutboundResult {
        await call.send(
            OutboundRequest(
                .post, call.field("url") ?? "/play/p1/note", headers: [.contentType: "application/json"],
                body: (["text": .string("by \(call.lane)")] as JSON).bytes, timeout: .seconds(600)))
    }

    private func tell(_ db: Database, _ call: Call, _ result: OutboundResult) throws -> Decision {
        let words =
            switch result {
            case .answered(let answer): "\(answer.status) \(answer.name ?? "?") \(answer.cause ?? "?")"
            case .timedOut(let reason): "timed out: \(reason)"
            case .failed(let reason): "failed: \(reason)"
            }
        return .answer(Answer("pinged", ["result": .string(words)]))
    }

    private func misbehave(_ call: Call) async throws -> String {
        switch call.field("how") {
        case "throw-while-preparing": throw Mishap.expected("while preparing")
        case "refuse-while-preparing": throw Refusal("refused", "before anything was done")
        default: break
        }
        return try await call.read { db in
            try db.execute(sql: "PRAGMA query_only = ON")
            return "prepared"
        }
    }

    private func misbehave(_ db: Database, _ call: Call, _ prepared: String) throws -> Decision {
        let how = call.field("how") ?? ""
        try write(how, db, call)
        switch how {
        case "throw": throw Mishap.expected("while deciding")
        case "break-sql": try db.execute(sql: "INSERT INTO nowhere VALUES (1)")
        case "break-a-key": try write(how, db, call)
        case "refuse": return .refusal(Refusal("refused", "because"))
        case "throw-a-refusal": throw Refusal("refused", "because")
        case "undeclared": return .answer(Answer("unheard-of", ["a": 1]))
        case "wrong-body": return .answer(Answer("done", ["how": 5]))
        case "no-body": return .answer(Answer("done"))
        default: break
        }
        return .answer(Answer("done", ["how": .string(prepared)]))
    }

    // MARK: Its contract

    static let contract = """
        openapi: 3.1.0
        info: { title: Play, version: '1' }
        tags: [{ name: Game }]
        x-unknown-tenant: player-unknown
        x-malformed: malformed
        paths:
          /play/{playerId}/note:
            parameters: [{ $ref: '#/components/parameters/PlayerId' }]
            post:
              operationId: note
              tags: [Game]
              x-fidelity: assumed
              x-source: a test
              x-tenant: $request.path.playerId
              requestBody:
                required: true
                content: { application/json: { schema: { $ref: '#/components/schemas/Note' }, examples: { one: { value: { text: hi } } } } }
              responses:
                '200':
                  description: Noted.
                  content: { application/json: { examples: { noted: { value: { entry: 1, count: 1 } } } } }
                '400': { $ref: '#/components/responses/Malformed' }
                '404': { $ref: '#/components/responses/Unknown' }
                '500': { $ref: '#/components/responses/Failed' }
          /play/{playerId}/spend:
            parameters: [{ $ref: '#/components/parameters/PlayerId' }]
            post:
              operationId: spend
              tags: [Game]
              x-fidelity: assumed
              x-source: a test
              x-tenant: $request.path.playerId
              responses:
                '204': { description: Spent., x-name: spent }
                '409': { description: Spent before., x-name: token-spent, x-outcome: refused }
                '404': { $ref: '#/components/responses/Unknown' }
          /play/{playerId}/ping:
            parameters: [{ $ref: '#/components/parameters/PlayerId' }]
            post:
              operationId: ping
              tags: [Game]
              x-fidelity: assumed
              x-source: a test
              x-tenant: $request.path.playerId
              requestBody:
                content: { application/json: { schema: { type: object }, examples: { none: { value: {} } } } }
              responses:
                '200':
                  description: What came of it.
                  content: { application/json: { examples: { pinged: { value: { result: x } } } } }
                '404': { $ref: '#/components/responses/Unknown' }
          /play/{playerId}/misbehave:
            parameters: [{ $ref: '#/components/parameters/PlayerId' }]
            post:
              operationId: misbehave
              tags: [Game]
              x-fidelity: assumed
              x-source: a test
              x-tenant: $request.path.playerId
              requestBody:
                required: true
                content: { application/json: { schema: { $ref: '#/components/schemas/How' }, examples: { one: { value: { how: throw } } } } }
              responses:
                '200':
                  description: Done.
                  content: { application/json: { schema: { $ref: '#/components/schemas/How' }, examples: { done: { value: { how: well } } } } }
                '403':
                  description: Refused.
                  content: { application/json: { examples: { refused: { value: { why: not } } } } }
                '404': { $ref: '#/components/responses/Unknown' }
                '500': { $ref: '#/components/responses/Failed' }
          /play/{playerId}/whisper:
            parameters: [{ $ref: '#/components/parameters/PlayerId' }]
            post:
              operationId: whisper
              tags: [Game]
              x-fidelity: assumed
              x-source: a test
              x-tenant: $request.path.playerId
              responses:
                '204': { description: Never., x-name: whispered }
                '404': { $ref: '#/components/responses/Unknown' }
          /play/greet:
            get:
              operationId: greet
              tags: [Game]
              x-fidelity: assumed
              x-source: a test
              responses:
                '200':
                  description: Hello.
                  content: { application/json: { examples: { greeted: { value: { sandbox: default, ordinal: 1 } } } } }
        components:
          parameters:
            PlayerId: { name: playerId, in: path, required: true, schema: { type: string }, example: p1 }
          schemas:
            Note: { type: object, required: [text], properties: { text: { type: string } } }
            How: { type: object, required: [how], properties: { how: { type: string } } }
          responses:
            Malformed: { description: Malformed., x-outcome: refused, content: { application/json: { examples: { malformed: { value: { error: malformed } } } } } }
            Unknown: { description: Unknown., content: { application/json: { examples: { player-unknown: { value: { error: nobody } } } } } }
            Failed: { description: Failed., x-outcome: unavailable, content: { application/json: { examples: { internal-error: { value: { error: internal } } } } } }
        """
}
