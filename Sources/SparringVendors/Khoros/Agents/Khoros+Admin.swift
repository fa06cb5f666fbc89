import GRDB
import SparringEngine
import SparringJSON
import SparringJournal
import SparringSandbox

/// What Khoros adds to the admin API.
extension Khoros {
    func adminHandler(of operation: AdminOperation) -> AdminHandler {
        switch operation {
        case .say: act(.say)
        case .card: act(.card)
        case .file: act(.file)
        case .typing: act(.typing)
        case .pause: act(.pause)
        case .read: act(.read)
        case .open: act(.open)
        case .close: act(.close)
        case .issueAuthCode: .act(in: Self.lane, issueAuthCode)
        case .readConversation: .read(readConversation)
        }
    }

    private static func lane(_ db: Database, _ request: AdminRequest) throws -> String {
        try UserAim(request.body, request.tenant, db).user().name
    }

    /// What the business does in a conversation, in the lane of its user.
    private func act(_ kind: Act) -> AdminHandler {
        .act(
            checking: { (body: JSON) throws(ConfigurationError) in try kind.check(body, at: .root) }, in: Self.lane
        ) { db, request, occasion in
            let aim = try UserAim(request.body, request.tenant, db)
            let (user, agent) = (try aim.user(), try aim.agent())
            let base = occasion.sandbox.openSockets(of: Messenger.owner(user.id, of: user.app)).first?.base ?? ""
            let messenger = Messenger(occasion, db, vendor: self, user: user, base: base)
            let acted = try messenger.perform(DeskAct(kind, request.body), by: agent, in: kind == .open ? nil : aim.conversation()).get()
            let json = JSON.members([
                "conversation": .string(acted.conversation.id), "consumer": .string(user.name),
                "agent": ["userId": .string(agent.id), "nickname": .string(agent.name)], "act": .string(kind.rawValue),
                "sequence": acted.sequence.map { .integer(Int64($0)) }, "delivery": .string(acted.delivery.rawValue),
                "done": .array(acted.done.map { .string($0) }),
            ])
            return Answer("agent-acted", json, cause: "\(agent.name) to \(user.name): \(acted.done.joined(separator: "; "))")
        }
    }

    private func issueAuthCode(_ db: Database, _ request: AdminRequest, _ occasion: Occasion) throws -> Answer {
        let user = try UserAim(request.body, request.tenant, db).user()
        let lifetime: Duration = try (request.body["lifetime"] ?? .null).decoded()
        let code = AuthCodeState.Code(
            app: user.app, code: String(occasion.secret("auth code").hex.prefix(32)), user: user.id, expiresAt: occasion.now + lifetime)
        try AuthCodeState.insert(code, occasion.sandbox.id, db)
        try occasion.sandbox.issued(code.code, to: user.name, db)
        return Answer(
            "code-issued", ["code": .string(code.code), "expiresAt": .string(code.expiresAt.description)],
            cause: "an auth code for \(user.name)")
    }
}
