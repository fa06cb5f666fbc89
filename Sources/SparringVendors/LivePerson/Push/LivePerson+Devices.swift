public import GRDB
import SparringEngine
public import SparringJSON
import SparringJournal
public import SparringSandbox

/// Proactive pushes by the admin API, and who is registered on a device.
extension LivePerson {
    /// `{"consumer","text","backendService":"prmsg|c2m","title","nickname","conversationId","lookBackPeriod","agentPid","campaignInfo"}`.
    func push(_ db: Database, _ request: AdminRequest, _ pushing: Occasion) throws -> Answer {
        let members = try Members(
            request.body,
            known: [
                "consumer", "text", "backendService", "title", "nickname", "conversationId", "lookBackPeriod", "agentPid",
                "campaignInfo",
            ])
        guard let name = try members.string("consumer"), !name.isEmpty else { throw members.error("consumer", "somebody must be named") }
        guard let text = try members.string("text"), !text.isEmpty else { throw members.error("text", "something must be said") }
        let service = try members.word("backendService", PushMessage.Service.self) ?? .prmsg
        guard service.isProactive else {
            throw members.error("backendService", "'ams' is an agent's message, which agents send; proactive ones are prmsg and c2m")
        }
        guard let consumer = try ConsumerNameState.newest(called: name, pushing.sandbox.id, db) else {
            throw try members.unknownConsumer(name, pushing.sandbox.id, db)
        }
        let conversation =
            try members.string("conversationId")
            ?? pushing.draw("proactive conversation").uuid
        var message = PushMessage(
            service: service, conversation: conversation, dialog: conversation, originator: "\(pushing.tenant.id).0",
            nickname: try members.string("nickname") ?? "Brand", text: text, sequence: 0)
        for name in ["lookBackPeriod", "agentPid", "campaignInfo", "title"] {
            if let value = members.object[name], !value.isNull { message.extra[name] = value }
        }
        let sender = message.extra["agentPid"]?.string ?? Messaging(pushing, db).controller.id
        let lifetime =
            try members.integer("lookBackPeriod", in: 0...ProactiveState.longest).map { .milliseconds($0) } ?? ProactiveState.lifetime
        try ProactiveState.keep(.init(sender: sender, text: text), for: consumer, until: pushing.now + lifetime, pushing.sandbox.id, db)
        let done = try PusherState.deliver(message, to: consumer, pushing, db).notes
        return Answer(
            "push-taken", ["done": .array(done.map { .string($0) })], cause: "a push was asked for: \(done.joined(separator: "; "))")
    }

    public func registrations(on device: String, of tenant: Tenant, _ db: Database) throws -> [JSON] {
        try PusherState.registrations(on: device, tenant.sandbox, db).map { registration -> JSON in
            .members([
                "consumer": .string(registration.subject), "appId": .string(registration.app),
                "registeredAt": .string(registration.registeredAt.description),
                "onlyProactive": registration.isOnlyProactive ? true : nil, "lang": registration.lang.map { .string($0) },
            ])
        }
    }
}
