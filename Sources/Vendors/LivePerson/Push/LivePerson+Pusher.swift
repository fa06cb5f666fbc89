import SparringVendorKit

/// Handlers of the tag "Pusher" (LivePerson reference 8.3).
extension LivePerson {
    // MARK: The token

    func prepareBearer(_ call: Call) async throws -> LivePersonToken.Bearer {
        guard let header = call.header(.authorization), !header.isEmpty else {
            throw Refusal("token-missing", "no Authorization came")
        }
        guard let token = Self.token(in: header) else {
            throw Refusal("token-invalid", "Authorization is not 'Bearer' and a token (RFC 6750 §2.1)")
        }
        return try read(token, call).mapError { defect in
            switch defect {
            case .malformed(let reason): Refusal("token-invalid", reason)
            case .notSigned: Refusal("token-invalid", "the token was not signed by LivePerson")
            case .audience(let found, let expected): Refusal("token-invalid", "aud is '\(found?.string ?? "")', not '\(expected)'")
            case .incomplete: Refusal("token-invalid", "sub or exp is missing")
            }
        }.get()
    }

    private static func token(in header: String) -> String? {
        // By bytes: a token is long, and comes with every call.
        let parts = header.utf8.split(separator: UInt8(ascii: " "))
        return parts.count == 2 && Substring(parts[0]).lowercased() == "bearer" ? String(Substring(parts[1])) : nil
    }

    /// The bearer of a token that has been verified before.
    private func knownBearer(_ call: Call) -> LivePersonToken.Bearer? {
        call.header(.authorization).flatMap(Self.token).flatMap { bearers.content(of: $0, for: call.tenant.id) }
    }

    /// Why a client that presents a sound token is refused all the same.
    private func refusal(of bearer: LivePersonToken.Bearer, _ call: Call, _ db: Database) throws -> Refusal? {
        if bearer.isExternal {
            return Refusal("token-invalid", "an anonymous token must first be traded for an LP token, at version 3 of the sign-in")
        }
        let now = call.sandbox.clock.now
        if bearer.hasExpired(at: now) { return Refusal("token-expired", "the LP token expired \((now - bearer.expiresAt).words) ago") }
        if try wasSignedOut(bearer, call, db) { return Refusal("token-revoked", "\(bearer.subject) was signed out meanwhile") }
        return nil
    }

    /// Performs `act` for the bearer that the token names.
    ///
    /// - Parameter isSpentEnough: a token that has expired or was revoked will do as long as its signature holds.
    func asBearer(
        isSpentEnough: Bool = false, _ act: @escaping @Sendable (Database, Call, LivePersonToken.Bearer) throws -> Decision
    ) -> Handler {
        .prepare(prepareBearer, orRecall: knownBearer) { db, call, bearer in
            if let refusal = try refusal(of: bearer, call, db),
                !isSpentEnough || !["token-expired", "token-revoked"].contains(refusal.name)
            {
                throw refusal
            }
            return try act(db, call, bearer)
        }
    }

    // MARK: The operations

    func registerPush(_ db: Database, _ call: Call, _ bearer: LivePersonToken.Bearer) throws -> Decision {
        let sandbox = call.sandbox.id
        let (app, device) = (call.path("appId"), call.field("deviceToken") ?? "")
        let pushType = call.field("pushType") ?? ""
        let earlier = try PusherState.registered(bearer.consumer, app: app, sandbox, db)
        let registration = PusherState.Registration(
            id: earlier?.id ?? call.draw("registration").uuid, consumer: bearer.consumer, subject: bearer.subject, app: app, device: device,
            pushType: pushType, lang: call.field("lang"), registeredAt: call.now)
        try registration.insert(sandbox, db)
        var words = ["\(bearer.subject) registered device \(device) of \(app) (\(pushType))"]
        if let earlier, earlier.device != device { words.append("in place of device \(earlier.device)") }
        for other in try PusherState.others(on: device, than: bearer.consumer, sandbox, db) {
            words.append(
                other.isOnlyProactive
                    ? "\(other.subject)'s proactive pushes still come to this device"
                    : "\(other.subject) was never unregistered from this device: what is pushed for \(other.subject) will be read by "
                        + bearer.subject)
        }
        if let objection = call.settings(of: self).push.objection(to: app, pushType) {
            words.append("nothing will be pushed: \(objection)")
        }
        return .answer(
            earlier == nil ? "push-registered" : "push-replaced", ["registrationId": .string(registration.id)],
            cause: words.joined(separator: "; "))
    }

    /// A registration for proactive pushes only counts as none, so that an app that asks registers again (assumed).
    func readPushStatus(_ db: Database, _ call: Call, _ bearer: LivePersonToken.Bearer) throws -> Decision {
        let registration = try PusherState.registration(of: bearer.consumer, app: call.path("appId"), call.sandbox.id, db)
        let isRegistered = registration.map { $0.device == call.query("deviceToken") && !$0.isOnlyProactive } ?? false
        var cause: String?
        if let registration, !isRegistered {
            cause =
                registration.isOnlyProactive
                ? "registered for proactive pushes only" : "another device is registered: \(registration.device)"
        }
        return .answer("push-status", ["registered": .bool(isRegistered)], cause: cause)
    }

    func unregisterPush(_ db: Database, _ call: Call, _ bearer: LivePersonToken.Bearer) throws -> Decision {
        let (app, sandbox) = (call.path("appId"), call.sandbox.id)
        let isForAgents = call.query("type") == "AGENT"
        let found =
            isForAgents
            ? try PusherState.unregisterFromAgents(bearer.consumer, app: app, sandbox, db)
            : try PusherState.unregister(bearer.consumer, app: app, sandbox, db)
        let what = isForAgents ? "from agents' messages; proactive pushes go on" : "from all pushes"
        return .answer(
            "push-unregistered",
            cause: found ? "\(bearer.subject) unregistered \(app) \(what)" : "\(bearer.subject) had not registered \(app)")
    }

    func readUnread(_ db: Database, _ call: Call, _ bearer: LivePersonToken.Bearer) throws -> Decision {
        let unread = try PusherState.unread(bearer.consumer, call.sandbox.id, db)
        var conversations = JSON.Object()
        for (conversation, count) in unread { conversations[conversation] = .integer(Int64(count)) }
        let total = unread.reduce(0) { $0 + $1.count }
        return .answer("unread-count", ["total": .integer(Int64(total)), "conversations": .object(conversations)])
    }
}
