import SparringVendorKit

/// Handlers of the tag "Connection": a consumer's socket from its opening to its end (LivePerson reference 5.1 to 5.6).
extension LivePerson {
    // MARK: Opening

    func prepareSocket(_ call: Call) async throws -> Result<LivePersonToken.Bearer, LivePersonToken.Defect>? {
        let authorization = call.header(.authorization)?.split(separator: " ", maxSplits: 1).map(String.init) ?? []
        let token = authorization.count == 2 && authorization[0].lowercased() == "jwt" ? authorization[1] : call.path("token")
        return token.isEmpty ? nil : try read(token, call)
    }

    func openConsumerSocket(
        _ db: Database, _ call: Call, _ read: Result<LivePersonToken.Bearer, LivePersonToken.Defect>?
    ) throws -> Decision {
        guard let socket = call.socket else { throw ToolError("the call opens no socket") }
        watchIdleness(of: socket, call)
        guard let read else {
            socket.setTimer(Self.initialisation, at: call.now + call.settings(of: self).messaging.initConnectionLimit)
            return .answer("socket-opened", cause: "opened without a token; InitConnection is to bring one")
        }
        switch try admit(read, to: socket, call, db) {
        case .success(var session):
            session.clientProperties = announcedAtUpgrade(call)
            try remember(session, on: socket, call, db)
            try consumerIsThere(on: socket, Messaging(call.occasion, db))
            return .answer("socket-opened", cause: "opened by \(socket.lane)")
        case .failure(let refusal):
            // Whether LivePerson refuses the upgrade or closes what it has opened is unknown (LivePerson reference 5.1): the account says.
            if call.settings(of: self).messaging.tokenRefusal == .httpStatus { throw Refusal("token-refused", refusal.cause) }
            call.outbox.close(socket, refusal.closeCode, Self.invalidToken, cause: refusal.asCause)
            return .answer("socket-opened", cause: "opened only to be closed: \(refusal.cause)")
        }
    }

    private func announcedAtUpgrade(_ call: Call) -> JSON? {
        let header = call.header(Self.clientProperties).flatMap { try? JSON(parsing: $0) }.flatMap { $0.object == nil ? nil : $0 }
        return header ?? announcedInQuery(call)
    }

    /// Client properties as parameters of the query (LivePerson, Messaging Window API: API reference overview).
    private func announcedInQuery(_ call: Call) -> JSON? {
        var properties: JSON.Object = [:]
        for name in Self.propertyNames {
            let given = call.request.query.filter { $0.name == name && !$0.value.isEmpty }.map(\.value)
            guard let first = given.first else { continue }
            let list = given.flatMap { $0.split(separator: ",") }.map { JSON.string(String($0)) }
            properties[name] = name == "features" ? .array(list) : .string(first)
        }
        guard !properties.isEmpty else { return nil }
        properties["type"] = ".ClientProperties"
        return JSON.object(properties)
    }

    /// The names of client properties (LivePerson reference 5.5). Other parameters of the query, such as those of an overlay, are not client
    /// properties.
    static let propertyNames = [
        "appId", "appVersion", "ipAddress", "deviceFamily", "os", "osName", "osVersion", "browser", "browserVersion", "timeZone",
        "deviceManufacture", "deviceModel", "integration", "integrationVersion", "features",
    ]

    /// LivePerson reference 5.1: what InitConnection's header of that name has, on one line.
    private static let clientProperties = HTTPField.Name("Client-Properties")!

    private func remember(_ session: ConsumerSession, on socket: Socket, _ call: Call, _ db: Database) throws {
        socket.remember(ConsumerSession.key, session)
        if let properties = session.clientProperties {
            try LivePersonState.announce(properties, of: session.consumer, call.sandbox.id, db)
        }
    }

    /// Only fragments of the real reasons are known (LivePerson reference 5.3).
    static let invalidToken = "Identity token is invalid"
    private static let timedOut = "Connection timed out"
    private static let initialisation = "InitConnection"
    private static let tokenEnd = "token"
    private static let idleness = "idle limit"

    // MARK: The token

    /// Reads a token that LivePerson gave out.
    func read(_ token: String, _ call: Call) throws -> Result<LivePersonToken.Bearer, LivePersonToken.Defect> {
        if let bearer = bearers.content(of: token, for: call.tenant.id) { return .success(bearer) }
        let key = try signingKey().verificationKey
        return Result { () throws(LivePersonToken.Defect) in
            let bearer = try LivePersonToken.read(token, account: call.tenant.id, key: key)
            bearers.keep(bearer, of: token, for: call.tenant.id)
            return bearer
        }
    }

    /// Whether their tokens have been made invalid since this one was given out.
    func wasSignedOut(_ bearer: LivePersonToken.Bearer, _ call: Call, _ db: Database) throws -> Bool {
        try bearer.signOuts < LivePersonState.signOuts(of: bearer.consumer, call.sandbox.id, db)
    }

    /// Makes the socket the bearer's.
    private func admit(
        _ read: Result<LivePersonToken.Bearer, LivePersonToken.Defect>, to socket: Socket, _ call: Call, _ db: Database
    ) throws -> Result<ConsumerSession, TokenRefusal> {
        let bearer: LivePersonToken.Bearer
        switch read {
        case .failure(let defect): return .failure(TokenRefusal(defect))
        case .success(let sound): bearer = sound
        }
        if bearer.hasExpired(at: call.now) {
            let ago = (call.now - bearer.expiresAt).words
            return .failure(.expired("the token expired \(ago) ago", isAnonymous: bearer.isAnonymous))
        }
        if try wasSignedOut(bearer, call, db) {
            return .failure(.signedOut("\(bearer.subject) was signed out meanwhile", isAnonymous: bearer.isAnonymous))
        }
        var session = ConsumerSession(bearer)
        if let earlier = socket.session {
            session.conversations = earlier.conversations
            session.dialogs = earlier.dialogs
            session.clientProperties = earlier.clientProperties
        }
        socket.remember(ConsumerSession.key, session)
        try call.identify(socket, as: call.sandbox.owner(of: bearer.token) ?? session.consumer, db)
        socket.assign(to: session.consumer)
        socket.clearTimer(Self.initialisation)
        socket.setTimer(Self.tokenEnd, at: session.expiresAt)
        return .success(session)
    }

    // MARK: Messages

    /// One of InitConnection's headers.
    private func header(_ name: String, _ call: Call) -> JSON? {
        call.body?["headers"]?.oneOrMore.first { $0["type"]?.string?.hasSuffix(name) == true }
    }

    func prepareInitConnection(_ call: Call) async throws -> Result<LivePersonToken.Bearer, LivePersonToken.Defect>? {
        try header(".ConsumerAuthentication", call)?["jwt"]?.string.map { try read($0, call) }
    }

    func initConnection(
        _ db: Database, _ call: Call, _ read: Result<LivePersonToken.Bearer, LivePersonToken.Defect>?
    ) throws -> Decision {
        guard let socket = call.socket else { throw ToolError("the call has no socket") }
        guard let read else {
            call.outbox.close(socket, 4401, Self.invalidToken, cause: "InitConnection brought no ConsumerAuthentication")
            throw Refusal("unauthenticated", "InitConnection brought no ConsumerAuthentication")
        }
        switch try admit(read, to: socket, call, db) {
        case .success(var session):
            session.clientProperties = header("ClientProperties", call) ?? session.clientProperties ?? announcedAtUpgrade(call)
            try remember(session, on: socket, call, db)
            try consumerIsThere(on: socket, Messaging(call.occasion, db))
            return .answer(reply("connection-initialized", call, cause: "\(socket.lane) is connected"))
        case .failure(let refusal):
            call.outbox.close(socket, refusal.closeCode, Self.invalidToken, cause: refusal.asCause)
            throw Refusal("unauthenticated", refusal.cause)
        }
    }

    func getClock(_ call: Call) -> Decision {
        .answer(reply("clock-told", body: ["currentTime": .integer(call.now.milliseconds)], call))
    }

    func keepAlive(_ call: Call) -> Decision { .answer(reply("kept-alive", call)) }

    // MARK: Timers

    /// The socket is closed without a close frame once nothing has come in for the limit (LivePerson reference 5.2: seen as 1006).
    func watchIdleness(of socket: Socket, _ call: Call) {
        let limit = call.settings(of: self).messaging.idleLimit
        socket.remember(Self.idleness, limit)
        socket.setTimer(Self.idleness, at: call.now + limit)
    }

    /// A request of a type that nothing is known of is refused, and the socket goes on.
    func misunderstood(_ message: [UInt8], on socket: Socket, _ example: JSON) -> JSON {
        var answer = example
        answer["reqId"] = (try? JSON(parsing: message))?["id"]
        return answer
    }

    /// Clients of version 2 (elyrank/LivePerson-Messaging-SMS-Connector, 2016) have their token in the socket's path and send the agents' names,
    /// such as `.ams.cm.ConsumerRequestConversation`. What that version answered is not documented.
    func remark(on message: [UInt8], to socket: Socket) -> String? {
        let type = (try? JSON(parsing: message))?["type"]?.string
        guard socket.agentSession == nil, type?.hasPrefix(".ams.") == true else { return nil }
        return "a consumer's socket has only the names of v=3, whatever its path and its v are: without .ams., and cqm where there is aam"
    }

    func timer(_ name: String, of socket: Socket, _ occasion: Occasion, _ db: Database) throws {
        switch name {
        case Self.idleness:
            let limit: Duration = socket.recall(Self.idleness) ?? .seconds(60)
            let due = socket.lastTraffic + limit
            if socket.sandbox.clock.now < due {
                socket.setTimer(name, at: due)
            } else if !socket.isFrozen {
                // No packet would reach the client of a frozen one, and it must find out by itself.
                occasion.outbox.abort(socket, cause: socket.idleCause(limit))
            }
        case Self.initialisation:
            occasion.outbox.close(socket, 4401, Self.timedOut, cause: "no InitConnection came in time")
        case Self.tokenEnd:
            let refusal = TokenRefusal.expired("the token of \(socket.lane) expired", isAnonymous: socket.session?.isAnonymous == true)
            occasion.outbox.close(socket, refusal.closeCode, Self.invalidToken, cause: refusal.asCause)
        case Self.agentSessionEnd: try agentSessionEnded(socket, occasion.outbox, db)
        default: throw ToolError("no timer of a socket is called '\(name)'")
        }
    }

    // MARK: Who is there

    /// Agents are notified when a consumer's first socket has signed in, and when its last one has closed (LivePerson reference 5.11).
    private func consumerIsThere(on socket: Socket, _ messaging: Messaging) throws {
        guard let session = socket.session else { return }
        guard messaging.sockets(of: session.consumer).allSatisfy({ $0.socket.number == socket.number }) else { return }
        try messaging.tellAgents(thatConsumer: session, is: "ACTIVE")
    }

    func closed(_ socket: Socket, _ occasion: Occasion, _ db: Database) throws {
        guard let session = socket.session else { return }
        let messaging = Messaging(occasion, db)
        if messaging.sockets(of: session.consumer).isEmpty { try messaging.tellAgents(thatConsumer: session, is: "BACKGROUND") }
    }

    // MARK: Envelopes

    /// A reply as the contract's example has it (LivePerson reference 5.4), with the request's id and, where given, a body of its own.
    func reply(_ name: String, body: JSON? = Optional.none, _ call: Call, cause: String? = nil) -> Answer {
        var reply = call.operation.answer(name)?.example ?? [:]
        reply["reqId"] = .string(call.body?["id"]?.idText ?? "")
        if let body { reply["body"] = body }
        return Answer(name, reply, cause: cause)
    }

    /// The consumer's session; a request that needs one is refused until the socket has been authenticated.
    func consumerSession(of call: Call) throws(Refusal) -> (session: ConsumerSession, socket: Socket) {
        guard let socket = call.socket, let session = socket.session else {
            throw Refusal("unauthenticated", "the socket has not been authenticated yet")
        }
        return (session, socket)
    }
}

extension Socket {
    /// The consumer's session; nil until the socket has been authenticated.
    var session: ConsumerSession? { recall(ConsumerSession.key) }
}
