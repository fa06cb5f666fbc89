import SparringVendorKit

/// Handlers of the tag "Send": a consumer's messaging over REST, by an app that speaks for them (LivePerson reference 6.1). The requests are those of
/// the consumer's socket, and are found and checked by its contract.
extension LivePerson {
    /// A handler that does `act` for the consumer for whom the app speaks.
    func asSpeaker(_ act: @escaping @Sendable (Database, Call, ConsumerJWS) throws -> Decision) -> Handler {
        .prepare(prepareSpeaker, thenDecide: act)
    }

    private func prepareSpeaker(_ call: Call) async throws -> ConsumerJWS {
        let key = try signingKey().verificationKey
        _ = try AppToken.read(call.header(.authorization), account: call.settings(of: self), at: call.now, key: key)
        return try ConsumerJWS.read(call.header(.onBehalf), account: call.tenant.id, key: key)
    }

    /// "At least two JSON payloads" (Send API, CONVERSATION): first who it is, then the conversation; what may follow is not documented. Here it
    /// is what can be published, in the conversation that has just been opened, and names no dialog.
    func createConversation(_ db: Database, _ call: Call, _ speaker: ConsumerJWS) throws -> Decision {
        let requests = call.body?.array ?? []
        let operations = requests.map(operation(of:))
        let isWellOrdered = operations.prefix(2) == [.setUserProfile, .requestConversation]
        guard isWellOrdered, operations.dropFirst(2).allSatisfy({ $0.map(Self.published.contains) == true }) else {
            throw Refusal(
                "request-malformed",
                "a SetUserProfile and then a ConsumerRequestConversation should come, and after them nothing but PublishEvents")
        }
        guard requests[1]["body"]?["brandId"]?.idText == call.tenant.id else {
            let given = requests[1]["body"]?["brandId"]?.idText
            throw Refusal("brand-id-missing", given.map { "brandId is '\($0)', not '\(call.tenant.id)'" } ?? "no brandId came")
        }
        for request in requests.dropFirst(2) {
            guard let dialog = request["body"]?["dialogId"]?.idText, !dialog.isEmpty else { continue }
            throw Refusal("dialog-unknown", "dialog '\(dialog)' is not that of the conversation that is being opened")
        }
        // What a refusal leaves undone stays undone, but what came before it has been done: so all are checked first.
        for (index, request) in requests.enumerated() {
            var request = request
            if index > 1 { request["body"]?["dialogId"] = "opened" }
            guard let checked = declared(request)?.check(message: request), !checked.isUsable else { continue }
            throw Refusal("request-malformed", checked.violations.map(\.description).joined(separator: "; "))
        }
        var done = Done()
        for var request in requests {
            if done.answers.count > 1 { request["body"]?["dialogId"] = done.answers[1]["body"]?["conversationId"] }
            try perform(request, for: speaker, &done, call, db)
        }
        return .answer(done.answer("conversation-created", .array(done.answers)))
    }

    private static let published: [Operation] = [
        .publishText, .publishFile, .publishRichContent, .publishAcceptStatus, .publishChatState,
    ]

    func sendRequest(_ db: Database, _ call: Call, _ speaker: ConsumerJWS) throws -> Decision {
        var done = Done()
        try perform(call.body ?? [:], for: speaker, &done, call, db)
        return .answer(done.answer("request-met", done.answers.first ?? [:]))
    }

    // MARK: One request

    private struct Done {
        var answers: [JSON] = []
        var words: [String] = []
        var findings: [Finding] = []

        mutating func add(_ request: JSON, _ body: JSON, _ words: String, findings: [Finding] = []) {
            // The code is a word here, and a number on the socket (LivePerson reference 6.1).
            answers.append(["code": "OK", "body": body, "reqId": .string(request["id"]?.idText ?? "")])
            self.words.append(words)
            self.findings += findings
        }

        func answer(_ name: String, _ body: JSON) -> Answer {
            var answer = Answer(name, body, cause: words.joined(separator: "; "))
            answer.findings = findings
            return answer
        }
    }

    /// The operation of the consumer's socket by which a request would be met there.
    private func declared(_ request: JSON) -> ContractOperation? {
        guard let opener = contract.operation(Operation.openConsumerSocket.rawValue),
            let channel = contract.channel(openedBy: opener), case .found(let operation) = channel.match(request)
        else { return nil }
        return operation
    }

    /// On the socket, answers are matched by the request's id, so it must have one. A request that comes alone over REST may have null (LivePerson's
    /// own demo app, see the contract), and is checked as if it had one.
    private static func identified(_ request: JSON) -> JSON {
        guard request["id"]?.isNull == true else { return request }
        var request = request
        request["id"] = "0"
        return request
    }

    private func operation(of request: JSON) -> Operation? { declared(request).flatMap { Operation(rawValue: $0.id) } }

    private func perform(_ request: JSON, for speaker: ConsumerJWS, _ done: inout Done, _ call: Call, _ db: Database) throws {
        guard let declared = declared(request), let operation = Operation(rawValue: declared.id) else {
            throw Refusal(
                "request-malformed",
                "no request of the consumer's socket is \(request["type"]?.text.abbreviated(to: 100) ?? "without a type")")
        }
        let checked = declared.check(message: Self.identified(request))
        guard checked.isUsable else {
            throw Refusal("request-malformed", checked.violations.map(\.description).joined(separator: "; "))
        }
        done.findings += (checked.violations + checked.undeclared).map(Finding.init)
        let messaging = Messaging(call.occasion, db)
        let (body, consumer) = (request["body"], speaker.consumer)
        let participant = Conversation.Participant(id: consumer, role: "CONSUMER")
        switch operation {
        case .setUserProfile:
            try ConversationState.setProfile(body ?? [:], of: consumer, account: call.tenant.id, sandbox: call.sandbox.id, db)
            done.add(request, ["msg": "OK User Profile set successfully"], "the profile of \(speaker.externalId) set")
        case .requestConversation:
            let opened = try messaging.open(for: consumer, body)
            done.add(request, ["conversationId": .string(opened.conversation.id)], opened.words, findings: opened.findings)
        case .updateConversation:
            let conversation = try messaging.conversation(body?["conversationId"]?.idText ?? "", of: consumer)
            let changed = try messaging.change(conversation, body?["conversationField"]?.oneOrMore ?? [], by: participant)
            done.add(request, ["msg": .string(changed.isResolved ? "OK Conversation resolved successfully" : "OK")], changed.words)
        case .publishText, .publishFile, .publishRichContent, .publishAcceptStatus, .publishChatState:
            let (conversation, dialog) = try messaging.dialog(body?["dialogId"]?.idText ?? "", of: consumer)
            let published = try messaging.publish(
                body?["event"] ?? [:], metadata: request["metadata"], by: participant, in: dialog, of: conversation)
            done.add(request, ["sequence": .integer(Int64(published.sequence ?? 0))], published.words)
        case .generateUploadUrl:
            let url = try uploadURL(for: consumer, body, call, db)
            done.add(request, url.json, url.cause)
        case .generateDownloadUrl:
            let url = try downloadURL(for: consumer, body, call, db)
            done.add(request, url.json, url.cause)
        default: throw Refusal("request-malformed", "\(request["type"]?.text ?? "") is for the socket, not for REST")
        }
    }
}

extension HTTPField.Name {
    /// Carries the ConsumerJWS (LivePerson reference 6.1).
    fileprivate static let onBehalf = HTTPField.Name("X-LP-ON-BEHALF")!
}
