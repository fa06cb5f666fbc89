import HTTPTypes
import SparringJSON
import Support

/// The user's actions in the app.
extension CompanyApp {
    /// The app starts, with what it has kept.
    func open() async throws {
        try await mark("started")
        (hasGivenUp, badge) = (false, 0)
        try await hangUp()
        if has(.clearsTheAnonymousSession), user == nil { session = nil }
        if has(.callsBeforeTheSession) {
            session = nil
            _ = try await send(.get, "/status", nil)
        }
        for _ in 0..<(has(.startsManySessions) ? 8 : 1) { guard try await start() else { return } }
        if let device, !has(.neverRegistersAgain) { try await register(device) }
        try await readStatus()
    }

    func signIn(_ name: String) async throws {
        user = has(.usesAMailAddress) ? "\(name)@example.com" : name
        try await mark("signed-in")
        if has(.forgetsToIdentify) { return try await wait(61) }
        guard try await start() else { return }
        if let device { try await register(device) }
        try await readStatus()
    }

    /// Deregisters with the leaving user's session first. If that cannot be done they stay signed in.
    func signOut() async throws {
        guard let leaving = user, session != nil else { return }
        try await leaveChat()
        if has(.ignoresAFailedDeregistration) {
            _ = try await call(.delete, "/push-token", ["deviceToken": .string(device ?? "")], attempts: 1)
        } else if isRegistered, !has(.forgetsToDeregister), !has(.changesTheUserOverARegistration) {
            let answer = try await call(.delete, "/push-token", ["deviceToken": .string(device ?? "")])
            guard let answer, answer.status == 204 else { return try await mark("gave-up") }
            isRegistered = false
        }
        (user, token) = (nil, nil)
        if has(.changesTheUserOverARegistration) { device = nil } else { session = nil }
        try await stage.mark("signed-out", lane: leaving)
    }

    /// The system has given the device a token.
    func register(_ token: String) async throws {
        device = has(.putsANameIntoTheToken) ? #"{"email":"ada@example.com"}"# : token
        guard session != nil else { return }
        let body: JSON.Object = ["deviceToken": .string(device ?? token), "platform": .string(platform.rawValue)]
        for attempt in 0..<3 where !hasGivenUp {
            if attempt > 0 { try await stage.pass(5) }
            let answer = try await user == nil ? call(.put, "/push-token", .object(body)) : identified(.put, "/push-token", body)
            if let answer, answer.status == 204 { return isRegistered = true }
        }
    }

    /// The number stays as it was where the status cannot be read.
    func readStatus() async throws {
        guard session != nil else { return }
        let answer = try await call(.get, "/status", attempts: 1)
        if has(.zeroesTheBadge), answer?.status != 200 { badge = 0 }
        if answer?.status == 200, let status = answer?.json {
            badge = status["unreadMessages"]?.integer(in: 0...1000) ?? badge
            try await mark("live", ["value": .bool((status["isLiveChat"] == true) != has(.invertsTheLiveSign))])
        }
        try await mark("badge", ["value": .integer(Int64(badge))])
    }

    // MARK: Chat

    func enterChat() async throws {
        guard line == nil, session != nil else { return }
        if has(.opensAnOldURL), let url = lastURL {
            let (stage, target) = (stage, url)
            _ = try? await stage.drive(timeOut: 20) { try await stage.open(target, headers: []) }
        }
        for attempt in 0..<4 where line == nil {
            if attempt > 0 { try await stage.pass(2) }
            guard let url = try await call(.post, "/socket-url")?.json?["url"]?.string, let path = url.firstRange(of: "/chat/") else {
                return
            }
            let (stage, target) = (stage, String(url[path.lowerBound...]))
            lastURL = target
            line = try await stage.drive(timeOut: 20) { try await stage.open(target, headers: []) }
        }
        guard line != nil else { return }
        badge = 0
        try await mark("badge", ["value": 0])
    }

    func leaveChat() async throws {
        guard line != nil else { return }
        try await mark("chat-closed")
        if has(.keepsTheSocketOpen) { try await stage.pass(10) }
        try await hangUp()
    }

    func hangUp() async throws {
        guard let line else { return }
        line.close()
        self.line = nil
        endings = try await stage.known(endings + 1)
    }

    func say(_ text: String) async throws {
        guard session != nil, !hasGivenUp else { return }
        sent += 1
        _ = try await call(.post, "/messages", ["clientMessageId": .string("\(stage.sandbox)-\(sent)"), "text": .string(text)])
    }

    /// Time passes: a socket that is lost is opened again, and pushes come.
    func wait(_ seconds: Double) async throws {
        var left = seconds
        while left > 0 {
            try await stage.pass(min(5, left))
            left -= 5
            if try await isLost() {
                line = nil
                endings = try await stage.known(endings + 1)
                if !has(.neverReopens) { try await enterChat() }
            }
            try await takePushes()
        }
    }

    /// The socket has ended. What came over it before is read.
    private func isLost() async throws -> Bool {
        guard let line else { return false }
        return try await line.arrived(isSettled: true).contains { event in
            if case .message = event { false } else { true }
        }
    }

    /// ASAPP's are those with a status.
    func takePushes() async throws {
        guard let device else { return }
        if !has(.ignoresANewToken), let token = try await stage.newToken(of: device) { return try await register(token) }
        let pushes = try await stage.pushes(to: device)
        for push in pushes.dropFirst(seenPushes) {
            let payload = push["payload"]
            guard
                let unread = payload?["UnreadMessages"]?.integer.map({ Int($0) })
                    ?? payload?["data"]?["UnreadMessages"]?.string.flatMap({ Int($0) })
            else {
                if has(.showsForeignPushes) { try await mark("push-shown", ["unread": 1]) }
                continue
            }
            badge = has(.countsPushesItself) ? pushes.count + 5 : unread
            try await mark("push-shown", ["unread": .integer(Int64(unread))])
            try await mark("badge", ["value": .integer(Int64(badge))])
        }
        seenPushes = pushes.count
    }

    func openPush() async throws {
        try await takePushes()
        guard seenPushes > 0 else { return }
        try await mark("push-opened")
        if has(.opensNothingFromAPush) { return try await wait(31) }
        try await enterChat()
    }
}
