import SparringVendorKit

/// Calling the customer's push endpoint (due work of the kind "push"; ASAPP reference 2.4 and 2.6).
extension ASAPP {
    enum PushResult: Sendable {
        /// Why it is not sent.
        case withdrawn(String)
        case sent(OutboundResult, isForeign: Bool)
    }

    func sendPush(_ call: DueCall) async throws -> PushResult {
        let push = CompanyPush(call.item.body)
        let (company, sandbox) = (call.tenant.id, call.sandbox.id)
        let standing = try await call.read { db in try PushTokenState.registrations(on: push.device, of: company, sandbox, db) }
        guard standing.contains(where: { $0.customer == push.customer }) else { return .withdrawn("the device was deregistered meanwhile") }
        let endpoint = call.settings(of: self).push
        let own = path(.receivePush, [tenantKey: company])
        let url = endpoint.url ?? own
        let isForeign = call.addresses.ownTarget(of: url) != own
        let request = push.request(to: endpoint, at: url)
        let result = await call.send(request, as: Operation.receivePush.rawValue) { request, effect, _ in
            switch effect {
            case "drop-push": []
            case "duplicate-push": [request, request]
            case "stale-badge": [push.asBefore.request(to: endpoint, at: url)]
            case "malformed-payload": [push.malformed(request)]
            case "wrong-credentials": [push.request(to: endpoint, at: url, secret: "not \(endpoint.secret)")]
            default: [request]
            }
        }
        return .sent(result, isForeign: isForeign)
    }

    func pushSent(_ db: Database, _ call: DueCall, _ result: PushResult) throws -> DueOutcome {
        let push = CompanyPush(call.item.body)
        let what = "push for \(push.name) to device \(push.device.abbreviated(to: 60))"
        switch result {
        case .withdrawn(let reason): return DueOutcome("\(what) not sent: \(reason)")
        case .sent(let result, let isForeign): return try conclude(push, what, result, isForeign, db, call)
        }
    }

    /// 200 is the only success, and a push is dropped after the last attempt: so a sister feature has it (AS-RTE; inferred).
    private func conclude(
        _ push: CompanyPush, _ what: String, _ result: OutboundResult, _ isForeign: Bool, _ db: Database, _ call: DueCall
    ) throws -> DueOutcome {
        let endpoint = call.settings(of: self).push
        let counted = "\(what), attempt \(push.attempt) of \(endpoint.waits.count + 1): "
        let words: String
        switch result {
        case .answered(let answer) where answer.status == 200:
            if isForeign {
                try arrive(endpoint.template.notification(push.body(for: endpoint)), at: push.device, push.name, call.sandbox, call.now, db)
            }
            return DueOutcome(
                counted + "accepted", findings: try leak(push, call.sandbox, db).map { [Finding("push-for-another", $0)] } ?? [])
        case .answered(let answer): words = "\(answer.status)" + (answer.cause.map { " (\($0))" } ?? "")
        case .timedOut(let reason), .failed(let reason): words = reason
        }
        guard push.attempt <= endpoint.waits.count else { return DueOutcome(counted + words + ": dropped") }
        let wait = endpoint.waits[push.attempt - 1]
        var next = push
        next.attempt += 1
        try call.sandbox.schedule(next.item(due: call.sandbox.clock.now + wait, causedBy: call.item.causedBy), db)
        return DueOutcome(counted + words + ": again in \(wait.words)")
    }

    /// Somebody else reads it (ASAPP reference 2.3, ASP-04).
    private func leak(_ push: CompanyPush, _ sandbox: Sandbox, _ db: Database) throws -> String? {
        guard let device = try sandbox.devices.device(push.device, db), device.vendor == name, let owner = device.owner,
            owner != push.customer, push.name != push.customer  // someone who never signed in looks like someone who signed in after them
        else { return nil }
        return "\(device.consumer ?? owner) reads on this device what was for \(push.name), who was never deregistered from it"
    }

    /// Shows a notification on its device, in the form that the app gets it.
    ///
    /// - Returns: its number there.
    @discardableResult
    func arrive(
        _ notification: PushNotification, at token: String, _ consumer: String?, _ sandbox: Sandbox, _ now: Timestamp, _ db: Database
    ) throws -> Int {
        let device = try sandbox.devices.device(token, db)
        let isApple = device?.pushType != "FCM"
        let payload = isApple ? notification.apns : notification.fcm
        let content = JSON.members([
            "vendor": .string(name), "appId": device.map { .string($0.app) }, "pushType": device.map { .string($0.pushType) },
            "consumer": (consumer ?? device?.consumer).map { .string($0) }, "badge": .integer(Int64(notification.unread)),
            "text": .string(notification.body), "payload": payload,
        ])
        var file: JSON?
        if isApple, let device {
            file = payload
            file?["Simulator Target Bundle"] = .string(device.app)
        }
        return try sandbox.devices.append(content, simulatorFile: file, to: token, at: now, db)
    }
}
