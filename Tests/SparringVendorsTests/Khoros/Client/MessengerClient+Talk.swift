import HTTPTypes
import SparringJSON
import Support

/// The conversation, and the socket.
extension MessengerClient {
    /// Before anybody has logged in too.
    func say(_ text: String) async throws {
        guard isReady, !hasGivenUp else { return }
        let message: JSON = ["text": .string(text), "role": "appUser", "type": "text"]
        let begun: JSON = ["type": "personal", "messages": [message]]
        if appUserId == nil {
            var body: JSON = ["client": client, "intent": "message:appUser", "conversation": begun]
            if jwt != nil { body["userId"] = .string(user) }
            take(try await call(.post, "/appusers", body)?.json)
        } else if let conversation {
            _ = try await call(.post, "/conversations/\(conversation)/messages", ["message": message, "author": author])
        } else {
            let answer = try await call(.post, "/appusers/\(appUserId ?? "")/conversations", begun.merging(["client": client]))
            conversation = answer?.json?["conversation"]?["_id"]?.string
        }
        if !isListening, conversation != nil, !hasGivenUp { try await openSocket() }
    }

    func business(_ operation: String, _ members: JSON.Object = [:]) async throws {
        try await act(operation, members)
        try await takeArrivals()
    }

    /// The user looks at the conversation.
    func read() async throws {
        guard let conversation, !hasGivenUp else { return }
        try await mark("conversation-shown", ["conversation": .string(conversation)])
        _ = try await call(
            .post, "/conversations/\(conversation)/activity", ["activity": ["type": "conversation:read"], "author": author])
    }

    func fetch() async throws {
        guard let conversation else { return }
        let answer = try await call(.get, "/conversations/\(conversation)/messages")
        for message in answer?.json?["messages"]?.array ?? [] { seen.insert(message["_id"]?.string ?? "") }
    }

    /// After a re-authentication connections and references are recreated (End User Authentication).
    func recreate() async throws {
        guard isListening else { return }
        if platform == .ios {
            try await hangUp()
            try await openSocket()
        }
        try await fetch()
    }

    // MARK: The socket

    func openSocket() async throws {
        isListening = true
        for attempt in 0...5 where line == nil {
            if attempt > 0 { try await stage.pass(platform.retryInterval) }
            let (stage, target) = (stage, "/faye/\(app)")
            line = try await stage.drive(timeOut: 20) { try await stage.open(target, headers: []) }
            if line != nil { try await shakeHands() }
        }
    }

    func hangUp() async throws {
        guard let line else { return }
        line.close()
        (self.line, bayeuxId) = (nil, nil)
        endings = try await stage.known(endings + 1)
    }

    private func shakeHands() async throws {
        line?.send([
            "channel": "/meta/handshake", "version": "1.0", "minimumVersion": "1.0beta", "supportedConnectionTypes": ["websocket"],
        ])
        try await takeArrivals()
    }

    private func subscribe() {
        guard let bayeuxId, let appUserId else { return }
        let channel = "/sdk/apps/\(app)/appusers/\(appUserId)"
        var ext: JSON = ["appId": .string(app), "appUserId": .string(appUserId)]
        if let jwt { ext["jwt"] = .string(jwt) } else { ext["sessionToken"] = .string(sessionToken ?? "") }
        line?.send([
            "channel": "/meta/subscribe", "clientId": .string(bayeuxId), "subscription": .string(channel), "ext": ext,
        ])
    }

    private func connect() {
        guard let bayeuxId else { return }
        line?.send(["channel": "/meta/connect", "clientId": .string(bayeuxId), "connectionType": "websocket"])
    }

    /// Takes what has come, until nothing more does.
    func takeArrivals() async throws {
        while let line {
            let events = try await line.arrived(isSettled: true)
            if events.isEmpty { return }
            for event in events {
                guard case .message(let frame) = event else {
                    (self.line, bayeuxId) = (nil, nil)
                    endings = try await stage.known(endings + 1)
                    continue
                }
                for message in frame.array ?? [] { try await take(message) }
            }
        }
    }

    private func take(_ message: JSON) async throws {
        let isGood = message["successful"] == true
        switch message["channel"]?.string {
        case "/meta/handshake" where isGood:
            bayeuxId = message["clientId"]?.string
            connect()
            subscribe()
        case "/meta/connect" where message["advice"]?["reconnect"] == "handshake":
            bayeuxId = nil
            try await shakeHands()
        case "/meta/connect" where isGood: connect()
        case "/meta/subscribe" where !isGood && platform == .ios && jwt != nil:
            if try await fetchJWT() { subscribe() }
        default:
            for event in message["data"]?["events"]?.array ?? [] { seen.insert(event["message"]?["_id"]?.string ?? "") }
        }
    }

    /// Time passes while the app is open. A socket that is lost is opened again, and what was missed is read.
    func wait(_ seconds: Double) async throws {
        var left = seconds
        while left > 0 {
            let step = min(left, 5)
            try await stage.pass(step)
            left -= step
            try await takeArrivals()
            guard isListening, line == nil, !hasGivenUp else { continue }
            try await stage.pass(platform.retryInterval)
            try await openSocket()
            try await fetch()
        }
    }
}
