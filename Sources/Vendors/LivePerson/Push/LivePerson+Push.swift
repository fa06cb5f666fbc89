import SparringVendorKit

/// Sending pushes (due work of the kind "push"), and the providers and devices that get them (tag "Push").
extension LivePerson {
    /// For whom a push is that LivePerson posts to Sparring itself; never sent to another server.
    private static let recipient = HTTPField.Name("X-Sparring-Push-For")!

    enum PushResult: Sendable {
        /// Why it is not sent any more.
        case withdrawn(String)
        case sent(OutboundResult, isForeign: Bool)
    }

    func sendPush(_ call: DueCall) async throws -> PushResult {
        let attempt = PushAttempt(call.item.body)
        let sandbox = call.sandbox.id
        let standing = try await call.read { db in
            try PusherState.registration(of: attempt.consumer, app: attempt.app, sandbox, db)
        }
        guard let standing, standing.id == attempt.registration, standing.device == attempt.device else {
            return .withdrawn("the registration is gone")
        }
        if standing.isOnlyProactive, !attempt.isProactive { return .withdrawn("unregistered from agents' messages meanwhile") }
        let own = path(.deliverPush, [tenantKey: call.tenant.id])
        let proxy = call.settings(of: self).push.proxy(of: attempt.app)
        let isForeign = proxy.map { call.addresses.ownTarget(of: $0.url) != own } ?? false
        var headers = proxy?.fields ?? [.contentType: "application/json"]
        if !isForeign { headers[Self.recipient] = attempt.subject }
        let request = OutboundRequest(
            .post, proxy?.url ?? own, headers: headers, body: attempt.posted.bytes, timeout: proxy?.timeout ?? .seconds(10),
            tls: proxy?.tls)
        let result = await call.send(request, as: Operation.deliverPush.rawValue) { request, effect, _ in
            PushPayload.disturbed(attempt.posted, by: effect).map { posted in
                var changed = request
                changed.body = posted.bytes
                return changed
            }
        }
        return .sent(result, isForeign: isForeign)
    }

    func pushSent(_ db: Database, _ call: DueCall, _ result: PushResult) throws -> DueOutcome {
        let attempt = PushAttempt(call.item.body)
        let what = "push for \(attempt.subject) to device \(attempt.device)"
        switch result {
        case .withdrawn(let reason): return DueOutcome("\(what) not sent: \(reason)")
        case .sent(let result, let isForeign): return try conclude(attempt, what, result, isForeign, db, call)
        }
    }

    /// The meanings of the answers are LivePerson reference 8.4's; that no answer at all is tried again like a 5XX is assumed.
    private func conclude(
        _ attempt: PushAttempt, _ what: String, _ result: OutboundResult, _ isForeign: Bool, _ db: Database, _ call: DueCall
    ) throws -> DueOutcome {
        let counted = "\(what), attempt \(attempt.number) of \(PushAttempt.limit): "
        let words: String
        switch result {
        case .answered(let answer) where 200..<300 ~= answer.status:
            // Sparring's own device took it when it was posted; what a stranger accepted is on its device now.
            if isForeign {
                try arrive(attempt.posted, at: attempt.device, for: attempt.subject, call.sandbox, call.now, db)
            }
            return DueOutcome(counted + "accepted", findings: try leak(attempt, call.sandbox.id, db).map { [Finding("leak", $0)] } ?? [])
        case .answered(let answer) where answer.status >= 500: words = "\(answer.status)"
        case .answered(let answer):
            let meaning =
                switch answer.status {
                case 401: "401, the service token or key is denied"
                case 403: "403, this device's token cannot receive"
                default: "\(answer.status)"
                }
            return DueOutcome(counted + meaning + ": not sent again")
        case .timedOut(let reason), .failed(let reason): words = reason
        }
        guard attempt.number < PushAttempt.limit else { return DueOutcome(counted + words + ": given up") }
        var next = attempt
        next.number += 1
        try call.sandbox.schedule(next.item(due: call.sandbox.clock.now + PushAttempt.interval, causedBy: call.item.causedBy), db)
        return DueOutcome(counted + words + ": again in \(PushAttempt.interval.words)")
    }

    private func leak(_ attempt: PushAttempt, _ sandbox: String, _ db: Database) throws -> String? {
        guard let device = try DeviceInbox(of: sandbox).device(attempt.device, db), device.owner != attempt.consumer else { return nil }
        // Who signs out may go on getting proactive messages; that is what unregistering from agents' messages alone is for.
        if try PusherState.registration(of: attempt.consumer, app: attempt.app, sandbox, db)?.isOnlyProactive == true { return nil }
        return "\(device.consumer ?? "nobody") reads on this device what was for \(attempt.subject), who was never unregistered from it"
    }

    /// The provider takes the push and the device shows it.
    func deliverPush(_ db: Database, _ call: Call) throws -> Decision {
        let token = call.field("device-token") ?? ""
        guard let device = try call.sandbox.devices.device(token, db) else {
            throw Refusal("device-unknown", "no device with the token '\(token)' was ever registered")
        }
        if let renewed = device.renewed {
            throw Refusal("device-unknown", "the device of the token '\(token)' now has the token '\(renewed)'")
        }
        let posted = call.body ?? [:]
        let number = try arrive(posted, at: token, for: call.header(Self.recipient), call.sandbox, call.now, db)
        return .answer(
            "push-accepted", ["status": "accepted"],
            cause: "notification \(number) on \(device.consumer ?? "nobody")'s device \(token), badge \(PushPayload.badge(of: posted))")
    }

    /// Shows a push on its device.
    ///
    /// - Returns: its number there.
    @discardableResult
    private func arrive(
        _ posted: JSON, at token: String, for consumer: String?, _ sandbox: Sandbox, _ now: Timestamp, _ db: Database
    ) throws -> Int {
        let (content, file) = PushPayload.shown(posted, on: try sandbox.devices.device(token, db), for: consumer)
        return try sandbox.devices.append(content, simulatorFile: file, to: token, at: now, db)
    }
}
