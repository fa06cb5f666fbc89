import SparringVendorKit

/// Customers' messages, and their consequences.
extension Chat {
    /// With a brand that signs customers in the token is checked with each message (help.nicecxone.com, OAuth in Digital Experience).
    func checkToken(of data: JSON) throws {
        guard channel.authorization == .oauth else { return }
        guard let text = data["accessToken"]?["token"]?.string, !text.isEmpty else {
            throw Refusal("access-token-missing", "channel '\(channel.id)' signs customers in, and no accessToken came")
        }
        guard let token = try TokenState.token(text, .access, of: brand, sandbox.id, db), token.customer.isSame(as: customer) else {
            throw Refusal("access-token-unknown", "the access token was not issued to \(customer)")
        }
        guard now < token.expires else {
            throw Refusal("access-token-expired", "the access token expired \((now - token.expires).words) ago")
        }
    }

    /// Characters that the id of a thread or a message may have (assumed).
    private static let longestId = 200

    /// Takes a message into its thread, which begins with its first one.
    ///
    /// - Parameters:
    ///   - author: the customer, or the channel's welcome, which the client has said before.
    ///   - refusal: the answer where it cannot be taken.
    func say(_ data: JSON, as author: ChatMessage.Author, refusal: String) throws -> Decision {
        let (id, sentId, content) = (data.threadId ?? "", data["idOnExternalPlatform"]?.string ?? "", data["messageContent"] ?? [:])
        guard !id.isEmpty, !sentId.isEmpty, content["type"]?.string != nil, content["payload"]?.object != nil else {
            return refused("inconsistent-data", "a message needs its id, its thread's, and messageContent with type and payload")
        }
        for (what, id) in [("thread", id), ("message", sentId)] where id.unicodeScalars.count > Self.longestId {
            return refused(
                "inconsistent-data", "the \(what)'s id has \(id.unicodeScalars.count) characters, and \(Self.longestId) is the limit")
        }
        if let objection = CXone.CustomFields.objection(to: Self.fields(data, "customer", "consumer", "contact", "consumerContact")) {
            return refused("inconsistent-data", objection)
        }
        if let thread = try MessageState.thread(ofSent: sentId, of: brand, sandbox.id, db) {
            let owner = try ThreadState.thread(thread, of: brand, sandbox.id, db)?.customer
            guard owner?.isSame(as: customer) == true else { return refused(refusal, "message \(sentId) is another customer's") }
            return .answer(acknowledged("message \(sentId) is known already, and not repeated"))
        }
        var findings: [Finding] = []
        var thread: ChatThread
        let known = try self.thread(id)
        if let known {
            guard known.canAddMoreMessages else { return refused(refusal, "thread \(id) is archived") }
            thread = known
            if author == .welcome { findings += try lateWelcome(in: known) }
        } else {
            guard try ThreadState.thread(id, of: brand, sandbox.id, db) == nil else {
                return refused(refusal, "thread \(id) is another customer's or another channel's")
            }
            if let finding = try secondThread(id) { findings.append(finding) }
            thread = ChatThread(
                brand: brand, channel: channel.id, id: id, customer: customer, visitor: socket?.chat?.visitor,
                name: data["thread"]?["threadName"]?.string ?? "", created: now, updated: now)
            try ThreadState.insert(thread, sandbox.id, db)
        }
        thread.updated = now
        try ThreadState.update(thread, sandbox.id, db)
        try keepFields(data)
        let (contact, isNew) = try openContact(of: thread, data)
        if author == .customer { findings += try missingFields(contact, in: known) }
        let message = try add(
            ChatMessage(
                thread: thread, id: draw("message").uuid, sentId: sentId, contact: contact.id, author: author, byWhom: customer,
                content: content, attachments: try attachments(data), created: now))
        if isNew { try created(contact) }
        try pushCreated(message, contact)
        if isNew { try tellQueue(of: contact) }
        socket?.change { $0.thread = thread.key }
        if isNew { try playScript(on: [.opened], in: contact) }
        if author == .customer {
            let events: Set<ScriptEvent> = message.text == nil ? [.content] : [.content, .text]
            try playScript(on: events, in: contact, text: message.text, sequence: message.number)
        }
        var answer = acknowledged("message \(message.number) of thread \(thread.id)\(isNew ? ", which began contact \(contact.id)" : "")")
        answer.findings = findings
        return .answer(answer)
    }

    func add(_ message: ChatMessage) throws -> ChatMessage {
        var message = message
        message.number = try MessageState.insert(message, sandbox.id, db)
        return message
    }

    /// Outside multi-thread a customer has one thread (Event diagrams, Create Thread). A client that knows of no thread, or whose live chat is closed, may
    /// begin another.
    private func secondThread(_ id: String) throws -> Finding? {
        guard channel.mode != .multi, let key = socket?.chat?.thread, key != ChatThread.key(id),
            let other = try ThreadState.thread(key, of: brand, sandbox.id, db)
        else { return nil }
        if channel.mode == .live, try ThreadState.contact(of: other, sandbox.id, db)?.status == .closed { return nil }
        return Finding(
            "second-thread", at: "body:/payload/data/thread/idOnExternalPlatform",
            "channel '\(channel.id)' has one thread for each customer, and this client has \(other.id)")
    }

    /// The welcome is said once, before the customer's first message (Event diagrams, Chat with an Agent). What opens a live chat is none of theirs: NICE's
    /// SDKs say it first (SDK for iOS 3.3.1, ChatThreadService.swift; SDK for Android, ChatThreadHandlerWelcomeLiveChat.kt).
    private func lateWelcome(in thread: ChatThread) throws -> [Finding] {
        var findings: [Finding] = []
        if try MessageState.has(.welcome, in: thread, sandbox.id, db) {
            findings.append(Finding("welcome-twice", "thread \(thread.id) has a welcome message already"))
        }
        let hasSpoken = try MessageState.messages(of: thread, sandbox.id, db).contains {
            $0.author == .customer && !(channel.mode == .live && $0.opensLiveChat)
        }
        if hasSpoken {
            findings.append(Finding("welcome-late", "the welcome message comes after the customer's first message in thread \(thread.id)"))
        }
        return findings
    }

    /// Required fields of the form come with a thread's first message (Event diagrams, Create Thread).
    ///
    /// - Parameter known: the thread as it was before.
    private func missingFields(_ contact: ChatContact, in known: ChatThread?) throws -> [Finding] {
        guard let form = channel.preContactForm else { return [] }
        if let known, try MessageState.has(.customer, in: known, sandbox.id, db) { return [] }
        return form.missing(from: contact.fields).map { ident in
            Finding(
                "form-field-missing", at: "body:/payload/data/contact/customFields", "the form before the first message needs '\(ident)'")
        }
    }

    /// The contact that is open, or a new one: after a closed one a message begins another (CXone reference 7.4).
    private func openContact(of thread: ChatThread, _ data: JSON) throws -> (ChatContact, isNew: Bool) {
        let given = Self.fields(data, "contact", "consumerContact")
        if var contact = try ThreadState.contact(of: thread, sandbox.id, db), contact.status != .closed {
            if !given.isEmpty {
                contact.fields = merged(contact.fields, given)
                try ThreadState.update(contact, sandbox.id, db)
            }
            return (contact, false)
        }
        let number = 100_000_000_000 + draw("contact").number(below: 899_999_999_999)
        let contact = ChatContact(
            brand: brand, id: String(number), channel: channel.id, thread: thread, status: .new, statusUpdated: now, created: now,
            fields: merged([], given), queue: channel.queue)
        try ThreadState.insert(contact, sandbox.id, db)
        return (contact, true)
    }

    /// The attachments as clients read them: the media type that a client does not give is the upload's.
    private func attachments(_ data: JSON) throws -> [JSON] {
        try (data["attachments"]?.array ?? []).map { given -> JSON in
            let url = given["url"]?.string ?? ""
            let upload = try AttachmentState.file(String(url.split(separator: "/").last ?? ""), of: brand, sandbox.id, db)
            let name = given["fileName"]?.string ?? given["friendlyName"]?.string ?? String(url.split(separator: "/").last ?? "file")
            return [
                "url": .string(url), "friendlyName": .string(given["friendlyName"]?.string ?? name),
                "mimeType": .string(given["mimeType"]?.string ?? upload?.mimeType ?? "application/octet-stream"), "fileName": .string(name),
            ]
        }
    }

    // MARK: Who says it

    /// A name that the customer gave after they were signed in comes with the next event (Event diagrams, Create Thread); the brand's own names stay.
    func hearNames(_ payload: JSON?) throws {
        let identity = payload?["customerIdentity"] ?? payload?["consumerIdentity"]
        let (first, last) = (identity?["firstName"]?.string ?? "", identity?["lastName"]?.string ?? "")
        guard !first.isEmpty || !last.isEmpty, identity?["idOnExternalPlatform"]?.string?.isSame(as: customer) == true,
            var known = try CustomerState.customer(customer, of: brand, sandbox.id, db), !known.isSignedIn,
            (first, last) != (known.firstName, known.lastName)
        else { return }
        (known.firstName, known.lastName) = (first, last)
        try known.keep(sandbox.id, db)
    }

    // MARK: Custom fields

    static func fields(_ data: JSON, _ names: String...) -> [JSON] { names.flatMap { data[$0]?["customFields"]?.array ?? [] } }

    /// Newer ones take the place of those of the same name. Every SDK reads them, whichever told them: iOS takes whole seconds only, and no field
    /// without its time (CXone reference 7.7 and 7.8).
    func merged(_ known: [JSON], _ given: [JSON]) -> [JSON] {
        var fields = known
        for told in given {
            let time = told["updatedAt"]?.string.flatMap(Self.time) ?? now
            let field: JSON = [
                "ident": told["ident"] ?? "", "value": .string(told["value"]?.string ?? ""), "updatedAt": .string(time.wholeSeconds),
            ]
            if let index = fields.firstIndex(where: { $0["ident"] == field["ident"] }) {
                fields[index] = field
            } else {
                fields.append(field)
            }
        }
        return fields
    }

    /// Android writes a small z, or an offset without a colon (CXone reference 7.8).
    private static func time(_ text: String) -> Timestamp? {
        let isBare = text.suffix(5).first.map { "+-".contains($0) } ?? false
        return Timestamp((isBare ? "\(text.dropLast(2)):\(text.suffix(2))" : text).uppercased())
    }

    private func keepFields(_ data: JSON) throws {
        let given = Self.fields(data, "customer", "consumer")
        guard !given.isEmpty, let known = try CustomerState.customer(customer, of: brand, sandbox.id, db) else { return }
        try CustomerState.setFields(merged(known.fields, given), of: customer, brand, sandbox.id, db)
    }
}
