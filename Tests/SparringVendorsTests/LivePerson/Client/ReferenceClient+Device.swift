import HTTPTypes
import SparringJSON
import Support

/// Pushes, the unread count and engagements: the SDK flows' "User Logs into the App 3-6", "User is logged out of the App" and "User navigates
/// about the App".
extension ReferenceClient {
    private func pusher(_ method: HTTPRequest.Method, _ path: String, _ json: JSON? = nil) async throws -> Decision {
        let target = "/mock/pusher/account/\(stage.scene.account)/\(path)"
        return Self.outcome(try await send(method, target, json, headers: [.authorization: "Bearer \(token ?? "")"]))
    }

    private func reached(_ call: () async throws -> Decision) async throws -> Decision {
        let outcome = try await retrying(renew: { try await self.renew() }, call)
        switch outcome {
        case .unavailable, .unauthorized: try await giveUp()
        case .done, .refused: break
        }
        return outcome
    }

    /// [registerPushNotifications, registerLPPusher]
    func register() async throws {
        guard !isStopped, token != nil, way != .anonymous else { return }
        let body: JSON = ["deviceToken": .string(device), "pushType": "APNS", "lang": "en-US"]
        let outcome = try await reached { try await self.pusher(.put, "registrations/\(self.app)", body) }
        if case .done = outcome { isRegistered = true }
    }

    /// [getUnreadMessagesCount], which needs the registration.
    func countUnread() async throws {
        guard !isStopped, token != nil, way != .anonymous, isRegistered else { return }
        let outcome = try await reached { try await self.pusher(.get, "unread?appId=\(self.app)") }
        guard !isStopped else { return }
        var badge: JSON = 0
        if case .done(let answer) = outcome { badge = answer["total"] ?? 0 }
        try await stage.mark("badge", ["value": badge])
    }

    /// The system tells the app that its device has another push token.
    func takeNewToken() async throws {
        guard let renewed = try await stage.newToken(of: device) else { return }
        device = renewed
        try await register()
    }

    /// [logout] The device is unregistered first; where that fails the sign-out stays open.
    func signOut() async throws {
        if token != nil, way != .anonymous {
            let outcome = try await retrying(renew: { try await self.renew() }) {
                try await self.pusher(.delete, "registrations/\(self.app)?type=ALL")
            }
            guard case .done = outcome else { return try await giveUp() }
            isRegistered = false
        }
        guard token != nil else { return }
        (token, brandToken, isStopped) = (nil, nil, true)
        try await stage.mark("signed-out")
    }

    /// Comes to the foreground: the last push's badge is not the truth.
    func comeToTheForeground() async throws {
        try await takePushes()
        try await countUnread()
    }

    /// Handles the pushes that the operating system has for the app.
    func takePushes() async throws {
        let all = try await stage.pushes(to: device)
        for push in all.dropFirst(pushesSeen) {
            let payload = push["payload"]
            guard payload?["brandId"]?.string == stage.scene.account, let dialog = payload?["dialogId"]?.string,
                let sequence = payload?["sequence"]?.integer
            else { continue }
            let isNew = pushesShown.insert("\(dialog) \(sequence)").inserted
            let wasRead = dialog == conversation && sequence < next
            guard isNew, !wasRead, !isWindowOpen else { continue }
            try await stage.mark("push-shown", ["dialog": .string(dialog), "sequence": .integer(sequence)])
        }
        pushesSeen = all.count
    }

    /// [getEngagement] Retried after 3, 10, 30 and 90 s (LivePerson reference 9.3).
    func navigate() async throws {
        guard !isStopped else { return }
        _ = try await retrying([3, 10, 30, 90]) {
            let query = [("v", "1.0"), ("vid", self.visitor), ("sid", self.session)].compactMap { name, value in
                value.map { "\(name)=\($0)" }
            }
            let target = "/api/account/\(self.stage.scene.account)/app/7c1e2b9a-5d40-4f66/engagement?\(query.joined(separator: "&"))"
            let answer = try await self.send(.post, target, [:])
            let outcome = Self.outcome(answer)
            if case .done(let engagement) = outcome {
                (self.visitor, self.session) = (engagement["visitorId"]?.string, engagement["sessionId"]?.string)
            } else if let named = answer?.json?["message"]?.string?.firstMatch(of: /vid: (\S+)$/) {
                self.visitor = String(named.output.1)
            }
            return outcome
        }
    }
}
