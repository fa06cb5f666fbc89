import HTTPTypes
import SparringJSON
import Support

/// Pushes, the unread count and engagements: the seed's "User Logs into the App 3-6", "User is logged out of the App" and "User navigates
/// about the App".
extension ReferenceClient {
    private func pusher(_ method: HTTPRequest.Method, _ path: String, _ json: JSON? = nil) async throws -> Decision {
        let headers: HTTPFields = has(.registersWithoutCredentials) && method == .put ? [:] : [.authorization: "Bearer \(token ?? "")"]
        let target = "/mock/pusher/account/\(stage.scene.account)/\(path)"
        return Self.outcome(try await send(method, target, json, headers: headers))
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
        guard !isStopped, token != nil, way != .anonymous, !isPusherDown else { return }
        let body: JSON = ["deviceToken": .string(device), "pushType": "APNS", "lang": "en-US"]
        let outcome = try await reached { try await self.pusher(.put, "registrations/\(self.app)", body) }
        if case .done = outcome { isRegistered = true } else { isPusherDown = has(.registersBeforeTheStart) }
    }

    /// [getUnreadMessagesCount], which needs the registration.
    func countUnread() async throws {
        guard !has(.neverCounts), !isStopped, token != nil, way != .anonymous, isRegistered || has(.countsBeforeItRegisters) else { return }
        let outcome = try await reached { try await self.pusher(.get, "unread?appId=\(self.app)") }
        guard !isStopped else { return }
        var badge: JSON = 0
        if case .done(let answer) = outcome { badge = answer["total"] ?? 0 }
        if has(.showsAnotherBadge) { badge = 99 }
        try await stage.mark("badge", ["value": badge])
    }

    /// The system tells the app that its device has another push token.
    func takeNewToken() async throws {
        guard !has(.keepsTheOldPushToken), let renewed = try await stage.newToken(of: device) else { return }
        device = renewed
        try await register()
    }

    /// [logout] The device is unregistered first; where that fails the sign-out stays open.
    func signOut() async throws {
        if token != nil, way != .anonymous, !has(.forgetsToUnregister) {
            let isOneTry = has(.unregistersOnce)
            let outcome = try await retrying(limit: isOneTry ? 0 : nil, renew: { try await self.renew() }) {
                try await self.pusher(.delete, "registrations/\(self.has(.unregistersAnotherApp) ? "other.app" : self.app)?type=ALL")
            }
            if case .done = outcome { isRegistered = false } else if !isOneTry { return try await giveUp() }
        }
        guard token != nil else { return }
        (token, brandToken, isStopped) = (nil, nil, true)
        try await stage.mark("signed-out")
    }

    /// Comes to the foreground: the last push's badge is not the truth.
    func comeToTheForeground() async throws {
        try await takePushes()
        if !has(.trustsTheBadge) { try await countUnread() }
    }

    /// What the operating system has for the app.
    func takePushes() async throws {
        let all = try await stage.pushes(to: device)
        for push in all.dropFirst(pushesSeen) {
            if isWindowOpen, has(.leavesTheWindowAtAPush) { try await dropLine() }
            let payload = push["payload"]
            if payload?["brandId"] == nil, has(.takesOtherPushesForItsOwn) { try await stage.mark("push-shown") }
            guard payload?["brandId"]?.string == stage.scene.account, let dialog = payload?["dialogId"]?.string,
                let sequence = payload?["sequence"]?.integer
            else { continue }
            let isNew = pushesShown.insert("\(dialog) \(sequence)").inserted
            let wasRead = dialog == conversation && sequence < next
            guard has(.showsEveryPush) || isNew && !wasRead && !isWindowOpen else { continue }
            try await stage.mark("push-shown", ["dialog": .string(dialog), "sequence": .integer(sequence)])
        }
        pushesSeen = all.count
    }

    /// [getEngagement] Retried after 3, 10, 30 and 90 s (reference 9.3).
    func navigate() async throws {
        guard !isStopped else { return }
        let waits: [Double]? = has(.backsOffLinearly, .retriesForEver, .givesUpAfterTwoRetries) ? policy : [3, 10, 30, 90]
        _ = try await retrying(waits) {
            let query = [("v", "1.0"), ("vid", self.visitor), ("sid", self.session)].compactMap { name, value in
                value.map { "\(name)=\($0)" }
            }
            let target = "/api/account/\(self.stage.scene.account)/app/7c1e2b9a-5d40-4f66/engagement?\(query.joined(separator: "&"))"
            let answer = try await self.send(.post, target, [:])
            let outcome = Self.outcome(answer)
            guard !self.has(.losesTheVisitor) else { return outcome }
            if case .done(let engagement) = outcome {
                (self.visitor, self.session) = (engagement["visitorId"]?.string, engagement["sessionId"]?.string)
            } else if let named = answer?.json?["message"]?.string?.firstMatch(of: /vid: (\S+)$/) {
                self.visitor = String(named.output.1)
            }
            return outcome
        }
        if has(.asksAgainForAnEngagement) {
            let target =
                "/api/account/\(stage.scene.account)/app/7c1e2b9a-5d40-4f66/engagement?v=1.0&vid=\(visitor ?? "")&sid=\(session ?? "")"
            _ = try await retrying([3, 10, 30, 90]) { Self.outcome(try await self.send(.post, target, [:])) }
        }
    }
}
