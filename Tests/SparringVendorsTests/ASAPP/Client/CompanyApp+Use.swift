import HTTPTypes
import SparringJSON
import Support

/// What the user does with the app.
extension CompanyApp {
    /// The app starts, with what it has kept.
    func open() async throws {
        try await mark("started")
        (hasGivenUp, badge) = (false, 0)
        try await hangUp()
        guard try await start() else { return }
        if let device { try await register(device) }
        try await readStatus()
    }

    func signIn(_ name: String) async throws {
        user = name
        try await mark("signed-in")
        guard try await start() else { return }
        if let device { try await register(device) }
        try await readStatus()
    }

    /// Deregisters with the leaving user's session first. If that cannot be done they stay signed in.
    func signOut() async throws {
        guard let leaving = user, session != nil else { return }
        try await leaveChat()
        if isRegistered {
            let answer = try await call(.delete, "/push-token", ["deviceToken": .string(device ?? "")])
            guard let answer, answer.status == 204 else { return try await mark("gave-up") }
            isRegistered = false
        }
        (user, session, token) = (nil, nil, nil)
        try await stage.mark("signed-out", lane: leaving)
    }

    /// The system has given the device a token.
    func register(_ token: String) async throws {
        device = token
        guard session != nil else { return }
        let body: JSON.Object = ["deviceToken": .string(token), "platform": .string(platform.rawValue)]
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
        if answer?.status == 200, let status = answer?.json {
            badge = status["unreadMessages"]?.integer(in: 0...1000) ?? badge
            try await mark("live", ["value": status["isLiveChat"] ?? false])
        }
        try await mark("badge", ["value": .integer(Int64(badge))])
    }

    // MARK: Chat

    func enterChat() async throws {
        guard line == nil, session != nil else { return }
        for attempt in 0..<4 where line == nil {
            if attempt > 0 { try await stage.pass(2) }
            guard let url = try await call(.post, "/socket-url")?.json?["url"]?.string, let path = url.firstRange(of: "/chat/") else {
                return
            }
            let (stage, target) = (stage, String(url[path.lowerBound...]))
            line = try await stage.drive(timeOut: 20) { try await stage.open(target, headers: []) }
        }
        guard line != nil else { return }
        badge = 0
        try await mark("badge", ["value": 0])
    }

    func leaveChat() async throws {
        guard line != nil else { return }
        try await hangUp()
        try await mark("chat-closed")
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
                try await enterChat()
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
        if let token = try await stage.newToken(of: device) { return try await register(token) }
        let pushes = try await stage.pushes(to: device)
        for push in pushes.dropFirst(seenPushes) {
            let payload = push["payload"]
            guard
                let unread = payload?["UnreadMessages"]?.integer.map({ Int($0) })
                    ?? payload?["data"]?["UnreadMessages"]?.string.flatMap({ Int($0) })
            else { continue }
            badge = unread
            try await mark("push-shown", ["unread": .integer(Int64(unread))])
            try await mark("badge", ["value": .integer(Int64(unread))])
        }
        seenPushes = pushes.count
    }

    func openPush() async throws {
        try await takePushes()
        guard seenPushes > 0 else { return }
        try await mark("push-opened")
        try await enterChat()
    }
}
