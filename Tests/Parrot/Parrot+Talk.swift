import SparringVendorKit

/// The tag `Talk`: the messages.
extension Parrot {
    static let echo = "echo"

    func perch(_ db: Database, _ call: Call) throws -> Decision {
        let bird = call.body?["payload"]?["bird"]?.string ?? ""
        // A bird that was an egg, or nobody in particular, when it knocked.
        try call.proves(call.lane, is: bird, db)
        guard try ParrotState.takePerch(bird, db, call.sandbox.id) else { throw Refusal("perch-taken", "\(bird) sits there already") }
        call.socket?.identify(as: bird)
        return .answer("perched", ["eventId": call.body?["eventId"] ?? .null, "data": ["bird": .string(bird)]])
    }

    /// All others in the cage hear it; who has said it hears nothing.
    func say(_ db: Database, _ call: Call) throws -> Decision {
        let text = call.body?["payload"]?["text"]?.string ?? ""
        try heed(text, db, call)
        for socket in call.sandbox.openSockets(of: "cage") where socket !== call.socket {
            try call.outbox.send("heard", ["eventType": "Heard", "by": .string(call.lane), "text": .string(text)], to: socket)
            if text == "ping" { try call.outbox.send("pinged", "ping", to: socket) }
            // By the address that the bird itself has called, whatever those of others are.
            if text == "where" { try call.outbox.send("pinged", .string(socket.base), to: socket) }
        }
        return .nothing(cause: "said '\(text)'")
    }

    /// Some words do more than others.
    private func heed(_ text: String, _ db: Database, _ call: Call) throws {
        switch text {
        case "shriek": throw Shriek()
        case "goodbye": try call.signsOut(call.lane, db)
        case "echo": try scheduleEcho(of: text, db, call)
        default: break
        }
    }

    private func scheduleEcho(of text: String, _ db: Database, _ call: Call) throws {
        try call.sandbox.schedule(
            DueItem(
                due: call.now + .seconds(5), vendor: name, kind: Self.echo, what: "echo of '\(text)'", lane: call.lane,
                body: ["text": .string(text)], causedBy: call.origin), db)
    }

    /// Everybody in the cage hears it, those who have come in the meantime too.
    func echo(_ db: Database, _ call: DueCall) throws -> DueOutcome {
        let text = call.item.body["text"] ?? ""
        for socket in call.sandbox.openSockets(of: "cage") {
            try call.outbox.send("heard", ["eventType": "Heard", "by": "cage", "text": text], to: socket)
        }
        return DueOutcome("the cage echoed \(text.text)")
    }

    private struct Shriek: Error {}
}
