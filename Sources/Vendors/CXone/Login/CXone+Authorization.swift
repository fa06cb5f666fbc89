import SparringVendorKit

/// Handlers of the tag "Authorization" (CXone reference 5, 6.1 and 8): the customer is signed in on the socket.
extension CXone {
    private func channel(_ call: Call) -> Channel? {
        call.socket?.chat.flatMap { call.settings(of: self).channel($0.channel) }
    }

    private static let noChannel = Refusal("inconsistent-data", "the socket's channel is gone")

    // MARK: Authorize

    func prepareAuthorization(_ call: Call) async throws -> Admission {
        guard let channel = channel(call) else { throw Self.noChannel }
        guard !channel.securedSessions else {
            throw Refusal("inconsistent-data", "channel '\(channel.id)' has secured sessions: the token service signs customers in")
        }
        let payload = call.body?["payload"]
        guard channel.authorization == .oauth else {
            let identity = payload?["customerIdentity"] ?? payload?["consumerIdentity"]
            guard let admission = admit(anonymous: identity) else {
                throw Refusal(
                    "inconsistent-data",
                    "an anonymous customer gives an idOnExternalPlatform of 1 to \(Self.longestCustomer) characters")
            }
            return admission
        }
        let authorization = payload?["data"]?["authorization"]
        guard let code = authorization?["authorizationCode"]?.string, !code.isEmpty else {
            throw Refusal("code-missing", "the channel signs customers in, and no authorizationCode came")
        }
        let verifier = authorization?["codeVerifier"]?.string.flatMap { $0.isEmpty ? nil : $0 }
        return try await admit(code: code, verifier: verifier, visitor: call.socket?.chat?.visitor ?? "", call)
    }

    func authorizeCustomer(_ db: Database, _ call: Call, _ admission: Admission) throws -> Decision {
        guard let socket = call.socket, let session = socket.chat, let channel = channel(call) else { throw Self.noChannel }
        // The Web SDK up to 1.20.2 names its platform here alone (authorizationPayloadData.ts).
        socket.change { $0.platform = $0.platform ?? platform(of: call) }
        let signIn = try keep(admission, visitor: session.visitor, channel: channel, call, db)
        try make(socket, of: admission.customer, isKnownToBrand: signIn != nil, channel, call, db)
        let customer = try CustomerState.customer(admission.customer, of: call.tenant.id, call.sandbox.id, db)
        var data: JSON = ["consumerIdentity": customer?.identity ?? [:]]
        if let own = admission.brand {
            data["accessToken"] = ["token": .string(own.accessToken), "expiresIn": .integer(own.expiresIn)]
        }
        data["customer"] = ["customFields": .array(customer?.fields ?? [])]
        data["contact"] = ["customFields": []]
        // The Web SDK reads it up to 1.18. From 1.19 on it asks to leave it out, as the mobile SDKs do.
        if call.body?["payload"]?["data"]?["disableChannelInfo"] != true { data["channel"] = channel.basics }
        return .answer(reply("consumer-authorized", data, call, cause: "\(admission.customer): \(admission.how)"))
    }

    /// Makes the socket the customer's.
    private func make(
        _ socket: Socket, of customer: String, isKnownToBrand: Bool, _ channel: Channel, _ call: Call, _ db: Database
    ) throws {
        let destination = call.body?["payload"]?["destination"]?["id"]?.string
        socket.change { session in
            session.customer = customer
            session.destination = destination ?? session.destination
        }
        socket.assign(to: Chat.owner(customer, of: call.tenant.id, channel.id))
        if isKnownToBrand { try call.identify(socket, as: customer, db) }
        try Chat(call.occasion, db, vendor: self, channel: channel, customer: customer, call: call).greet()
    }

    // MARK: Reconnect

    func reconnectCustomer(_ db: Database, _ call: Call) throws -> Decision {
        guard let socket = call.socket, let session = socket.chat, let channel = channel(call) else { throw Self.noChannel }
        let token = try accessToken(call, db)
        guard call.now < token.expires else {
            throw Refusal("access-token-expired", "the access token expired \((call.now - token.expires).words) ago")
        }
        try CustomerState.count(.signIn, of: token.customer, call.tenant.id, call.sandbox.id, db)
        try CustomerState.Visitor(brand: call.tenant.id, id: session.visitor, customer: token.customer).keep(call.sandbox.id, db)
        try call.proves(session.visitor, is: token.customer, db)
        try make(socket, of: token.customer, isKnownToBrand: true, channel, call, db)
        return .answer(reply("consumer-reconnected", nil, call, cause: "\(token.customer) is back, by the access token"))
    }

    private func accessToken(_ call: Call, _ db: Database) throws -> TokenState.Token {
        guard let text = call.body?["payload"]?["data"]?["accessToken"]?["token"]?.string, !text.isEmpty else {
            throw Refusal("access-token-missing", "no accessToken came")
        }
        guard let token = try TokenState.token(text, .access, of: call.tenant.id, call.sandbox.id, db) else {
            throw Refusal("access-token-unknown", "the access token was not issued in this sandbox")
        }
        return token
    }

    // MARK: Refresh

    func prepareRefresh(_ call: Call) async throws -> Renewal {
        if channel(call) == nil { throw Self.noChannel }
        let signIn = try await call.read { db in
            let token: TokenState.Token
            do { token = try accessToken(call, db) } catch let refusal as Refusal {
                throw Refusal("access-token-unknown", refusal.cause)
            }
            guard let signIn = try token.signIn.flatMap({ try TokenState.signIn($0, call.sandbox.id, db) }) else {
                throw Refusal("access-token-unknown", "the sign-in of the access token is over")
            }
            return signIn
        }
        return try await renew(signIn, call)
    }

    func refreshToken(_ db: Database, _ call: Call, _ renewal: Renewal) throws -> Decision {
        guard let channel = channel(call) else { throw Self.noChannel }
        let lifetime = try keep(renewal, channel: channel, call, db)
        let data: JSON = ["accessToken": ["token": .string(renewal.tokens.accessToken), "expiresIn": .integer(lifetime)]]
        return .answer(reply("token-refreshed", data, call, cause: "\(renewal.signIn.customer): a new access token for \(lifetime) s"))
    }
}
