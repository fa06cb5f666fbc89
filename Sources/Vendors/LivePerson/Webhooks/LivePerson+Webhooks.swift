import SparringVendorKit

/// Posting notifications to apps (due work of the kinds "webhook" and "webhookBacklog"), and the app that Sparring plays itself (tag "Webhooks").
extension LivePerson {
    static let webhookEvents = "ms.MessagingEventNotification"
    static let webhookConversations = "cqm.ExConversationChangeNotification"

    /// "A response delay of over 5 seconds will lead to a read timeout" (Webhooks, Notification Protocol; the page on retries says 10).
    private static let webhookTimeout = Duration.seconds(5)

    enum WebhookResult: Sendable {
        /// Why it is not sent.
        case withdrawn(String)
        /// Earlier ones of the conversation wait.
        case held
        case sent(WebhookNotification, OutboundResult)
    }

    // MARK: The first attempt, and those by number

    func sendNotification(_ call: DueCall) async throws -> WebhookResult {
        guard let notification = WebhookNotification(call.item.body) else { return .withdrawn("it cannot be read") }
        let backlog = WebhookBacklog(app: notification.app, conversation: notification.conversation)
        let sandbox = call.sandbox.id
        if try await call.read({ db in try backlog.first(sandbox, db) }) != nil { return .held }
        return await send(notification, call)
    }

    func notificationSent(_ db: Database, _ call: DueCall, _ result: WebhookResult) throws -> DueOutcome {
        guard let notification = WebhookNotification(call.item.body) else { throw ToolError("a notification cannot be read") }
        var backlog = WebhookBacklog(app: notification.app, conversation: notification.conversation)
        switch result {
        case .withdrawn(let reason): return DueOutcome("\(notification.words) not sent: \(reason)")
        case .held:
            try backlog.append(notification, call.sandbox.id, db)
            // If the last attempt failed inside Sparring, no due item is left to send them.
            if try !call.sandbox.hasDueWork(of: name, key: backlog.key, db) {
                try call.sandbox.schedule(backlog.item(at: call.sandbox.clock.now, causedBy: call.item.causedBy), db)
            }
            return DueOutcome("\(notification.words) waits for those before it")
        case .sent(_, let result):
            let counted = "\(notification.words), attempt \(notification.attempt): "
            guard let failure = Self.failure(result) else { return DueOutcome(counted + "accepted") }
            let app = installation(notification.app, call)
            let retries = app?.webhooks.endpoints[notification.event]?.retries
            if app?.webhooks.retention != nil {
                guard retries != 0 else { return DueOutcome(counted + failure + ": dropped, as max_retries is 0") }
                try backlog.append(notification, call.sandbox.id, db)
                backlog.failures = 1
                try call.sandbox.schedule(backlog.item(at: call.sandbox.clock.now, causedBy: call.item.causedBy), db)
                return DueOutcome(counted + failure + ": again in \(backlog.wait.words)")
            }
            guard notification.attempt <= retries ?? 0 else { return DueOutcome(counted + failure + ": dropped") }
            var next = notification
            next.attempt += 1
            try call.sandbox.schedule(
                next.item(due: call.sandbox.clock.now + WebhookNotification.interval, causedBy: call.item.causedBy), db)
            return DueOutcome(counted + failure + ": again in \(WebhookNotification.interval.words)")
        }
    }

    // MARK: Those within the retention time

    func sendBacklog(_ call: DueCall) async throws -> WebhookResult {
        guard let backlog = WebhookBacklog(call.item.body) else { return .withdrawn("it cannot be read") }
        guard installation(backlog.app, call) != nil else { return .withdrawn("there is no such app installation any more") }
        let (sandbox, oldest) = (call.sandbox.id, call.now - retention(backlog.app, call))
        guard let notification = try await call.read({ db in try backlog.first(since: oldest, sandbox, db) }) else {
            return .withdrawn("the retention time is over")
        }
        return await send(notification, call)
    }

    func backlogSent(_ db: Database, _ call: DueCall, _ result: WebhookResult) throws -> DueOutcome {
        guard var backlog = WebhookBacklog(call.item.body) else { throw ToolError("what waits cannot be read") }
        let sandbox = call.sandbox.id
        switch result {
        case .held: throw ToolError("what waits cannot wait for itself")
        case .withdrawn(let reason):
            guard installation(backlog.app, call) != nil else {
                try backlog.removeAll(sandbox, db)
                return DueOutcome("\(call.item.what): dropped: \(reason)")
            }
            // Where none is too old, the first has no endpoint any more; those behind it may have one.
            if try backlog.dropOutdated(since: call.now - retention(backlog.app, call), sandbox, db) == 0 {
                try backlog.removeFirst(sandbox, db)
            }
            backlog.failures = 0
            return try follow(backlog, "\(call.item.what): dropped: \(reason)", call, db)
        case .sent(let notification, let result):
            let dropped = try backlog.dropOutdated(since: call.now - retention(backlog.app, call), sandbox, db)
            var words = "\(notification.words), retry \(backlog.failures): "
            if dropped > 0 { backlog.failures = 0 }
            if let failure = Self.failure(result) {
                backlog.failures += 1
                words += failure
            } else {
                try backlog.removeFirst(sandbox, db)
                backlog.failures = 0
                words += "accepted"
            }
            return try follow(backlog, words + (dropped > 0 ? "; \(dropped) before it dropped" : ""), call, db)
        }
    }

    /// Schedules the next notification, where there is one: at once, or after a wait that begins now.
    private func follow(_ backlog: WebhookBacklog, _ words: String, _ call: DueCall, _ db: Database) throws -> DueOutcome {
        guard try backlog.first(call.sandbox.id, db) != nil else { return DueOutcome(words) }
        try call.sandbox.schedule(backlog.item(at: call.sandbox.clock.now, causedBy: call.item.causedBy), db)
        return DueOutcome(words + (backlog.failures > 0 ? ": again in \(backlog.wait.words)" : ", the next follows"))
    }

    private func retention(_ app: String, _ call: DueCall) -> Duration { installation(app, call)?.webhooks.retention ?? .zero }

    // MARK: One attempt

    private func installation(_ id: String, _ call: DueCall) -> AppInstallation? {
        call.settings(of: self).appInstallations.first { $0.id == id }
    }

    private func send(_ notification: WebhookNotification, _ call: DueCall) async -> WebhookResult {
        guard let app = installation(notification.app, call), let endpoint = app.webhooks.endpoints[notification.event] else {
            return .withdrawn("the app has no endpoint for it any more")
        }
        let body = notification.posted.bytes
        let headers: HTTPFields = [
            .contentType: "application/json", .accountId: call.tenant.id, .clientId: app.clientId, .signature: app.signature(of: body),
        ]
        let request = OutboundRequest(.post, endpoint.url, headers: headers, body: body, timeout: Self.webhookTimeout)
        let result = await call.send(request, as: Operation.deliverNotification.rawValue) { request, effect, _ in
            switch effect {
            case "drop-notification": return []
            case "duplicate-notification": return [request, request]
            case "wrong-signature":
                var forged = request
                forged.headers[.signature] = app.signature(of: body, secret: "not \(app.clientSecret)")
                return [forged]
            default: return [request]
            }
        }
        return .sent(notification, result)
    }

    /// "An endpoint is expected to respond with either a 200 or 201" (Webhooks, Notification Protocol).
    ///
    /// - Returns: what went wrong; nil: it was taken.
    private static func failure(_ result: OutboundResult) -> String? {
        switch result {
        case .answered(let answer): answer.status == 200 || answer.status == 201 ? nil : "\(answer.status)"
        case .timedOut(let reason), .failed(let reason): reason
        }
    }

    // MARK: The app at the other end

    /// An app checks the client id and the signature.
    func deliverNotification(_ db: Database, _ call: Call) throws -> Decision {
        let id = call.header(.clientId) ?? ""
        guard let app = call.settings(of: self).appInstallations.first(where: { $0.clientId.isSame(as: id) }) else {
            throw Refusal("client-unknown", "no app installation has the client id \(id.quoted)")
        }
        // The pipeline reads the body and hands it on as JSON, which is written as it was signed.
        guard call.header(.signature) == app.signature(of: (call.body ?? [:]).bytes) else {
            throw Refusal("signature-invalid", "the signature is not that of the body by the secret of \(app.clientId)")
        }
        let type = call.field("type") ?? ""
        return .answer("notification-accepted", [:], cause: "\(type) for app installation \(app.id)")
    }
}

extension HTTPField.Name {
    fileprivate static let accountId = HTTPField.Name("x-liveperson-account-id")!
    fileprivate static let clientId = HTTPField.Name("x-liveperson-client-id")!
    fileprivate static let signature = HTTPField.Name("x-liveperson-signature")!
}
