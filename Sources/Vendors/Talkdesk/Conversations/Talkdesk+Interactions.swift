import SparringVendorKit

/// The gateway that the SDK opens interactions at (Talkdesk reference 3.5; assumed).
extension Talkdesk {
    /// A handler of calls about the interaction in the path.
    func inInteraction(_ act: @escaping @Sendable (Talking, Call) throws -> Decision) -> Handler {
        withToken(for: Talkdesk.Client.interactions) { db, call, token in
            let id = call.path("interactionId")
            guard let interaction = try InteractionState.interaction(id, of: call.tenant.id, call.sandbox.id, db) else {
                throw Refusal("interaction-unknown", "there is no interaction \(id.quoted)")
            }
            guard interaction.person.isSame(as: token.subject) else {
                throw Refusal("interaction-of-another", "\(token.subject) calls for an interaction of \(interaction.person)")
            }
            return try act(Talking(interaction, call.occasion, db), call)
        }
    }

    func startInteraction(_ db: Database, _ call: Call, _ token: TalkdeskTokenState.Token) throws -> Decision {
        let interaction = Interaction(
            account: call.tenant.id, id: call.draw("interaction").plainHex, person: token.subject, app: call.field("app_id") ?? "",
            intention: call.field("intention") ?? "", metadata: call.body?["metadata"], created: call.now, updated: call.now)
        try InteractionState.insert(interaction, call.sandbox.id, db)
        try Talking(interaction, call.occasion, db).playScript(on: [.opened], in: interaction)
        return .answer(
            "interaction-started", ["id": .string(interaction.id), "state": .string(interaction.status.rawValue)],
            cause: "interaction \(interaction.id) of \(token.subject)")
    }

    func readInteraction(_ talking: Talking, _ call: Call) throws -> Decision {
        let interaction = talking.interaction
        let messages = try InteractionState.messages(of: interaction, call.sandbox.id, talking.db)
        return .answer(
            "interaction-read",
            .members([
                "id": .string(interaction.id), "state": .string(interaction.status.rawValue),
                "reason": interaction.reason.map { .string($0) }, "messages": .array(messages.map(\.json)),
            ]), cause: "\(interaction.status.rawValue), \(messages.count) messages")
    }

    func endInteraction(_ talking: Talking, _ call: Call) throws -> Decision {
        try Self.requireOpen(talking.interaction)
        var talking = talking
        try talking.end("closed_by_person")
        try talking.playScript(on: [.closed], in: talking.interaction)
        return .answer("interaction-closed", cause: "\(talking.interaction.person) ended it")
    }

    func sendToInteraction(_ talking: Talking, _ call: Call) throws -> Decision {
        try Self.requireOpen(talking.interaction)
        var talking = talking
        let message = try talking.say(call.field("text") ?? "", by: .person, talking.interaction.person)
        try talking.playScript(on: [.content, .text], in: talking.interaction, text: message.text, sequence: message.number)
        return .answer("message-sent", ["id": .string(message.id)], cause: "message \(message.number)")
    }

    private static func requireOpen(_ interaction: Interaction) throws {
        if let ended = interaction.ended { throw Refusal("interaction-ended", "interaction \(interaction.id) ended at \(ended)") }
    }
}
