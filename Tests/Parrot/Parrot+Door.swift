import SparringVendorKit

/// The tags `Aviary` and `Door`: the calls.
extension Parrot {
    /// Every flock has a Polly, and no other bird.
    func findBird(_ db: Database, _ call: Call) throws -> Decision {
        let bird = call.path("bird")
        guard bird == "polly" else { throw Refusal("bird-unknown", "there is no bird '\(bird)'") }
        return .answer("bird-found", ["bird": .string(bird)])
    }

    func admitBird(_ db: Database, _ call: Call) throws -> Decision {
        guard let bird = call.field("bird") else { throw Refusal("request-malformed", "the body names no bird") }
        guard bird != "vulture" else { throw Refusal("bird-unwelcome", "vultures are not let in") }
        return .answer("bird-admitted", ["bird": .string(bird)])
    }

    func issueTicket(_ db: Database, _ call: Call) throws -> Decision {
        guard let bird = call.field("bird"), bird != "vulture" else { throw Refusal("bird-unwelcome", "vultures are not let in") }
        var ticket = "ticket-of-\(bird)"
        try call.sandbox.issued(ticket, to: bird, db)
        // A forged ticket has no owner.
        if let forgery = call.effect("forge") { ticket += "-\(forgery["seal"] ?? "")" }
        let expiry = call.now + call.settings(of: self).ticketLifetime
        return .answer(
            "ticket-issued", ["ticket": .string(ticket), "expires": .string("\(expiry)"), "feather": .string(call.draw("feather").uuid)])
    }

    func openCage(_ db: Database, _ call: Call) throws -> Decision {
        call.socket?.assign(to: "cage")
        return .answer("cage-opened")
    }
}
