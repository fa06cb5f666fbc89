public import SparringVendorKit

/// The vendor, for the list of all.
public func asapp(keys: KeyPool, contract: Contract) -> any Vendor { ASAPP(keys: keys, contract: contract) }

/// ASAPP Chat: sessions with a context, device tokens, the conversation's status, the chat, and the calls to the customer's own backend. The SDK's wire is not public.
struct ASAPP: Desk, Contracted {
    enum Operation: String, CaseIterable, Sendable {
        case startSession
        case registerPushToken, deregisterPushToken
        case readStatus
        case requestSocket, openSocket, sendMessage, readMessages, endChat
        case receivePush, validateContext
    }

    /// An agent's acts, by the names that they have everywhere; then what the contact centre does besides, and what was said.
    typealias Hand = CompanyChat
    typealias AdminOperation = DeskOperation<Act, OwnOperation>

    enum OwnOperation: String, CaseIterable, Sendable {
        case push, signOut
    }

    static let vendorName = "asapp"
    let name = vendorName
    let tenantKey = "appId"
    let keys: KeyPool
    let contract: Contract

    init(keys: KeyPool, contract: Contract) {
        self.keys = keys
        self.contract = contract
    }

    func registerMigrations(in migrator: inout DatabaseMigrator) {
        migrator.register(CompanyCustomerState.tables, ChatSessionState.tables, PushTokenState.tables, IssueState.tables)
    }

    func handler(of operation: Operation) -> Handler {
        switch operation {
        case .startSession: .prepare(prepareSession, thenDecide: startSession)
        case .registerPushToken: .prepare(prepareContext, thenDecide: registerPushToken)
        case .deregisterPushToken: .prepare(prepareContext, thenDecide: deregisterPushToken)
        case .readStatus: asCustomer(readStatus)
        case .requestSocket: asCustomer(requestSocket)
        case .openSocket: .decide(openSocket)
        case .sendMessage: asCustomer(sendMessage)
        case .readMessages: asCustomer(readMessages)
        case .endChat: asCustomer(endChat)
        case .receivePush: .decide(receivePush)
        case .validateContext: .prepare(prepareValidation, thenDecide: validateContext)
        }
    }

    func dueHandler(of kind: String) -> DueHandler? {
        switch kind {
        case CompanyPush.kind: .prepare(sendPush, thenDecide: pushSent)
        case Self.agentStep: .decide(playStep)
        default: nil
        }
    }

    /// A company trusts the sandbox's own brand where it was given no other.
    func complete(_ given: JSON, for context: TenantContext) throws(ConfigurationError) -> JSON {
        var own: JSON.Object = ["appId": .string(context.id)]
        own["issuers"] = context.identityProvider.map { [BrandIssuer.configuration(trusting: $0)] }
        return given.filled(own)
    }

    func published(_ configuration: JSON, _ settings: ASAPP.Settings, addresses: Addresses) -> JSON {
        .members([
            "appId": .string(settings.appId), "apiURL": .string(addresses.baseURL),
            "apiHostName": .string(addresses.serviceHost(of: addresses.baseURL)),
            "clientSecret": settings.secret.map { .string($0) }, "regionCode": "US",
            "pushSecret": .string(settings.push.secret),
            "pushURL": .string(addresses.baseURL + path(.receivePush, ["appId": settings.appId])),
            "validationURL": .string(addresses.baseURL + path(.validateContext, ["appId": settings.appId])),
        ])
    }

    /// Each error has an id of its own, unless a fault asked for it.
    func render(_ refusal: Refusal, for call: Call) -> Answer {
        var body = call.operation.answer(refusal.name)?.example
        if !refusal.isForced, body?["error"]?["requestId"] != nil { body?["error"]?["requestId"] = .string(call.draw("request id").uuid) }
        return Answer(refusal.name, body: body.map { .json($0) } ?? .none)
    }
}
