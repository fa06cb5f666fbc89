import GRDB
import SparringEngine
import SparringJSON
import SparringJournal
import SparringSandbox

/// What Talkdesk adds to the admin API.
extension Talkdesk {
    func adminHandler(of operation: AdminOperation) -> AdminHandler {
        switch operation {
        case .join: act(.join)
        case .say: act(.say)
        case .close: act(.close)
        case .signOut: .act(in: { db, request in try InteractionAim(request.body, request.tenant, db).consumer() ?? "" }, signOut)
        case .readConversation: .read(readConversation)
        }
    }

    /// What an agent does in an interaction, in the lane of its person.
    private func act(_ kind: Act) -> AdminHandler {
        .act(in: { db, request in try InteractionAim(request.body, request.tenant, db).interaction().person }) { db, request, occasion in
            let aim = try InteractionAim(request.body, request.tenant, db)
            let interaction = try aim.interaction()
            let agent = try aim.agent(for: interaction)
            var talking = Talking(interaction, occasion, db)
            let acted = try talking.perform(DeskAct(kind, request.body), by: agent).get()
            let json = JSON.members([
                "conversation": .string(interaction.id), "consumer": .string(interaction.person), "agent": agent.json,
                "act": .string(kind.rawValue), "sequence": acted.sequence.map { .integer(Int64($0)) },
                "done": .array(acted.done.map { .string($0) }),
            ])
            return Answer("agent-acted", json, cause: "\(agent.name) to \(interaction.person): \(acted.done.joined(separator: "; "))")
        }
    }

    /// Playing the steps of agents' scripts: due work of the kind "agentStep".
    func playStep(_ db: Database, _ call: DueCall) throws -> DueOutcome {
        let body = call.item.body
        let agent = call.settings(of: self).agents.first { $0.id == body["agent"]?.string }
        let what = "step \(body["step"]?.text ?? "?") of \(agent?.name ?? "an agent")'s script"
        let id = body["interaction"]?.string ?? ""
        guard let agent, let interaction = try InteractionState.interaction(id, of: call.tenant.id, call.sandbox.id, db) else {
            return DueOutcome("\(what) not played: the interaction is gone")
        }
        var talking = Talking(interaction, call.occasion, db)
        switch try talking.perform(try DeskAct(body["do"] ?? [:], at: .root), by: agent) {
        case .failure(let refusal): return DueOutcome("\(what) not played: \(refusal.cause)", details: ["do": body["do"] ?? [:]])
        case .success(let acted): return DueOutcome("\(what): \(acted.done.joined(separator: "; "))")
        }
    }

    private func signOut(_ db: Database, _ request: AdminRequest, _ occasion: Occasion) throws -> Answer {
        let members = try Members(request.body, known: ["consumer", "reason"])
        guard let consumer = try InteractionAim(request.body, request.tenant, db).consumer() else {
            throw members.error("consumer", "somebody must be named")
        }
        try occasion.signsOut(consumer, db)
        let (account, sandbox) = (request.tenant.id, request.sandbox.id)
        let access = try TalkdeskTokenState.revoke(of: consumer, account, at: occasion.now, sandbox, db)
        let refresh = try TalkdeskGrantState.revoke(of: consumer, account, at: occasion.now, sandbox, db)
        let done = [(access, "access token"), (refresh, "refresh token")].map { "\($0) \($1)\($0 == 1 ? "" : "s") revoked" }
        let reason = try members.string("reason").map { " (\($0))" } ?? ""
        return Answer(
            "signed-out", ["done": .array(done.map { .string($0) })],
            cause: "\(consumer) was signed out\(reason): \(done.joined(separator: "; "))")
    }
}
