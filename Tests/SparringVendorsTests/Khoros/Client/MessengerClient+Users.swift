import HTTPTypes
import SparringJSON
import Support

/// Start, login and logout.
extension MessengerClient {
    /// The app is opened: the SDK is initialised, and logs in by itself where it has a JWT.
    func start() async throws {
        try await mark("started")
        isReady = false
        hasGivenUp = false
        let answer = try await send(.get, "/sdk/v2/integrations/\(app)\(platform.rawValue)/config")
        guard let config = answer?.json?["config"], config["app"]?["status"] == "active" else { return }
        let retries = config["restRetryPolicy"]
        policy = (
            Double(retries?["intervals"]?["regular"]?.integer ?? 60), Double(retries?["backoffMultiplier"]?.integer ?? 2),
            Int(retries?["maxRetries"]?.integer ?? 5)
        )
        isReady = true
        if jwt != nil { try await logInAndListen() }
    }

    /// The user signs in at the brand.
    func signIn(_ name: String) async throws {
        guard isReady else { return }
        user = name
        guard try await fetchJWT() else { return }
        try await logInAndListen()
    }

    private func logInAndListen() async throws {
        guard try await logIn() else { return }
        if conversation != nil { try await openSocket() }
    }

    /// Repeats a login that is overloaded, as the configuration says.
    func logIn() async throws -> Bool {
        var body: JSON = ["userId": .string(user), "client": client]
        if let appUserId, let sessionToken {
            body["appUserId"] = .string(appUserId)
            body["sessionToken"] = .string(sessionToken)
        }
        var wait = policy.base
        for repeats in 0...policy.most {
            let answer = try await call(.post, "/login", body, isLogin: true)
            if let answer, answer.status < 300 {
                take(answer.json)
                sessionToken = nil
                return true
            }
            guard let answer, answer.status == 429 || answer.status >= 500, repeats < policy.most else { break }
            try await stage.pass(wait)
            wait *= policy.factor
        }
        return false
    }

    func take(_ bundle: JSON?) {
        guard let bundle else { return }
        appUserId = bundle["appUser"]?["_id"]?.string
        sessionToken = bundle["sessionToken"]?.string ?? sessionToken
        conversation = bundle["conversations"]?.array?.first?["_id"]?.string ?? conversation
    }

    func logOut() async throws {
        guard let appUserId, jwt != nil else { return }
        _ = try await call(.post, "/appusers/\(appUserId)/logout", ["client": client])
        try await hangUp()
        (jwt, self.appUserId, sessionToken, conversation, isListening) = (nil, nil, nil, nil, false)
    }

    /// The system has given the device a token.
    func take(pushToken token: String) async throws {
        pushToken = token
        guard let appUserId else { return }
        for attempt in 0..<3 {
            if attempt > 0 { try await stage.pass(5) }
            let answer = try await call(.put, "/appusers/\(appUserId)/clients/\(clientId)", ["pushNotificationToken": .string(token)])
            if let answer, answer.status < 500 { return }
        }
    }

    /// The user opens the notifications that are Khoros'.
    func openPushes() async throws {
        guard let pushToken else { return }
        for push in try await stage.pushes(to: pushToken) {
            let payload = push["payload"]
            let isOurs = payload?["SmoochNotification"] != nil || payload?["data"]?["smoochNotification"] == "true"
            guard isOurs, let id = (payload?["conversationId"] ?? payload?["data"]?["conversationId"])?.string else { continue }
            try await mark("push-shown", ["conversation": .string(id)])
        }
    }
}
