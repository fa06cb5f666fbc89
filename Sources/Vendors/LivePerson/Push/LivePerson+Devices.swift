import SparringVendorKit

/// Proactive pushes by the admin API, and who is registered on a device.
extension LivePerson {
    /// The body of `push`, without what the push carries as it is.
    private struct Push: Decodable {
        var text: String
        var backendService: PushMessage.Service
        var nickname: String
        var conversationId: String?
        var agentPid: String?
        /// In milliseconds.
        var lookBackPeriod: Int64?
    }

    func push(_ db: Database, _ request: AdminRequest, _ pushing: Occasion) throws -> Answer {
        let push: Push = try request.body.decoded()
        let consumer = try Aim(self, request, db).consumer().id
        let conversation = push.conversationId ?? pushing.draw("proactive conversation").uuid
        var message = PushMessage(
            service: push.backendService, conversation: conversation, dialog: conversation, originator: "\(pushing.tenant.id).0",
            nickname: push.nickname, text: push.text, sequence: 0)
        for name in ["lookBackPeriod", "agentPid", "campaignInfo", "title"] {
            if let value = request.body[name] { message.extra[name] = value }
        }
        let sender = push.agentPid ?? Messaging(pushing, db).controller.id
        let lifetime = push.lookBackPeriod.map { .milliseconds($0) } ?? ProactiveState.lifetime
        try ProactiveState.keep(
            .init(sender: sender, text: push.text), for: consumer, until: pushing.now + lifetime, pushing.sandbox.id, db)
        let done = try PusherState.deliver(message, to: consumer, pushing, db).notes
        return Answer("push-taken", done: done, heading: "a push was asked for: ")
    }

    func registrations(on device: String, of tenant: Tenant, _ db: Database) throws -> [JSON] {
        try PusherState.registrations(on: device, tenant.sandbox, db).map { registration -> JSON in
            .members([
                "consumer": .string(registration.subject), "appId": .string(registration.app),
                "registeredAt": .string(registration.registeredAt.description),
                "onlyProactive": registration.isOnlyProactive ? true : nil, "lang": registration.lang.map { .string($0) },
            ])
        }
    }
}
