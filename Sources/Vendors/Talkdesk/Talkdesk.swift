public import SparringVendorKit

/// The vendor, for the list of all.
public func talkdesk(keys: KeyPool, contract: Contract) -> any Vendor { Talkdesk(keys: keys, contract: contract) }

/// Talkdesk's mobile SDK: Talkdesk ID, which issues access tokens; the brand's backend, which hands them to its app; and what they open.
struct Talkdesk: Desk, Contracted {
    enum Operation: String, CaseIterable, Sendable {
        case authorize, issueToken
        case fetchAccess, fetchAppToken, fetchAppTokenSlash
        case startInteraction, readInteraction, endInteraction, sendToInteraction
        case createConversation, addMessage, requestCallback
    }

    typealias Hand = Talking
    typealias AdminOperation = DeskOperation<Act, OwnOperation>

    enum OwnOperation: String, CaseIterable, Sendable {
        case signOut
    }

    let name = "talkdesk"
    let tenantKey = "account"
    let keys: KeyPool
    let contract: Contract

    init(keys: KeyPool, contract: Contract) {
        self.keys = keys
        self.contract = contract
    }

    func registerMigrations(in migrator: inout DatabaseMigrator) {
        migrator.register(TalkdeskGrantState.tables, TalkdeskTokenState.tables, InteractionState.tables, DigitalState.tables)
    }

    func handler(of operation: Operation) -> Handler {
        switch operation {
        case .authorize: .decide(authorize)
        case .issueToken: .decide(issueToken)
        case .fetchAccess: .prepare(prepareAccess, thenDecide: fetchAccess)
        case .fetchAppToken, .fetchAppTokenSlash: .prepare(prepareAccess, thenDecide: fetchAppToken)
        case .startInteraction: withToken(for: Talkdesk.Client.interactions, startInteraction)
        case .readInteraction: inInteraction(readInteraction)
        case .endInteraction: inInteraction(endInteraction)
        case .sendToInteraction: inInteraction(sendToInteraction)
        case .createConversation: withToken(for: Talkdesk.Client.digital, createConversation)
        case .addMessage: withToken(for: Talkdesk.Client.digital, addMessage)
        case .requestCallback: withToken(for: Talkdesk.Client.callbacks, requestCallback)
        }
    }

    func dueHandler(of kind: String) -> DueHandler? {
        switch kind {
        case Self.agentStep: .decide(playStep)
        default: nil
        }
    }

    func complete(_ given: JSON, for context: TenantContext) throws(ConfigurationError) -> JSON {
        let key: SigningKey
        do throws(TokenError) { key = try keys.backend() } catch { throw ConfigurationError(.root, "the key pool: \(error)") }
        return given.filled(["account": .string(context.id), "clients": [Client.standard(for: context, key: key.verificationKey)]])
    }

    func settings(_ configuration: JSON) throws(ConfigurationError) -> Settings {
        let settings: Settings = try configuration.decoded()
        try settings.check()
        return settings
    }

    func published(_ configuration: JSON, _ settings: Talkdesk.Settings, addresses: Addresses) -> JSON {
        let base = addresses.baseURL
        let client = settings.clients.first
        // Of a key that was registered by somebody else only they have the other half.
        let pooled = try? keys.backend()
        let own = client?.keys.first?.publicKey.publicKeyBase64 == pooled?.publicKeyBase64 ? pooled?.privatePEM : nil
        func url(_ operation: Operation, _ values: [String: String] = [:]) -> JSON { .string(base + path(operation, values)) }
        // The calls of apps name no account, so that the address does.
        func backend(_ operation: Operation, _ values: [String: String] = [:]) -> JSON {
            .string(base + path(operation, values) + "?account=" + PercentCoding.encoded(settings.account))
        }
        // Clients append the rest.
        let interactions = path(.startInteraction, ["account": settings.account]).split(separator: "/", omittingEmptySubsequences: false)
        let gateway = base + interactions.dropLast(2).joined(separator: "/")
        return .members([
            "account": .string(settings.account), "tokenURL": url(.issueToken), "authorizeURL": url(.authorize),
            "clientId": client.map { .string($0.id) }, "clientSecret": client?.secret.map { .string($0) },
            "keyId": client?.keys.first.map { .string($0.kid) },
            "privateKey": own.map { .string($0) },
            "redirectURI": client?.redirectURIs.first.map { .string($0) }, "accessURL": backend(.fetchAccess),
            "appTokenURL": settings.backend.apps.first.map { backend(.fetchAppToken, ["appId": $0]) },
            "gatewayURL": .string(gateway), "apiURL": .string(base),
            // What calls of the public API must name.
            "touchpointId": settings.touchpoints.first.map { .string($0) }, "phoneNumber": settings.phoneNumbers.first.map { .string($0) },
        ])
    }

    func look(at token: String, _ configuration: JSON, _ settings: Talkdesk.Settings) -> TokenLook? {
        let clients = settings.clients.flatMap { client in client.keys.map(\.publicKey) }
        return TokenLook(token, signedWith: [try? keys.vendorAccess().verificationKey].compactMap(\.self) + clients, of: name)
    }

    func render(_ refusal: Refusal, for call: Call) -> Answer {
        if Operation(rawValue: call.operation.id) == .authorize, let answer = redirect(refusal, call) { return answer }
        let declared = call.operation.answer(refusal.name)
        var answer = Answer(refusal.name, body: declared?.example.map { .json($0) } ?? .none)
        if let realm = basicRealm(call, declared) { answer.headers[.wwwAuthenticate] = "Basic realm=\"\(realm)\"" }
        return answer
    }
}
