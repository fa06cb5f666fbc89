public import SparringVendorKit

/// The vendor, for the list of all.
public func khoros(contract: Contract) -> any Vendor { Khoros(contract: contract) }

/// Khoros Brand Messenger of the first generation, which speaks the wire of the Smooch SDKs: configuration, login with the brand's JWT,
/// conversations, and the Bayeux socket.
struct Khoros: Desk, Contracted {
    enum Operation: String, CaseIterable, Sendable {
        case readConfig
        case logIn, createUser, upgradeUser, redeemAuthCode, readUser, updateUser, logOut, updateClient
        case listConversations, createConversation, fetchConversation, fetchConversationOfUser, updateConversation
        case subscribeConversation
        case fetchMessages, sendMessage, reportActivity, sendPostback, sendFile, fetchFile
        case payByStripe, readStripeCustomer, saveStripeCustomer, readLinkRequest, unlinkClient, referConversation
        case openRealtime, pollRealtime, pollRealtimeByCallback
        case handshake, connect, subscribe, unsubscribe, disconnect
    }

    /// The business's acts, by the names that agents' acts have everywhere; then codes, and what was said.
    typealias Hand = Messenger
    typealias AdminOperation = DeskOperation<Act, OwnOperation>

    enum OwnOperation: String, CaseIterable, Sendable {
        case issueAuthCode
    }

    static let vendorName = "khoros"
    let name = vendorName
    let tenantKey = "appId"
    let contract: Contract

    init(contract: Contract) { self.contract = contract }

    func registerMigrations(in migrator: inout DatabaseMigrator) {
        migrator.register(
            MessengerUserState.tables, MessengerClientState.tables, AuthCodeState.tables, MessengerConversationState.tables,
            MessengerMessageState.tables, MediaState.tables)
    }

    func handler(of operation: Operation) -> Handler {
        switch operation {
        case .readConfig: .decide(readConfig)
        case .logIn: .decide(logIn)
        case .createUser: .decide(createUser)
        case .upgradeUser: .decide(upgradeUser)
        case .redeemAuthCode: .decide(redeemAuthCode)
        case .readUser: asUser(readUser)
        case .updateUser: asUser(updateUser)
        case .logOut: asUser(logOut)
        case .updateClient: asUser(updateClient)
        case .listConversations: asUser(listConversations)
        case .createConversation: asUser(createConversation)
        case .fetchConversation, .subscribeConversation: inConversation(fetchConversation)
        case .fetchConversationOfUser: asUser(fetchConversationOfUser)
        case .updateConversation: inConversation(updateConversation)
        case .fetchMessages: inConversation(fetchMessages)
        case .sendMessage: inConversation(sendMessage)
        case .reportActivity: inConversation(reportActivity)
        case .sendPostback: inConversation(sendPostback)
        case .sendFile: sendingFile()
        case .fetchFile: .decide(fetchFile)
        case .payByStripe, .readStripeCustomer, .saveStripeCustomer, .readLinkRequest, .unlinkClient, .referConversation:
            .decide { call in .notEmulated(call) }
        case .openRealtime: .decide { _ in .answer("realtime-opened") }
        case .pollRealtime, .pollRealtimeByCallback: .decide(poll)
        case .handshake: .decide(handshake)
        case .connect: inSession(connect)
        case .subscribe: inSession(subscribe)
        case .unsubscribe: inSession(unsubscribe)
        case .disconnect: inSession(disconnect)
        }
    }

    func dueHandler(of kind: String) -> DueHandler? {
        switch kind {
        case Self.agentStep: .decide(playStep)
        default: nil
        }
    }

    /// An app takes JWTs of the sandbox's own brand, and has an integration for each platform, where it was given no others.
    func complete(_ given: JSON, for context: TenantContext) throws(ConfigurationError) -> JSON {
        let keys: JSON? = context.identityProvider.map { [["id": .string($0.appKey.id), "secret": .string($0.appKey.secret)]] }
        return given.filled(["appId": .string(context.id), "integrations": Integration.standard(for: context), "keys": keys ?? []])
    }

    func published(_ configuration: JSON, _ settings: Khoros.Settings, addresses: Addresses) -> JSON {
        func id(_ platform: Integration.Platform) -> JSON? { settings.integration(for: platform).map { .string($0.id) } }
        return .members([
            "appId": .string(settings.appId), "serviceBaseURL": .string(Self.advertised(addresses.baseURL)),
            "iosIntegrationId": id(.ios), "androidIntegrationId": id(.android), "webIntegrationId": id(.web),
            "keyId": settings.keys.first.map { .string($0.id) }, "keySecret": settings.keys.first.map { .string($0.secret) },
        ])
    }

    func look(at token: String, _ configuration: JSON, _ settings: Khoros.Settings) -> TokenLook? {
        let keys = settings.keys.compactMap { try? VerificationKey(secret: Array($0.secret.utf8), kid: $0.id) }
        return TokenLook(token, signedWith: keys, of: name)
    }

    /// Errors over HTTP are the contract's examples; over the socket they name the session, the subscription and the message.
    func render(_ refusal: Refusal, for call: Call) -> Answer {
        let example = call.operation.answer(refusal.name)?.example
        guard call.operation.isMessage, let body = example else { return Answer(refusal.name, body: example.map { .json($0) } ?? .none) }
        return Answer(refusal.name, bayeux(body.array?.first ?? [:], call))
    }

    func timer(_ name: String, of socket: Socket, _ occasion: Occasion, _ db: Database) throws {
        switch name {
        case Self.silence: occasion.outbox.close(socket, 1000, cause: "the client has not polled for twice the time that a connect is held")
        default: try answerHeldConnect(of: socket, occasion.outbox)
        }
    }

    /// The SDKs refuse the host `localhost` (Khoros reference 1.2).
    static func advertised(_ base: String) -> String {
        for scheme in ["http://", "https://"] where base.hasPrefix(scheme + "localhost") {
            let rest = base.dropFirst(scheme.utf8.count + "localhost".utf8.count)
            if rest.isEmpty || rest.first == ":" { return scheme + "127.0.0.1" + rest }
        }
        return base
    }
}
