public import SparringVendorKit

/// The vendor, for the list of all.
public func cxone(keys: KeyPool, contract: Contract) -> any Vendor { CXone(keys: keys, contract: contract) }

/// NICE CXone's Digital First Omnichannel chat: channels, visitors, the token service and the chat gateway.
struct CXone: Desk, Contracted {
    enum Operation: String, CaseIterable, Sendable {
        case readChannel, readAvailability, readPersistentMenu
        case createOrUpdateVisitor, reportVisitorEvent
        case issueToken
        case uploadAttachment, fetchAttachment
        case readMessage
        case fetchLargeEvent
        case writeLog
        case openGateway
        case heartbeat
        case authorizeCustomer, reconnectCustomer, refreshToken
        case recoverThread, recoverLivechat, fetchThreadList, loadThreadMetadata, loadMoreMessages, updateThread, archiveThread
        case sendMessage, sendOutbound, sendOfflineMessage, sendMessagePreview, seeMessages, startTyping, stopTyping
        case generateAuthorizationToken
        case setContactCustomFields, setCustomerCustomFields
        case endContact, sendTranscript
        case executeTrigger, storeVisitorEvents, changeVisitorTags
        case inviteToGroupChat, mailInvitation, joinGroupChat, leaveGroupChat
    }

    typealias Hand = Chat
    typealias AdminOperation = DeskOperation<Act, OwnOperation>

    enum OwnOperation: String, CaseIterable, Sendable {
        case offer, push, signOut
    }

    static let vendorName = "cxone"
    let name = vendorName
    let tenantKey = "brandId"
    let keys: KeyPool
    let contract: Contract

    init(keys: KeyPool, contract: Contract) {
        self.keys = keys
        self.contract = contract
    }

    func registerMigrations(in migrator: inout DatabaseMigrator) {
        migrator.register(
            CustomerState.tables, TokenState.tables, ThreadState.tables, MessageState.tables, LargeEventState.tables,
            AttachmentState.tables, InvitationState.tables)
    }

    func handler(of operation: Operation) -> Handler {
        switch operation {
        case .readChannel: inChannel { _, _, channel in readChannel(channel) }
        case .readAvailability: inChannel { _, _, channel in readAvailability(channel) }
        case .readPersistentMenu: inChannel { _, _, channel in readPersistentMenu(channel) }
        case .createOrUpdateVisitor: withSupportedSDK(createOrUpdateVisitor)
        case .reportVisitorEvent: withSupportedSDK(reportVisitorEvent)
        case .issueToken: .prepare(prepareToken, thenDecide: issueToken)
        case .uploadAttachment: inChannel(uploadAttachment)
        case .fetchAttachment: .decide(fetchAttachment)
        case .readMessage: withSupportedSDK(readMessage)
        case .fetchLargeEvent: .decide(fetchLargeEvent)
        case .writeLog: withSupportedSDK { _, call in writeLog(call) }
        case .openGateway: inChannel(openGateway)
        case .heartbeat: .decide { _ in .answer("pong", "pong") }
        case .authorizeCustomer: .prepare(prepareAuthorization, thenDecide: authorizeCustomer)
        case .reconnectCustomer: .decide(reconnectCustomer)
        case .refreshToken: .prepare(prepareRefresh, thenDecide: refreshToken)
        case .recoverThread: asCustomer(recoverThread)
        case .recoverLivechat: asCustomer(recoverLivechat)
        case .fetchThreadList: asCustomer(fetchThreadList)
        case .loadThreadMetadata: asCustomer(loadThreadMetadata)
        case .loadMoreMessages: asCustomer(loadMoreMessages)
        case .updateThread: asCustomer(updateThread)
        case .archiveThread: asCustomer(archiveThread)
        case .sendMessage: asCustomer(sendMessage)
        case .sendOutbound: asCustomer(sendOutbound)
        case .sendOfflineMessage: asCustomer(sendOfflineMessage)
        case .sendMessagePreview: asCustomer(sendMessagePreview)
        case .seeMessages: asCustomer(seeMessages)
        case .startTyping, .stopTyping: asCustomer(type)
        case .generateAuthorizationToken: asCustomer(generateAuthorizationToken)
        case .setContactCustomFields: asCustomer(setContactCustomFields)
        case .setCustomerCustomFields: asCustomer(setCustomerCustomFields)
        case .endContact: asCustomer(endContact)
        case .sendTranscript: asCustomer(sendTranscript)
        case .executeTrigger: asCustomer(executeTrigger)
        case .storeVisitorEvents, .changeVisitorTags: asCustomer { chat, _ in .answer(chat.acknowledged("taken, and not looked at")) }
        case .inviteToGroupChat: asCustomer(inviteToGroupChat)
        case .mailInvitation: asCustomer(mailInvitation)
        case .joinGroupChat: asCustomer(joinGroupChat)
        case .leaveGroupChat: asCustomer(leaveGroupChat)
        }
    }

    func dueHandler(of kind: String) -> DueHandler? {
        switch kind {
        case Self.agentStep: .decide(playStep)
        default: nil
        }
    }

    func complete(_ given: JSON, for context: TenantContext) throws(ConfigurationError) -> JSON {
        var own: JSON.Object = ["brandId": .string(context.id), "channels": Channel.standard(for: context)]
        own["issuers"] = context.identityProvider.map { [BrandIssuer.configuration(trusting: $0)] }
        return given.filled(own)
    }

    func settings(_ configuration: JSON) throws(ConfigurationError) -> Settings {
        let common = configuration["channelDefaults"]?.object ?? [:]
        var brand = configuration
        brand["channels"] = .array((configuration["channels"]?.array ?? []).map { $0.filled(common) })
        let settings: Settings = try brand.decoded()
        try settings.check()
        return settings
    }

    func published(_ configuration: JSON, _ settings: Settings, addresses: Addresses) -> JSON {
        let base = addresses.tlsBaseURL ?? addresses.baseURL
        let chat = contract.operation(Operation.readChannel.rawValue)?.pathTemplate.split(separator: "/").first ?? ""
        func channelId(_ mode: Channel.Mode) -> JSON? { settings.channels.first { $0.mode == mode }.map { .string($0.id) } }
        return .members([
            "brandId": .string(settings.brandId),
            "chatURL": .string("\(base)/\(chat)"),
            "socketURL": .string("ws" + base.dropFirst(4)), "tokenURL": .string(base + "/"),
            "loggerURL": .string(base + (contract.operation(Operation.writeLog.rawValue)?.pathTemplate ?? "")),
            "singleThreadChannelId": channelId(.single), "multiThreadChannelId": channelId(.multi), "liveChatChannelId": channelId(.live),
            "channels": .array(
                settings.channels.map { ["channelId": .string($0.id), "name": .string($0.name), "mode": .string($0.mode.rawValue)] }),
        ])
    }

    /// Errors over HTTP are the contract's examples; over the socket they have the event's id, and a transaction's.
    func render(_ refusal: Refusal, for call: Call) -> Answer {
        if let restrictions = restrictions(for: refusal, call) { return Answer(refusal.name, restrictions) }
        let example = call.operation.answer(refusal.name)?.example
        guard call.operation.isMessage, var body = example else {
            return Answer(refusal.name, body: example.map { .json($0) } ?? .none)
        }
        if body["eventId"] != nil { body["eventId"] = .string(Self.eventId(of: call)) }
        if !refusal.isForced, body["error"] != nil { body["error"]?["transactionId"] = .string(call.draw("transaction").uuid) }
        return Answer(refusal.name, body)
    }

    /// The id of the event that is answered. Of one that has none the answer, which needs one, has a new one.
    static func eventId(of call: Call) -> String { call.body?["eventId"]?.string ?? call.draw("event").uuid }

    /// The answer of AWS's gateway to a message that it cannot read: it names the connection, and a request of its own.
    func misunderstood(_ message: [UInt8], on socket: Socket, _ example: JSON) -> JSON {
        var answer = example
        answer["connectionId"] = .string(Self.connectionId(of: socket))
        return answer
    }

    private static func connectionId(of socket: Socket) -> String {
        Base64.encode(Array(Draw(seed: socket.sandbox.idSeed, "connection", String(socket.number)).hex.prefix(11).utf8))
    }

    func decryptionKey() throws(TokenError) -> DecryptionKey { try DecryptionKey(keys.vendorEncryption()) }
}
