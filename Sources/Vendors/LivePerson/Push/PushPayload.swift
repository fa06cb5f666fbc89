import SparringVendorKit

/// A message that is to be pushed to a consumer.
struct PushMessage: Sendable {
    enum Service: String, Decodable, Sendable {
        /// An agent's message.
        case ams
        /// A proactive message.
        case prmsg
        /// A call deflected to messaging.
        case c2m

        var isProactive: Bool { self != .ams }
    }

    var service = Service.ams
    var conversation: String
    var dialog: String
    /// `account.agentNumber`.
    var originator: String
    var nickname: String
    var text: String
    /// The sequence of the message that the push announces.
    var sequence: Int
    /// Members of proactive ones: `lookBackPeriod`, `agentPid`, `campaignInfo`, `title` (LivePerson reference 8.5 and 8.6).
    var extra: JSON.Object = [:]
}

/// A push in its forms: as it is POSTed to the brand's push proxy, as the device gets it, and as a file for the iOS simulator.
enum PushPayload {
    typealias PushType = PushSettings.PushType

    /// LivePerson reference 8.4. Proactive members are at the top for APNs, inside `payload` for the others (assumed, 8.6).
    static func proxyForm(_ message: PushMessage, account: String, pushType: PushType, device: String, badge: Int) -> JSON {
        var members: JSON.Object = [
            "backendService": .string(message.service.rawValue), "conversationId": .string(message.conversation),
            "dialogId": .string(message.dialog), "originatorId": .string(message.originator), "brandId": .string(account),
            "badge": .integer(Int64(badge)), "sequence": .integer(Int64(message.sequence)),
        ]
        for (name, value) in message.extra { members[name] = value }
        if pushType != .apns {
            // What getPushMessageId and the notification of Android's SDK are made of (LivePerson reference 8.5, PushMessage); where they stand is
            // assumed.
            members["id"] = .string("\(message.dialog):\(message.sequence)")
            members["from"] = .string(message.nickname)
        }
        let (number, type): (Int64, String) =
            switch pushType {
            case .apns: (1, "apn")
            case .fcm: (2, "gcm")
            case .huawei: (3, "huawei")
            }
        var form: JSON
        if pushType == .apns {
            form = [
                "aps": ["alert": .string("\(message.nickname): \(message.text)"), "sound": "default"], "push-service": .integer(number),
                "device-token": .string(device),
            ]
            for (name, value) in members { form[name] = value }
        } else {
            form = [
                "data": ["message": .string(message.text), "payload": .object(members)], "push-service": .integer(number),
                "device-token": .string(device),
            ]
        }
        form["notificationType"] = .string(type)
        return form
    }

    /// LivePerson reference 8.5: what the provider hands to the app. FCM's data are strings, so `payload` is JSON in a string (inferred).
    static func deviceForm(of proxyForm: JSON) -> JSON {
        var form = proxyForm
        form["push-service"] = nil
        form["device-token"] = nil
        guard form["data"] != nil else { return form }
        form["notificationType"] = nil
        if let payload = form["data"]?["payload"], payload.string == nil { form["data"]?["payload"] = .string(payload.text) }
        return form
    }

    /// The `.apns` file that the simulator's push command takes: the device form, and the app to hand it to. The SDK's debug builds register
    /// under their bundle id with `-Dev` behind it (LivePerson reference 8.1), which is not the bundle's.
    static func simulatorFile(_ deviceForm: JSON, app: String) -> JSON? {
        guard deviceForm["aps"] != nil else { return nil }
        let bundle = ["-Dev", "-dev"].first(where: app.hasSuffix).map { String(app.dropLast($0.count)) } ?? app
        var file: JSON = ["Simulator Target Bundle": .string(bundle)]
        for (name, value) in deviceForm.object ?? [:] { file[name] = value }
        return file
    }

    static func service(of proxyForm: JSON) -> PushMessage.Service? {
        (proxyForm["backendService"] ?? proxyForm["data"]?["payload"]?["backendService"])?.string.flatMap(
            PushMessage.Service.init(rawValue:))
    }

    /// Strangers post pushes too: what no app's badge can be is 0.
    static func badge(of proxyForm: JSON) -> Int64 {
        let badge = proxyForm["badge"] ?? proxyForm["data"]?["payload"]?["badge"]
        return badge?.integer(in: Int64(Int32.min)...Int64(Int32.max)) ?? 0
    }

    /// The words that the consumer reads.
    static func text(of proxyForm: JSON) -> String { (proxyForm["aps"]?["alert"] ?? proxyForm["data"]?["message"])?.string ?? "" }

    // MARK: Faults

    /// The bodies that are POSTed in place of a push that an effect of the contract's (`x-effects` of deliverPush) strikes.
    static func disturbed(_ posted: JSON, by effect: String) -> [JSON] {
        switch effect {
        case "drop-push": []
        case "duplicate-push": [posted, posted]
        case "stale-badge": [changed(posted) { $0["badge"] = .integer(max(0, badge(of: posted) - 1)) }]
        case "malformed-payload": [malformed(posted)]
        default: [posted]
        }
    }

    /// The members are at the top for APNs, inside `payload` for the others.
    private static func changed(_ posted: JSON, _ change: (inout JSON) -> Void) -> JSON {
        var posted = posted
        guard var payload = posted["data"]?["payload"] else {
            change(&posted)
            return posted
        }
        change(&payload)
        posted["data"]?["payload"] = payload
        return posted
    }

    /// Half of the JSON for FCM and Huawei; for APNs, which lets no broken JSON through, the identifiers are no strings.
    private static func malformed(_ posted: JSON) -> JSON {
        var posted = posted
        if let payload = posted["data"]?["payload"] {
            let text = payload.text
            posted["data"]?["payload"] = .string(String(text.prefix(text.count / 2)))
            return posted
        }
        for name in ["conversationId", "dialogId", "backendService"] { posted[name] = [] }
        return posted
    }

    /// A push on its device as the admin API shows it, and the file that the iOS simulator takes.
    static func shown(_ posted: JSON, on device: Device?, for consumer: String?) -> (content: JSON, file: JSON?) {
        let payload = deviceForm(of: posted)
        let content = JSON.members([
            "vendor": .string(LivePerson.vendorName), "appId": device.map { .string($0.app) },
            "pushType": device.map { .string($0.pushType) },
            "consumer": consumer.map { .string($0) }, "backendService": service(of: posted).map { .string($0.rawValue) },
            "badge": .integer(badge(of: posted)), "text": .string(text(of: posted)), "payload": payload,
        ])
        return (content, device.flatMap { simulatorFile(payload, app: $0.app) })
    }
}
