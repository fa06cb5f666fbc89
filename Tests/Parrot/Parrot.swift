public import SparringVendorKit

/// The vendor, for the list of all.
public func parrot() -> any Vendor { Parrot() }

/// A vendor with sockets that has nothing in common with any real one: what the engine takes for granted about sockets shows here. The page *Adding a vendor*
/// takes its examples from this folder.
struct Parrot: Vendor {
    enum Operation: String, CaseIterable, Sendable {
        case findBird, listBirds, admitBird, issueTicket, openCage, perch, say, beat
    }

    enum AdminOperation: String, CaseIterable, Sendable {
        case squawk, describe
    }

    struct Settings: Decodable, Sendable {
        var flock: String
        var ticketLifetime: Duration
    }

    let name = "parrot"
    let tenantKey = "flock"
}

extension Parrot {
    func handler(of operation: Operation) -> Handler {
        switch operation {
        case .findBird: .decide(findBird)
        case .listBirds: .decide { _ in .answer("birds-listed", ["birds": ["polly"]]) }
        case .admitBird: .decide(admitBird)
        case .issueTicket: .decide(issueTicket)
        case .openCage: .decide(openCage)
        case .perch: .decide(perch)
        case .say: .decide(say)
        case .beat: .decide { _ in .answer("ticked", body: .text("tick")) }
        }
    }

    func dueHandler(of kind: String) -> DueHandler? {
        switch kind {
        case Self.echo: .decide(echo)
        default: nil
        }
    }

    func adminHandler(of operation: AdminOperation) -> AdminHandler {
        switch operation {
        case .squawk: BirdAdmin.squawk(of: name, heardBy: ParrotState.perched)
        case .describe:
            .read { db, request in
                let (bird, known) = (request.path("bird"), try ParrotState.perched(db, request.sandbox.id))
                guard known.contains(bird) else {
                    throw AdminProblem("bird-unknown", "there is no bird '\(bird)'", unknown: bird, known: known)
                }
                return Answer("described", ["bird": .string(bird)])
            }
        }
    }

    func registerMigrations(in migrator: inout DatabaseMigrator) { ParrotState.registerMigrations(in: &migrator) }

    func published(_ configuration: JSON, _ settings: Settings, addresses: Addresses) -> JSON { configuration }

    func consumers(of tenant: Tenant, in sandbox: Sandbox, _ db: Database) throws -> [JSON] {
        try ParrotState.perched(db, sandbox.id).map { BirdAdmin.consumer($0, of: name) }
    }

    func render(_ refusal: Refusal, for call: Call) -> Answer {
        var body = call.operation.answer(refusal.name)?.example ?? [:]
        if let id = call.body?["eventId"] { body["eventId"] = id }
        return Answer(refusal.name, body)
    }

    /// The answer of a gateway when nothing behind it has heard of the message.
    func misunderstood(_ message: [UInt8], on socket: Socket, _ example: JSON) -> JSON {
        var answer = example
        answer["connectionId"] = .string("c\(socket.number)")
        return answer
    }
}
