public import SparringVendorKit

/// The vendor, for the list of all.
public func livePerson(keys: KeyPool, contract: Contract) -> any Vendor { LivePerson(keys: keys, contract: contract) }

/// LivePerson Conversational Cloud: its domain lookup, its identity service, messaging over a consumer's
/// and an agent's socket, its Monitoring API and its pusher.
struct LivePerson: Desk, Contracted {
    enum Operation: String, CaseIterable, Sendable {
        case lookUpService, lookUpServiceWithoutSuffix, lookUpAllServices, lookUpAllServicesWithoutSuffix
        case lookUpAllServicesLegacy, lookUpServiceLegacy, lookUpServiceScript, lookUpAllServicesScript
        case listConnectors
        case readAgentProfile, listAccountProperties, listZones, readRefererRestrictions
        case signUp, signUpScript
        case authenticateV1, authenticateV2, authenticateV3
        case authorizeAnonymous
        case openConsumerSocket, openConsumerSocketByToken
        case initConnection, getClock, keepAlive
        case requestConversation, subscribeConversations, unsubscribeConversations, updateConversation
        case subscribeEvents
        case publishText, publishFile, publishRichContent, publishAcceptStatus, publishChatState
        case publishSecureSubmission, generateUploadToken
        case setUserProfile, getUserProfile
        case generateUploadUrl, generateDownloadUrl
        case uploadFile, uploadFileWithSecondSlash, downloadFile, downloadFileWithSecondSlash
        case readAppleAppSiteAssociation, readAppleAppSiteAssociationAtRoot, readAssetLinks
        case issueAppToken, createConsumer
        case createConversation, sendRequest
        case readAccountConfiguration, readAccountConfigurationById, readTaglets
        case searchConversationMetadata, readConversationContent
        case searchHistory, searchConsumerHistory, readHistory, readAppInstallation
        case readOperations, readOperationsPart, readOperationsPartWithSlash
        case createAppSession, createAppSessionWithSlash, continueAppSession, updateAppSession
        case readShiftStatus, readSkillShiftStatus, readConversationByREST, readMessagesByREST
        case updateConversationByREST, publishByREST, putConsumerByREST, createConversationByREST
        case readAgentStatus, readAgentSummary, searchEngagementHistory, reportVisitorEvents, reportVisitorEventsByPost
        case fetchEngagement, reportAttributes, reportAttributesByPost
        case registerPush, readPushStatus, unregisterPush, readUnread
        case deliverPush, deliverNotification
        case agentLogin, agentRefresh, agentLogout, openAgentSocket, agentGetClock
        case setAgentState, subscribeAgentsState, subscribeRoutingTasks, updateRoutingTaskSubscription, updateRingState
        case agentSubscribeConversations, agentUnsubscribeConversations, agentUpdateConversation, agentRequestConversation
        case agentGetUserProfile
        case agentPublishText, agentPublishFile, agentPublishRichContent, agentPublishAcceptStatus, agentPublishChatState
        case agentGenerateUploadUrl, agentGenerateDownloadUrl
        case agentPublishSecureInvitation, agentGenerateDownloadToken
        case agentQueryMessages
    }

    /// An agent's acts, by the names that they have everywhere; then a proactive push, the end of a consumer's session, and what was said.
    typealias Hand = Messaging
    typealias AdminOperation = DeskOperation<Act, OwnOperation>

    enum OwnOperation: String, CaseIterable, Sendable {
        case push, signOut
    }

    static let vendorName = "liveperson"
    let name = vendorName
    let tenantKey = "accountId"
    let keys: KeyPool
    let contract: Contract
    /// Tokens of its own, by the account.
    let bearers = VerifiedTokens<LivePersonToken.Bearer>()

    /// Every unhappy answer that has an internal error code.
    private let refusals: [String]

    init(keys: KeyPool, contract: Contract) {
        self.keys = keys
        self.contract = contract
        let unhappy = contract.operations.flatMap(\.answers).filter { $0.isUnhappy && $0.example?["internalErrorCode"] != nil }
        refusals = Set(unhappy.map(\.name)).sorted()
    }

    func registerMigrations(in migrator: inout DatabaseMigrator) {
        migrator.register(
            LivePersonState.tables, ConversationState.tables, MonitoringState.tables, PusherState.tables, ProactiveState.tables,
            FileState.tables, AgentState.tables, RoutingState.tables, WebhookBacklog.tables)
    }

    func handler(of operation: Operation) -> Handler {
        switch operation {
        case .lookUpService, .lookUpServiceWithoutSuffix, .lookUpServiceLegacy: .decide(lookUpService)
        case .lookUpAllServices, .lookUpAllServicesWithoutSuffix, .lookUpAllServicesLegacy: .decide(lookUpAllServices)
        case .lookUpServiceScript: .decide(lookUpServiceScript)
        case .lookUpAllServicesScript: .decide(lookUpAllServicesScript)
        case .listConnectors: .decide(listConnectors)
        case .readAgentProfile: .decide(readAgentProfile)
        case .listAccountProperties: .decide(listAccountProperties)
        case .listZones: .decide(listZones)
        case .readRefererRestrictions: .decide(readRefererRestrictions)
        case .signUp, .signUpScript: .prepare(prepareSignUp, thenDecide: signUp)
        case .authenticateV1, .authenticateV2, .authenticateV3: .prepare(prepareSignIn, thenDecide: signIn)
        case .authorizeAnonymous: .prepare(prepareAnonymous, thenDecide: authorizeAnonymous)
        case .openConsumerSocket, .openConsumerSocketByToken: .prepare(prepareSocket, thenDecide: openConsumerSocket)
        case .initConnection: .prepare(prepareInitConnection, thenDecide: initConnection)
        case .getClock: .decide(getClock)
        case .keepAlive: .decide(keepAlive)
        case .requestConversation: .decide(requestConversation)
        case .subscribeConversations: .decide(subscribeConversations)
        case .unsubscribeConversations: .decide(unsubscribeConversations)
        case .updateConversation: .decide(updateConversation)
        case .subscribeEvents: .decide(subscribeEvents)
        case .publishFile: .decide(publishFile)
        case .publishText, .publishRichContent, .publishAcceptStatus, .publishChatState: .decide(publishEvent)
        case .publishSecureSubmission: .decide(publishSecureSubmission)
        case .generateUploadToken: .decide(generateUploadToken)
        case .setUserProfile: .decide(setUserProfile)
        case .getUserProfile: .decide(getUserProfile)
        case .generateUploadUrl: .decide(generateUploadUrl)
        case .generateDownloadUrl: .decide(generateDownloadUrl)
        case .uploadFile, .uploadFileWithSecondSlash: .decide(uploadFile)
        case .downloadFile, .downloadFileWithSecondSlash: .decide(downloadFile)
        case .readAppleAppSiteAssociation, .readAppleAppSiteAssociationAtRoot: .decide(readAppleAppSiteAssociation)
        case .readAssetLinks: .decide(readAssetLinks)
        case .issueAppToken: .prepare(prepareAppToken, thenDecide: issueAppToken)
        case .createConsumer: .prepare(prepareConsumer, thenDecide: createConsumer)
        case .createConversation: asSpeaker(createConversation)
        case .sendRequest: asSpeaker(sendRequest)
        case .searchConversationMetadata: asBearer(searchConversationMetadata)
        case .readConversationContent: asBearer(readConversationContent)
        case .readAccountConfiguration, .readAccountConfigurationById, .readTaglets, .searchHistory, .searchConsumerHistory, .readHistory,
            .readAppInstallation, .readOperations, .readOperationsPart, .readOperationsPartWithSlash, .createAppSession,
            .createAppSessionWithSlash, .continueAppSession, .updateAppSession, .readShiftStatus, .readSkillShiftStatus,
            .readConversationByREST, .readMessagesByREST, .updateConversationByREST, .publishByREST, .putConsumerByREST,
            .createConversationByREST, .readAgentStatus, .readAgentSummary, .searchEngagementHistory, .reportVisitorEvents,
            .reportVisitorEventsByPost:
            .decide { call in .notEmulated(call) }
        case .fetchEngagement: .prepare(prepareMonitoring, orRecall: plainReport, thenDecide: fetchEngagement)
        case .reportAttributes, .reportAttributesByPost: .prepare(prepareMonitoring, orRecall: plainReport, thenDecide: reportAttributes)
        case .registerPush: asBearer(registerPush)
        case .readPushStatus: asBearer(readPushStatus)
        case .unregisterPush: asBearer(isSpentEnough: true, unregisterPush)
        case .readUnread: asBearer(readUnread)
        case .deliverPush: .decide(deliverPush)
        case .deliverNotification: .decide(deliverNotification)
        case .agentLogin: .decide(agentLogin)
        case .agentRefresh: .decide(agentRefresh)
        case .agentLogout: .decide(agentLogout)
        case .openAgentSocket: .decide(openAgentSocket)
        case .agentGetClock: .decide(agentGetClock)
        case .setAgentState: .decide(setAgentState)
        case .subscribeAgentsState: .decide(subscribeAgentsState)
        case .subscribeRoutingTasks: .decide(subscribeRoutingTasks)
        case .updateRoutingTaskSubscription: .decide(updateRoutingTaskSubscription)
        case .updateRingState: .decide(updateRingState)
        case .agentSubscribeConversations: .decide(agentSubscribeConversations)
        case .agentUnsubscribeConversations: .decide(agentUnsubscribeConversations)
        case .agentUpdateConversation: .decide(agentUpdateConversation)
        case .agentRequestConversation: .decide(agentRequestConversation)
        case .agentGetUserProfile: .decide(agentGetUserProfile)
        case .agentPublishFile: .decide(agentPublishFile)
        case .agentGenerateUploadUrl: .decide(agentGenerateUploadUrl)
        case .agentGenerateDownloadUrl: .decide(agentGenerateDownloadUrl)
        case .agentPublishText, .agentPublishRichContent, .agentPublishAcceptStatus, .agentPublishChatState, .agentPublishSecureInvitation:
            .decide(agentPublishEvent)
        case .agentGenerateDownloadToken: .decide(agentGenerateDownloadToken)
        case .agentQueryMessages: .decide(agentQueryMessages)
        }
    }

    func dueHandler(of kind: String) -> DueHandler? {
        switch kind {
        case PushAttempt.kind: .prepare(sendPush, thenDecide: pushSent)
        case WebhookNotification.kind: .prepare(sendNotification, thenDecide: notificationSent)
        case WebhookBacklog.kind: .prepare(sendBacklog, thenDecide: backlogSent)
        case Messaging.ringExpiry: .decide(expireRing)
        case Self.agentStep: .decide(playStep)
        default: nil
        }
    }

    func complete(_ given: JSON, for context: TenantContext) throws(ConfigurationError) -> JSON {
        // Not a key's that exists: nobody can sign an app so.
        let fingerprint = DeepLinkSettings.fingerprint(ofHex: Draw(seed: context.seed, "certificate", context.id).hex)
        var own: JSON.Object = [
            "accountId": .string(context.id), "deepLinks": DeepLinkSettings.example(fingerprint: fingerprint),
            "appInstallations": [AppInstallation.example(for: context)],
        ]
        if let provider = context.identityProvider { own["issuers"] = [BrandIssuer.configuration(trusting: provider)] }
        // The agents are there only when the constants are.
        let configuration = given.filled(own)
        return LivePerson.Agent.identified(in: try contract.tenant?.completed(configuration) ?? configuration)
    }

    func settings(_ configuration: JSON) throws(ConfigurationError) -> Settings {
        let settings: Settings = try configuration.decoded()
        try settings.check(refusals)
        try requireSoundScripts(settings.agents)
        return settings
    }

    func published(_ configuration: JSON, _ settings: LivePerson.Settings, addresses: Addresses) -> JSON {
        let issuers = (configuration["issuers"]?.array ?? []).map { issuer -> JSON in
            var issuer = issuer
            if issuer["pkce"] == false { issuer["pkce"] = nil }
            for name in ["iss", "jwksURI", "tokenEndpoint"] {
                if let url = issuer[name]?.string { issuer[name] = .string(addresses.absolute(url)) }
            }
            return issuer
        }
        let encryption = try? keys.vendorEncryption()
        return .members([
            "accountId": .string(settings.accountId),
            "csdsDomain": .string(addresses.serviceHost(of: addresses.tlsBaseURL ?? addresses.baseURL)),
            "issuers": .array(issuers), "publicKey": (try? keys.vendorSigning())?.publicKeyBase64.map { .string($0) },
            "encryptionKid": (encryption?.kid).map { .string($0) }, "encryptionPublicKey": encryption?.publicKeyBase64.map { .string($0) },
            "appClientId": (settings.appInstallations.first?.clientId).map { .string($0) },
            "appClientSecret": (settings.appInstallations.first?.clientSecret).map { .string($0) },
            "appInstallations": .array(settings.appInstallations.map(\.json)),
        ])
    }

    /// LivePerson's identity service answers with a code of its own, always in a 500 (LivePerson reference 4.3). Only 9007 is known to be real.
    func render(_ refusal: Refusal, for call: Call) -> Answer {
        if call.operation.tag == "Monitoring" { return renderMonitoring(refusal, for: call) }
        let example = call.operation.answer(refusal.name)?.example
        if call.operation.isMessage { return reply(refusal.name, call) }
        guard let code = example?["internalErrorCode"] else { return Answer(refusal.name, body: example.map { .json($0) } ?? .none) }
        let configured = call.settings(of: self).errorCodes[refusal.name].map { JSON.string($0) }
        return Answer(refusal.name, ["internalErrorCode": configured ?? code])
    }

    func look(at token: String, _ configuration: JSON, _ settings: LivePerson.Settings) -> TokenLook? {
        if let encrypted = try? JWE(parsing: token), let content = try? encrypted.decrypt(with: decryptionKey()) {
            return TokenLook(key: "the key of \(name)", content: String(decoding: content, as: UTF8.self))
        }
        return TokenLook(token, signedWith: [try? signingKey().verificationKey].compactMap(\.self), of: name)
    }

    func signingKey() throws(TokenError) -> SigningKey { try keys.vendorSigning() }
    func decryptionKey() throws(TokenError) -> DecryptionKey { try DecryptionKey(keys.vendorEncryption()) }
}
