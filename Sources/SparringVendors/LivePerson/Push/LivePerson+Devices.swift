public import GRDB
public import SparringEngine
public import SparringJSON
import SparringJournal

/// Proactive pushes by the admin API, and the devices' inboxes.
extension LivePerson: PushSender {
    /// `{"consumer","text","backendService":"prmsg|c2m","title","nickname","conversationId","lookBackPeriod","agentPid","campaignInfo"}`.
    public func push(_ request: JSON, _ pushing: Intervention, _ db: Database) throws -> [String] {
        let members = try Members(
            request,
            known: [
                "vendor", "consumer", "text", "backendService", "title", "nickname", "conversationId", "lookBackPeriod", "agentPid",
                "campaignInfo",
            ])
        guard let name = try members.string("consumer"), !name.isEmpty else { throw members.error("consumer", "somebody must be named") }
        guard let text = try members.string("text"), !text.isEmpty else { throw members.error("text", "something must be said") }
        let service = try members.word("backendService", PushMessage.Service.self) ?? .prmsg
        guard service.isProactive else {
            throw members.error("backendService", "'ams' is an agent's message, which agents send; proactive ones are prmsg and c2m")
        }
        guard let consumer = try PusherState.consumer(name, pushing.sandbox.id, db) else {
            let nearest = Nearest.words(to: name, in: try PusherState.consumers(pushing.sandbox.id, db)).first
            throw members.error(
                "consumer", "nobody called '\(name)' has signed in" + (nearest.map { " (did you mean '\($0)'?)" } ?? ""))
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
        return try PusherState.deliver(message, to: consumer, PusherState.Context(pushing), db).notes
    }

    public func devices(in sandbox: String, _ db: Database) throws -> [JSON] {
        try PusherState.devices(sandbox, db).map { device in
            let registrations = try PusherState.registrations(on: device.token, sandbox, db).map { registration -> JSON in
                .members([
                    "consumer": .string(registration.subject), "appId": .string(registration.app),
                    "registeredAt": .string(registration.registeredAt.description),
                    "onlyProactive": registration.isOnlyProactive ? true : nil, "lang": registration.lang.map { .string($0) },
                ])
            }
            return [
                "token": .string(device.token), "vendor": .string(name), "appId": .string(device.app), "pushType": .string(device.pushType),
                "consumer": .string(device.ownerSubject), "registrations": .array(registrations),
                "notifications": .integer(Int64(try PushInboxState.count(device.token, sandbox, db))),
            ]
        }
    }

    public func notifications(
        on device: String, in sandbox: String, since: Int, limit: Int, _ db: Database
    ) throws -> [DeviceNotification]? {
        guard let known = try PusherState.device(device, sandbox, db) else { return nil }
        return try PushInboxState.read(device, since: since, limit: limit, sandbox, db).map { notification in
            let payload = PushPayload.deviceForm(of: notification.posted)
            return DeviceNotification(
                number: notification.number,
                json: .members([
                    "number": .integer(Int64(notification.number)), "time": .string(notification.time.description),
                    "device": .string(device), "vendor": .string(name), "appId": .string(known.app), "pushType": .string(known.pushType),
                    "consumer": notification.consumer.map { .string($0) },
                    "backendService": PushPayload.service(of: notification.posted).map { .string($0.rawValue) },
                    "badge": .integer(PushPayload.badge(of: notification.posted)),
                    "text": .string(PushPayload.text(of: notification.posted)),
                    "payload": payload,
                ]), simulatorFile: PushPayload.simulatorFile(payload, app: known.app))
        }
    }
}
