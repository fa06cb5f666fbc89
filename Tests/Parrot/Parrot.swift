package import GRDB
import SparringAdmin
import SparringContract
package import SparringEngine
package import SparringJSON
import SparringJournal
package import SparringSandbox

/// A vendor with sockets that has nothing in common with any real one: what the engine takes for granted about sockets shows here.
package struct Parrot: PlainVendor {
    package enum Operation: String, CaseIterable, Sendable {
        case findBird, listBirds, admitBird, issueTicket, openCage, perch, say, beat
    }

    package enum AdminOperation: String, CaseIterable, Sendable {
        case squawk, describe
    }

    package let name = "parrot"
    package let tenantKey = "flock"

    package init() {}

    package func registerMigrations(in migrator: inout DatabaseMigrator) {
        migrator.registerMigration("parrot.1") { db in
            try db.execute(
                sql: """
                    CREATE TABLE parrot_perch (
                        sandbox TEXT NOT NULL REFERENCES sandbox ON DELETE CASCADE, bird TEXT NOT NULL, UNIQUE (sandbox, bird)) STRICT;
                    """)
        }
    }

    package func settings(_ configuration: JSON) throws(ConfigurationError) -> NoSettings {
        for (name, value) in configuration.object ?? [:] where name != tenantKey {
            let place = JSONPointer(tokens: [name])
            guard name == "ticketLifetime" else { throw ConfigurationError(place, "unknown member (did you mean 'ticketLifetime'?)") }
            guard Duration(text: value.string ?? "") != nil else { throw ConfigurationError(place, "a duration should stand here") }
        }
        return NoSettings()
    }

    package func handler(of operation: Operation) -> Handler {
        switch operation {
        case .findBird: .decide(findBird)
        case .listBirds: .decide { _, _ in .answer(Answer("birds-listed", ["birds": ["polly"]])) }
        case .admitBird: .decide(admitBird)
        case .issueTicket: .decide(issueTicket)
        case .openCage: .decide(openCage)
        case .perch: .decide(perch)
        case .say: .decide(say)
        case .beat: .decide { _, _ in .answer(Answer("ticked", body: .text("tick"))) }
        }
    }

    package func adminHandler(of operation: AdminOperation) -> AdminHandler {
        switch operation {
        case .squawk: BirdAdmin.squawk(of: name, heardBy: Self.perched)
        case .describe:
            .read { db, request in
                let (bird, known) = (request.path("bird"), try Self.perched(db, request.sandbox.id))
                guard known.contains(bird) else {
                    throw AdminProblem(name: "bird-unknown", detail: "there is no bird '\(bird)'", unknown: bird, known: known)
                }
                return Answer("described", ["bird": .string(bird)])
            }
        }
    }

    package func consumers(of tenant: Tenant, in sandbox: Sandbox, _ db: Database) throws -> [JSON] {
        try Self.perched(db, sandbox.id).map { BirdAdmin.consumer($0, of: name) }
    }

    private static func perched(_ db: Database, _ sandbox: String) throws -> [String] {
        try String.fetchAll(db, sql: "SELECT bird FROM parrot_perch WHERE sandbox = ? ORDER BY bird", arguments: [sandbox])
    }

    /// As a gateway does that nobody behind it has heard of the message.
    package func misunderstood(_ message: [UInt8], on socket: Socket, _ example: JSON) -> JSON {
        var answer = example
        answer["connectionId"] = .string("c\(socket.number)")
        return answer
    }

    /// Every flock has a Polly, and no other bird.
    private func findBird(_ db: Database, _ call: Call) -> Decision {
        let bird = call.path("bird")
        guard bird == "polly" else { return .refusal(Refusal("bird-unknown", "there is no bird '\(bird)'")) }
        return .answer(Answer("bird-found", ["bird": .string(bird)]))
    }

    private func admitBird(_ db: Database, _ call: Call) throws -> Decision {
        guard let bird = call.field("bird") else { return .refusal(Refusal("request-malformed", "the body names no bird")) }
        guard bird != "vulture" else { return .refusal(Refusal("bird-unwelcome", "vultures are not let in")) }
        return .answer(Answer("bird-admitted", ["bird": .string(bird)]))
    }

    private func issueTicket(_ db: Database, _ call: Call) throws -> Decision {
        guard let bird = call.field("bird"), bird != "vulture" else {
            return .refusal(Refusal("bird-unwelcome", "vultures are not let in"))
        }
        let ticket = "ticket-of-\(bird)"
        try call.sandbox.issued(ticket, to: bird, db)
        return .answer(Answer("ticket-issued", ["ticket": .string(ticket), "feather": .string(call.draw("feather").uuid)]))
    }

    private func openCage(_ db: Database, _ call: Call) throws -> Decision {
        call.socket?.assign(to: "cage")
        return .answer(Answer("cage-opened"))
    }

    private func perch(_ db: Database, _ call: Call) throws -> Decision {
        let bird = call.body?["payload"]?["bird"]?.string ?? ""
        // A bird that was an egg, or nobody in particular, when it knocked.
        try call.proves(call.lane, is: bird, db)
        try db.execute(
            sql: "INSERT OR IGNORE INTO parrot_perch (sandbox, bird) VALUES (?, ?)", arguments: [call.sandbox.id, bird])
        guard db.changesCount == 1 else { return .refusal(Refusal("perch-taken", "\(bird) sits there already")) }
        call.socket?.identify(as: bird)
        return .answer(Answer("perched", ["eventId": call.body?["eventId"] ?? .null, "data": ["bird": .string(bird)]]))
    }

    /// All others in the cage hear it; who has said it hears nothing.
    private func say(_ db: Database, _ call: Call) throws -> Decision {
        let text = call.body?["payload"]?["text"]?.string ?? ""
        if text == "shriek" { throw Shriek() }
        if text == "goodbye" { try call.signsOut(call.lane, db) }
        for socket in call.sandbox.openSockets(of: "cage") where socket !== call.socket {
            try call.outbox.send("heard", ["eventType": "Heard", "by": .string(call.lane), "text": .string(text)], to: socket)
            if text == "ping" { try call.outbox.send("pinged", "ping", to: socket) }
            // By the address that the bird itself has called, whatever those of others are.
            if text == "where" { try call.outbox.send("pinged", .string(socket.base), to: socket) }
        }
        return .nothing(cause: "said '\(text)'")
    }

    private struct Shriek: Error {}

    package func render(_ refusal: Refusal, for call: Call) -> Answer {
        var body = call.operation.answer(refusal.name)?.example ?? [:]
        if let id = call.body?["eventId"] { body["eventId"] = id }
        return Answer(refusal.name, body)
    }
}
