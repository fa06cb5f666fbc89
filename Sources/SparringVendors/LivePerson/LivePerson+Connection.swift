public import GRDB
import HTTPTypes
import SparringContract
public import SparringEngine
import SparringJSON
import SparringJournal
import SparringTokens

/// Behaviours of the tag "Connection": a consumer's socket from its opening to its end (reference 5.1 to 5.6).
extension LivePerson {
    // MARK: Opening

    func openConsumerSocket(_ db: Database, _ call: Call) throws -> Outcome {
        guard let socket = call.socket else { throw ToolError("the call opens no socket") }
        watchIdleness(of: socket, call)
        let authorization = call.header(.authorization)?.split(separator: " ", maxSplits: 1).map(String.init) ?? []
        let token = authorization.count == 2 && authorization[0].lowercased() == "jwt" ? authorization[1] : call.path("token")
        guard !token.isEmpty else {
            socket.setTimer(Self.initialisation, at: call.now + call.settings(of: self).messaging.initConnectionLimit)
            return .answer(Answer("socket-opened", cause: "opened without a token; InitConnection is to bring one"))
        }
        var session: ConsumerSession
        do throws(TokenRefusal) {
            session = try readToken(token, socket, call)
        } catch {
            // Whether LivePerson refuses the upgrade or closes what it has opened is unknown (reference 5.1): the account says.
            if call.settings(of: self).messaging.tokenRefusal == .httpStatus { return .refusal(Refusal("token-refused", error.cause)) }
            call.outbox.close(socket, error.closeCode, Self.invalidToken, cause: error.cause)
            return .answer(Answer("socket-opened", cause: "opened only to be closed: \(error.cause)"))
        }
        session.clientProperties = announcedAtUpgrade(call)
        try remember(session, on: socket, call, db)
        return .answer(Answer("socket-opened", cause: "opened by \(socket.lane)"))
    }

    private func announcedAtUpgrade(_ call: Call) -> JSON? {
        call.header(Self.clientProperties).flatMap { try? JSON(parsing: $0) }.flatMap { $0.object == nil ? nil : $0 }
    }

    /// Reference 5.1: what InitConnection's header of that name has, on one line.
    private static let clientProperties = HTTPField.Name("Client-Properties")!

    private func remember(_ session: ConsumerSession, on socket: Socket, _ call: Call, _ db: Database) throws {
        socket.remember(ConsumerSession.key, session)
        if let properties = session.clientProperties {
            try LivePersonState.announce(properties, of: session.consumer, call.sandbox.id, db)
        }
    }

    /// Only fragments of the real reasons are known (reference 5.3).
    private static let invalidToken = "Identity token is invalid"
    private static let timedOut = "Connection timed out"
    private static let initialisation = "InitConnection"
    private static let tokenEnd = "token"
    private static let idleness = "idle limit"

    /// Checks a token and makes the socket its owner's.
    private func readToken(_ token: String, _ socket: Socket, _ call: Call) throws(TokenRefusal) -> ConsumerSession {
        let key: VerificationKey
        do { key = try signingKey().verificationKey } catch { throw .invalid("\(error)") }
        var session = try LivePersonToken.session(of: token, account: call.tenant.id, at: call.now, key: key)
        if let earlier = socket.session {
            session.conversations = earlier.conversations
            session.dialogs = earlier.dialogs
            session.clientProperties = earlier.clientProperties
        }
        socket.remember(ConsumerSession.key, session)
        socket.identify(as: call.sandbox.owner(of: token) ?? session.consumer)
        socket.assign(to: session.consumer)
        socket.clearTimer(Self.initialisation)
        socket.setTimer(Self.tokenEnd, at: session.expiresAt)
        return session
    }

    // MARK: Messages

    func initConnection(_ db: Database, _ call: Call) throws -> Outcome {
        guard let socket = call.socket else { throw ToolError("the call has no socket") }
        let headers = call.body?["headers"]?.oneOrMore ?? []
        func header(_ name: String) -> JSON? { headers.first { $0["type"]?.string?.hasSuffix(name) == true } }
        guard let token = header(".ConsumerAuthentication")?["jwt"]?.string else {
            call.outbox.close(socket, 4401, Self.invalidToken, cause: "InitConnection brought no ConsumerAuthentication")
            return .refusal(Refusal("unauthenticated", "InitConnection brought no ConsumerAuthentication"))
        }
        var session: ConsumerSession
        do throws(TokenRefusal) { session = try readToken(token, socket, call) } catch {
            call.outbox.close(socket, error.closeCode, Self.invalidToken, cause: error.cause)
            return .refusal(Refusal("unauthenticated", error.cause))
        }
        session.clientProperties = header("ClientProperties") ?? session.clientProperties ?? announcedAtUpgrade(call)
        try remember(session, on: socket, call, db)
        return .answer(reply("connection-initialized", call, cause: "\(socket.lane) is connected"))
    }

    func getClock(_ call: Call) -> Outcome {
        .answer(reply("clock-told", body: ["currentTime": .integer(call.now.milliseconds)], call))
    }

    func keepAlive(_ call: Call) -> Outcome { .answer(reply("kept-alive", call)) }

    // MARK: Timers

    /// The socket is closed without a close frame once nothing has come in for the limit (reference 5.2: seen as 1006).
    private func watchIdleness(of socket: Socket, _ call: Call) {
        let limit = call.settings(of: self).messaging.idleLimit
        socket.remember(Self.idleness, limit)
        socket.setTimer(Self.idleness, at: call.now + limit)
    }

    public func timer(_ name: String, of socket: Socket, _ outbox: Outbox, _ db: Database) throws {
        switch name {
        case Self.idleness:
            let limit: Duration = socket.recall(Self.idleness) ?? .seconds(60)
            let due = socket.lastTraffic + limit
            if socket.sandbox.clock.now < due {
                socket.setTimer(name, at: due)
            } else {
                outbox.abort(socket, cause: "nothing came in for \(limit.words)")
            }
        case Self.initialisation:
            outbox.close(socket, 4401, Self.timedOut, cause: "no InitConnection came in time")
        case Self.tokenEnd:
            let isAnonymous = socket.session?.isAnonymous == true
            outbox.close(socket, isAnonymous ? 4407 : 4401, Self.invalidToken, cause: "the token of \(socket.lane) expired")
        default: throw ToolError("no timer of a socket is called '\(name)'")
        }
    }

    // MARK: Envelopes

    /// A reply as the contract's example has it (reference 5.4), with the request's id and, where given, a body of its own.
    func reply(_ name: String, body: JSON? = Optional.none, _ call: Call, cause: String? = nil) -> Answer {
        var reply = call.operation.answer(name)?.example ?? [:]
        reply["reqId"] = .string(call.body?["id"]?.idText ?? "")
        if let body { reply["body"] = body }
        return Answer(name, reply, cause: cause)
    }

    /// What needs a consumer is refused until there is one.
    func asConsumer(_ call: Call, _ act: (ConsumerSession, Socket) throws -> Outcome) rethrows -> Outcome {
        guard let socket = call.socket, let session = socket.session else {
            return .refusal(Refusal("unauthenticated", "the socket has not been authenticated yet"))
        }
        return try act(session, socket)
    }
}

extension Socket {
    /// The consumer's session; nil until the socket has been authenticated.
    var session: ConsumerSession? { recall(ConsumerSession.key) }
}
