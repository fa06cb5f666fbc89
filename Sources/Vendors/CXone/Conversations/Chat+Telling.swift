import SparringVendorKit

/// Events for customers: about their contacts and messages, their place in the queue, and the channel's offers.
extension Chat {
    func created(_ contact: ChatContact) throws {
        try push(
            "caseCreated", "Case", "CaseCreated", contact.id,
            data([
                "case": try shown(contact), "routingQueue": ["id": .string(contact.queue)], "routingMode": "findmatch",
                "preferredUserForNextAssign": .null,
            ]), to: everybody(in: contact))
    }

    /// - Returns: whether a socket of the customer's got it.
    @discardableResult
    func pushCreated(_ message: ChatMessage, _ contact: ChatContact) throws -> Bool {
        let everybody = try everybody(in: contact)
        let shown = try shown(message)
        if message.author == .agent {
            var sent = shown
            sent["id"] = nil
            try push(
                "messageSent", "Message", "MessageSent", message.id,
                data(["thread": ["idOnExternalPlatform": .string(message.thread.id)], "message": sent]), to: everybody)
        }
        return try push(
            "messageCreated", "Message", "MessageCreated", message.id,
            data(["case": try self.shown(contact), "thread": message.thread.json, "message": shown]), to: everybody)
    }

    /// Live chats that wait hear of their place, where it may have changed: a contact that waits and those behind it, or all once it waits no more.
    ///
    /// - Parameter queue: one that the contact has left; nil: its own.
    func tellQueue(of contact: ChatContact, left queue: String? = nil) throws {
        guard channel.mode == .live else { return }
        let waiting = try ThreadState.waiting(in: queue ?? contact.queue, of: brand, channel: channel.id, sandbox.id, db)
        let first = waiting.firstIndex { $0.id == contact.id } ?? 0
        for index in first..<waiting.count { try tell(position: index + 1, to: waiting[index]) }
    }

    /// A customer who comes back to a live chat that still waits hears of its place: the SDKs keep it only as long as they run (SDK for iOS 3.3.1,
    /// ChatThreadListService.swift). That the real server says it is assumed.
    func tellQueueAgain(_ thread: ChatThread) throws {
        guard channel.mode == .live, thread.customer.isSame(as: customer),
            let contact = try ThreadState.contact(of: thread, sandbox.id, db),
            let index = try ThreadState.waiting(in: contact.queue, of: brand, channel: channel.id, sandbox.id, db)
                .firstIndex(where: { $0.id == contact.id })
        else { return }
        try tell(position: index + 1, to: contact)
    }

    @discardableResult
    func tell(position: Int, isAnyAgentOnline: Bool = true, to contact: ChatContact) throws -> Bool {
        let frame: JSON = [
            "eventType": "SetPositionInQueue", "eventId": .string(draw("queue \(contact.id)").uuid),
            "data": [
                "consumerContact": ["id": .string(contact.id)], "routingQueue": ["id": .string(contact.queue)],
                "positionInQueue": .integer(Int64(position)), "isAnyAgentOnlineForQueue": .bool(isAnyAgentOnline),
            ],
        ]
        return try push("setPositionInQueue", frame, "queue \(contact.id)", to: [contact.thread.customer])
    }

    /// Makes the channel's offers once its customer is signed in on a socket: before the answer to what they load, because the SDK for iOS
    /// 3.3.1 looks for a welcome only when it creates its thread (ChatThreadListService.swift:185), which it does where it hears that there
    /// is none. The order of the real server is unknown.
    func greet() throws {
        guard let socket, let session = socket.chat, !session.isGreeted else { return }
        socket.change { $0.isGreeted = true }
        if try !hasThread() { try offer(on: .connected) }
        let wasOpened = try CustomerState.set(hasOpenedWindow: false, of: session.visitor, brand, sandbox.id, db)
        // The Web SDK reports no ChatWindowOpened: it is there once the window is.
        if wasOpened || session.platform == "web" { try openWindow() }
    }

    /// The visitor has opened the chat's window.
    ///
    /// - Returns: the names of what was offered.
    @discardableResult
    func openWindow() throws -> [String] {
        let hasThread = try hasThread()
        return try channel.proactiveActions.filter { $0.isSetOff(by: .chatWindowOpened) && !(hasThread && $0.kind == .welcome) }
            .filter { try offer($0) }.map(\.name)
    }

    private func hasThread() throws -> Bool {
        try !ThreadState.threads(of: customer, brand, channel.id, sandbox.id, db).isEmpty
    }

    /// Offers what an event sets off, to the sockets that are open.
    @discardableResult
    func offer(on event: ProactiveAction.Event, _ what: String? = nil) throws -> [String] {
        try channel.proactiveActions.filter { $0.isSetOff(by: event, what) }.filter { try offer($0) }.map(\.name)
    }

    /// - Returns: whether a socket got it.
    func offer(_ action: ProactiveAction) throws -> Bool {
        let visitors = try CustomerState.visitors(of: customer, brand, sandbox.id, db)
        let known = sockets(of: customer).compactMap { $0.chat?.destination } + visitors.compactMap(\.destination)
        let destination = known.first ?? draw("destination").uuid
        return try push(
            "fireProactiveAction", "ChatWindow", "FireProactiveAction", action.id,
            ["destination": ["id": .string(destination)], "proactiveAction": action.json(handover: merged([], action.handover))])
    }

    /// Changes a contact's status, and tells of it.
    @discardableResult
    func set(_ status: ChatContact.Status, of contact: ChatContact) throws -> (contact: ChatContact, isHeard: Bool) {
        var contact = contact
        (contact.status, contact.statusUpdated) = (status, now)
        try ThreadState.update(contact, sandbox.id, db)
        let isHeard = try tellStatus(of: contact)
        if status == .closed {
            try tellQueue(of: contact)
            try playScript(on: [.closed], in: contact)
        }
        return (contact, isHeard)
    }

    @discardableResult
    func tellStatus(of contact: ChatContact) throws -> Bool {
        try push(
            "caseStatusChanged", "Case", "CaseStatusChanged", contact.id, data(["case": try shown(contact)]), to: everybody(in: contact))
    }

    /// Nothing more goes to a contact once it is closed (Event diagrams, End Contact).
    func findings(ofClosed contact: ChatContact) -> [Finding] {
        guard contact.status == .closed else { return [] }
        return [Finding("contact-closed", at: "body:/payload/data", "contact \(contact.id) was closed before")]
    }
}
