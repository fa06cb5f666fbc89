import Foundation
import HTTPTypes
import SparringJSON
import Support

/// "Open Chat" and "Process Large Events" of the event diagrams: the socket, opened, lost and opened again.
extension ChatClient {
    enum Response: Sendable {
        case answered(JSON)
        /// `errorCode`, and what it is about.
        case refused(code: String, about: String)
        /// The socket is over, or dead.
        case lost
    }

    /// The user opens the chat, and tries again where that fails.
    func openChat() async throws {
        guard channel != nil, !isRefused else { return }
        if mode == .live {
            let answer = try await call(.get, "\(channelPath)/availability")
            guard answer?.json?["status"] == "online" else { return }
        }
        isShowingChat = true
        try await reconnect(waits: 0...5)
    }

    /// Opens the socket as often as it takes, ever more slowly.
    func reconnect(waits: ClosedRange<Int> = 1...15) async throws {
        for attempt in waits where line == nil && isShowingChat {
            if attempt > 0 { try await stage.pass(pow(1.3, Double(attempt))) }
            guard try await connect() else { continue }
            return try await flush()
        }
    }

    /// One attempt: the socket, the sign-in, and what there is.
    private func connect() async throws -> Bool {
        guard let channel else { return false }
        var query = "brandId=\(brand)&channelId=\(mode.channel)&visitorId=\(device.visitor ?? "")"
        query += "&sdkPlatform=\(platform.rawValue)&sdkVersion=\(platform.version)"
        if channel.isSecured {
            guard let token = try await transactionToken() else { return false }
            query += "&transactionToken=\(token)"
        }
        let (stage, target) = (stage, "/?\(query)")
        let opened: Result<any Line, SocketRefused>? = try await stage.drive(timeOut: 20) {
            do { return .success(try await stage.open(target, headers: [])) } catch let refused as SocketRefused {
                return .failure(refused)
            }
        }
        switch opened {
        case .success(let line): self.line = line
        case .failure: device.transaction = nil
        case nil: break
        }
        guard line != nil, try await channel.isSecured ? true : signIn(), try await load() else {
            try await hangUp()
            return false
        }
        return true
    }

    /// Closes the socket, if there is one.
    func hangUp() async throws {
        line?.close()
        try await ended()
    }

    private func giveUp() async throws {
        line?.drop()
        try await ended()
    }

    /// The next socket is opened once the server knows too that this one is over.
    private func ended() async throws {
        guard line != nil else { return }
        line = nil
        endings = try await stage.known(endings + 1)
    }

    // MARK: Signing in

    private func transactionToken() async throws -> String? {
        if let token = device.transaction, token.end > (try stage.now()) + 5 { return token.text }
        let grant: JSON
        if channel?.isSignedIn == true {
            guard let code = try await code() else { return nil }
            grant = ["thirdParty": ["grant_type": "authorization_code", "authorization_code": .string(code)]]
        } else {
            grant = ["type": "anonymous", "customerIdentity": identity]
        }
        guard let answer = try await token(grant) else { return nil }
        let seconds = Double(answer["expiresIn"]?.integer ?? 600)
        device.transaction = answer["accessToken"]?.string.map { Token(text: $0, end: ((try? stage.now()) ?? 0) + seconds) }
        return device.transaction?.text
    }

    private func token(_ body: JSON) async throws -> JSON? {
        let target = "/oauth/token?channelId=\(mode.channel)&brandId=\(brand)&visitorId=\(device.visitor ?? "")"
        guard let answer = try await call(.post, target, body), answer.status == 200, let json = answer.json else { return nil }
        try keep(json["thirdParty"]?["access_token"], json["thirdParty"]?["expires_in"])
        device.refresh = json["thirdParty"]?["refresh_token"]?.string ?? device.refresh
        return json
    }

    private func keep(_ token: JSON?, _ seconds: JSON?) throws {
        guard let text = token?.string else { return }
        device.access = Token(text: text, end: try stage.now() + Double(seconds?.integer ?? 3600))
    }

    /// A code of the brand's, fresh from its sign-in.
    private func code() async throws -> String? {
        let scene = stage.scene
        let query = [
            ("client_id", scene.clientId), ("redirect_uri", Scene.redirectURI), ("scope", "openid"), ("login_hint", device.customer),
            ("response_type", "code"), ("state", freshID()),
        ]
        let words = query.map { "\($0)=\(Form.encoded($1))" }.joined(separator: "&")
        let answer = try await call(.get, "\(scene.provider)/authorize?\(words)")
        return answer.flatMap { Redirection($0)?["code"] }
    }

    /// Signs in by the access token that the device has, or by a code; without the brand where the channel has no sign-in.
    private func signIn() async throws -> Bool {
        guard channel?.isSignedIn == true else { return isDone(try await authorize([:])) }
        if let token = device.access?.text {
            let response = try await ask(
                platform == .ios ? "ReconnectCustomer" : "ReconnectConsumer", ["accessToken": ["token": .string(token)]])
            if case .refused = response { device.access = nil }
            return isDone(response)
        }
        guard let code = try await code() else { return false }
        let response = try await authorize(["authorizationCode": .string(code)])
        guard case .answered(let answer) = response else { return false }
        let data = answer["postback"]?["data"]
        try keep(data?["accessToken"]?["token"], data?["accessToken"]?["expiresIn"])
        return true
    }

    private func authorize(_ authorization: JSON) async throws -> Response {
        let data: JSON = [
            "authorization": authorization, "disableChannelInfo": true, "sdkPlatform": .string(platform.rawValue),
            "sdkVersion": .string(platform.version),
        ]
        return try await ask("AuthorizeCustomer", data, action: "register")
    }

    func isDone(_ response: Response) -> Bool {
        if case .answered = response { true } else { false }
    }

    /// The access token for a message, renewed where it is about to end.
    func accessToken() async throws -> String? {
        guard let token = device.access else { return nil }
        if token.end > (try stage.now()) + 30 { return token.text }
        if channel?.isSecured == true {
            _ = try await self.token(["thirdParty": ["grant_type": "refresh_token", "refresh_token": .string(device.refresh ?? "")]])
        } else if case .answered(let answer) = try await ask("RefreshToken", ["accessToken": ["token": .string(token.text)]]) {
            let fresh = answer["postback"]?["data"]?["accessToken"]
            try keep(fresh?["token"], fresh?["expiresIn"])
        }
        return device.access?.text
    }

    // MARK: The socket

    func send(_ type: String, _ data: JSON?, id: String, action: String = "chatWindowEvent") {
        let payload: JSON = [
            "brand": ["id": .integer(Int64(brand) ?? 0)], "channel": ["id": .string(mode.channel)],
            platform == .web ? "consumerIdentity" : "customerIdentity": identity, "eventType": .string(type), "data": data ?? [:],
            "visitor": ["id": .string(device.visitor ?? "")],
        ]
        line?.send(["action": .string(action), "eventId": .string(id), "payload": payload])
    }

    /// Sends an event and waits for its answer, at most ten seconds; a socket on which none comes is given up.
    func ask(_ type: String, _ data: JSON? = nil, action: String = "chatWindowEvent") async throws -> Response {
        let id = freshID()
        send(type, data, id: id, action: action)
        var (left, watch) = (10.0, ClientStage.Watch())
        while let line {
            var response: JSON?
            for event in try await line.arrived(isSettled: false) {
                if let frame = try await take(event), frame["eventId"]?.string == id { response = frame }
            }
            if let response {
                guard let error = response["error"] else { return .answered(response) }
                return .refused(code: error["errorCode"]?.string ?? "", about: error["errorMessage"]?.string ?? "")
            }
            guard let wait = try await stage.hold(&watch) else {
                try await ClientStage.glance()
                continue
            }
            try await stage.pass(min(wait, left))
            left -= min(wait, left)
            if left <= 0 { try await giveUp() }
        }
        return .lost
    }

    /// Handles the events that have come meanwhile; a socket that was lost is opened again while the chat is shown.
    func takeArrivals() async throws {
        for event in try await line?.arrived(isSettled: true) ?? [] { try await take(event) }
        if line == nil, isShowingChat { try await reconnect() }
    }

    /// - Returns: the frame, fetched where it was too large for the socket.
    @discardableResult
    func take(_ event: SocketClient.Event) async throws -> JSON? {
        switch event {
        case .pong: return nil
        case .text, .message("pong"):
            pongs += 1
            return nil
        case .closed, .ended:
            try await ended()
            return nil
        case .message(let frame):
            guard frame["eventType"] == "EventInS3" else {
                hear(frame)
                return frame
            }
            guard let url = frame["data"]?["s3Object"]?["url"]?.string, let slash = url.range(of: "/large-events/") else { return nil }
            let answer = try await call(.get, String(url[slash.lowerBound...]), credentials: false)
            guard answer?.status == 200, let fetched = answer?.json else { return nil }
            hear(fetched)
            return fetched
        }
    }

    // MARK: Time

    /// The user does nothing; the SDK keeps its socket.
    func wait(_ seconds: Double) async throws {
        guard isShowingChat else { return try await stage.pass(seconds) }
        var left = seconds
        while left > 0 {
            let step = min(left, 10)
            try await stage.pass(step)
            left -= step
            try await takeArrivals()
            // Android sends ping frames, and reading what has arrived sends one.
            guard platform != .android, line != nil else { continue }
            if try await !beat(), platform == .ios {
                try await stage.pass(5)
                left -= 5
                try await hangUp()
            }
            try await takeArrivals()
        }
    }

    /// - Returns: whether the heartbeat was answered; where it was not only the journal tells without waiting.
    private func beat() async throws -> Bool {
        let before = pongs
        beats += 1
        line?.send(["action": "heartbeat"])
        while let line {
            for event in try await line.arrived(isSettled: false) { try await take(event) }
            if pongs > before { return true }
            let entries = try await stage.server.journal("?operation=cxone.heartbeat", sandbox: stage.sandbox)
            if entries.count >= beats, entries.last?["faults"] != nil { return false }
            try await ClientStage.glance()
        }
        return true
    }
}
