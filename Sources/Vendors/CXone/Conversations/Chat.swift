import SparringVendorKit

/// An occurrence in a channel with one customer: a message of theirs, an agent's act, or work that fell due. Each has a transaction
/// and an occasion.
struct Chat: Occurrence {
    let db: Database
    let occasion: Occasion
    let vendor: CXone
    let channel: CXone.Channel
    let customer: String
    /// The message that is being answered; nil where none is.
    let call: Call?
    var scriptDepth = 0

    init(_ occasion: Occasion, _ db: Database, vendor: CXone, channel: CXone.Channel, customer: String, call: Call? = nil) {
        (self.occasion, self.db, self.vendor) = (occasion, db, vendor)
        (self.channel, self.customer, self.call) = (channel, customer, call)
    }

    var settings: CXone.Settings { tenant.settings(of: CXone.self) }
    var brand: String { tenant.id }
    var socket: Socket? { call?.socket }

    /// Under which sockets are filed.
    static func owner(_ customer: String, of brand: String, _ channel: String) -> String { "cxone \(brand) \(channel) \(customer)" }

    /// Open ones, and the one that is about to be opened.
    func sockets(of customer: String) -> [Socket] {
        let owner = Self.owner(customer, of: brand, channel.id)
        let open = sandbox.openSockets(of: owner)
        guard let socket, socket.owner == owner, !open.contains(where: { $0 === socket }) else { return open }
        return open + [socket]
    }

    // MARK: Answering

    func reply(_ name: String, _ data: JSON? = nil, cause: String? = nil) -> Answer {
        guard let call else { return Answer(name, data ?? [:], cause: cause) }
        return vendor.reply(name, data, call, cause: cause)
    }

    /// The bare acknowledgement.
    func acknowledged(_ cause: String) -> Answer { reply("acknowledged", cause: cause) }

    /// - Parameter findings: what a rule is to know of it.
    func refused(_ name: String, _ cause: String, _ findings: [Finding] = []) -> Decision {
        guard let call, !findings.isEmpty else { return .refusal(Refusal(name, cause)) }
        var answer = vendor.render(Refusal(name, cause), for: call)
        (answer.cause, answer.findings) = (cause, findings)
        return .answer(answer)
    }

    /// An answer that is too large for the socket is put at a URL, which goes there in its place (Event diagrams, Process Large Events).
    func fitting(_ answer: Answer) throws -> Answer {
        guard case .json(let body) = answer.body, call?.operation.answer("event-in-s3") != nil, isTooLarge(body) else { return answer }
        var large = answer
        large.name = "event-in-s3"
        large.body = .json(eventInS3(try keepLarge(body, "answer", for: lane), body, "answer", base: call?.base ?? ""))
        large.cause = [answer.cause, "\(body.bytes.count) bytes, by URL"].compactMap(\.self).joined(separator: "; ")
        return large
    }

    // MARK: Pushing

    /// Sends an event of the server's own to open sockets in the channel.
    ///
    /// - Parameters:
    ///   - message: the contract's message.
    ///   - type: its `eventType`.
    ///   - what: tells it from others of its kind on the same occasion.
    ///   - customers: whose sockets; nil: this customer's.
    /// - Returns: whether a socket got it.
    @discardableResult
    func push(
        _ message: String, _ object: String, _ type: String, _ what: String, _ data: JSON, to customers: [String]? = nil
    ) throws -> Bool {
        try push(message, envelope(object, type, what, data), what, to: customers)
    }

    /// - Parameter frame: all of it.
    @discardableResult
    func push(_ message: String, _ frame: JSON, _ what: String, to customers: [String]? = nil) throws -> Bool {
        let sockets = (customers ?? [customer]).flatMap { self.sockets(of: $0) }
        guard !sockets.isEmpty else { return false }
        let large = isTooLarge(frame) ? try keepLarge(frame, what, for: sockets[0].lane) : nil
        var isSent = false
        for socket in sockets {
            if let large {
                guard socket.chat?.platform == "web" || !Self.webOnly.contains(message) else { continue }
                try outbox.send("eventInS3", eventInS3(large, frame, what, base: socket.base), to: socket)
            } else {
                try outbox.send(message, frame, to: socket)
            }
            isSent = true
        }
        return isSent
    }

    /// Messages that only the Web SDK knows. Where they are too large, no other socket hears of them: the SDK for Android 3.2.2 cannot read an
    /// EventInS3 of them (EventInS3.kt:55, EventType.kt) and loses its socket, and the one for iOS drops it (EventInS3DTO.swift:69).
    private static let webOnly: Set = ["messageSent", "caseToRoutingQueueAssignmentChanged", "contactRecipientsChanged"]

    /// The envelope of pushes (CXone reference 6.2).
    private func envelope(_ object: String, _ type: String, _ what: String, _ data: JSON) -> JSON {
        [
            "eventId": .string(draw("event \(type) \(what)").uuid), "eventObject": .string(object), "eventType": .string(type),
            "createdAt": .string(now.wholeSeconds), "createdAtWithMilliseconds": .string(now.withMilliseconds), "data": data,
            "context": [:],
            "traceId": .string("1-\(draw("trace \(type) \(what)").hex.prefix(32))"),
        ]
    }

    private func isTooLarge(_ frame: JSON) -> Bool { frame.bytes.count > settings.largestFrame }

    /// Puts a frame at a URL.
    ///
    /// - Parameter lane: who is to fetch it.
    /// - Returns: the URL without its host.
    private func keepLarge(_ frame: JSON, _ what: String, for lane: String) throws -> String {
        let key = draw("large event \(frame["eventType"]?.string ?? "") \(what)").hex
        let lifetime = settings.largeEventLifetime
        try LargeEventState.keep(.init(frame: frame, expires: now + lifetime, keptAt: now), key, of: brand, sandbox.id, db)
        try sandbox.issued(key, to: lane, db)
        let path = vendor.path(.fetchLargeEvent, ["brandId": brand, "event": key])
        return "\(path)?X-Amz-Expires=\(lifetime.milliseconds / 1000)"
    }

    /// - Parameter base: the address by which the client reaches this server.
    private func eventInS3(_ url: String, _ frame: JSON, _ what: String, base: String) -> JSON {
        let type = frame["eventType"] ?? frame["postback"]?["eventType"] ?? ""
        return envelope(
            "S3Object", "EventInS3", "\(type.string ?? "") \(what)",
            ["s3Object": ["url": .string(base + url)], "originEvent": ["eventType": type]])
    }

    // MARK: Objects

    var brandAndChannel: [(String, JSON)] { [("brand", ["id": .integer(Int64(brand) ?? 0)]), ("channel", ["id": .string(channel.id)])] }

    /// The data of a push: brand, channel and more.
    func data(_ members: KeyValuePairs<String, JSON>) -> JSON {
        .object(JSON.Object(uniqueKeysWithValues: brandAndChannel + members.map { ($0.key, $0.value) }))
    }

    func agent(_ id: Int64?) -> CXone.Agent? { id.flatMap { id in settings.agents.first { $0.id == id } } }

    func shown(_ agent: CXone.Agent?) -> JSON { agent?.json(hidingPersonalInformation: channel.hidesPersonalInformation) ?? .null }

    func shown(_ message: ChatMessage) throws -> JSON {
        let agent = message.author == .agent ? agent(Int64(message.byWhom)) : nil
        return message.json(agent: agent.map { shown($0) }, endUser: message.author == .customer ? try endUser(message.byWhom) : nil)
    }

    /// A thread of the customer's, or one in which they are a guest.
    func thread(_ id: String) throws -> ChatThread? {
        guard let thread = try ThreadState.thread(id, of: brand, sandbox.id, db), thread.channel.isSame(as: channel.id) else { return nil }
        if thread.customer.isSame(as: customer) { return thread }
        guard let contact = try ThreadState.contact(of: thread, sandbox.id, db) else { return nil }
        return try guests(of: contact).containsSame(as: customer) ? thread : nil
    }

    func contact(_ id: String) throws -> ChatContact? {
        guard let contact = try ThreadState.contact(id, of: brand, sandbox.id, db), contact.channel.isSame(as: channel.id),
            try contact.thread.customer.isSame(as: customer) || guests(of: contact).containsSame(as: customer)
        else { return nil }
        return contact
    }

    /// The customer whose contact it is, and the guests.
    func everybody(in contact: ChatContact) throws -> [String] { [contact.thread.customer] + (try guests(of: contact)) }

    func guests(of contact: ChatContact) throws -> [String] { try InvitationState.guests(of: contact.id, brand, sandbox.id, db) }
}

extension JSON {
    /// The id of the thread that an event's data names; nil where it names none (Android says so with `client_type`).
    var threadId: String? { self["thread"]?["idOnExternalPlatform"]?.string }
}
