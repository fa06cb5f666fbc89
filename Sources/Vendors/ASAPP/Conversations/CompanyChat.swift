import SparringVendorKit

/// An occurrence between a customer and the company: a call of theirs, an agent's act, or work that fell due.
struct CompanyChat: Occurrence {
    let db: Database
    let occasion: Occasion
    let vendor: ASAPP
    var customer: CompanyCustomer
    var scriptDepth = 0

    init(_ occasion: Occasion, _ db: Database, vendor: ASAPP, customer: CompanyCustomer) {
        (self.occasion, self.db, self.vendor, self.customer) = (occasion, db, vendor, customer)
    }

    var settings: ASAPP.Settings { tenant.settings(of: ASAPP.self) }

    /// The owner under which the customer's sockets are filed.
    static func owner(_ customer: String, of company: String) -> String { "asapp \(company) \(customer)" }

    /// Those by which the customer is in chat.
    var sockets: [Socket] { sandbox.openSockets(of: Self.owner(customer.id, of: customer.company)) }

    // MARK: Issues

    func begin() throws -> Issue {
        let issue = Issue(
            company: customer.company, id: "i-" + draw("issue").hex.prefix(10), customer: customer.id, created: now, updated: now)
        try IssueState.insert(issue, sandbox.id, db)
        try tell(.newIssue)
        return issue
    }

    func change(_ issue: Issue, _ change: (inout Issue) -> Void) throws -> Issue {
        var changed = issue
        change(&changed)
        changed.updated = now
        try IssueState.update(changed, sandbox.id, db)
        return changed
    }

    func close(_ issue: Issue) throws -> Issue {
        let closed = try change(issue) { ($0.stage, $0.agent, $0.closed) = (.closed, nil, now) }
        try tell(.chatClosed)
        try playScript(on: [.closed], in: closed)
        return closed
    }

    // MARK: What is said

    func keep(
        _ text: String, by author: IssueMessage.Author, _ name: String? = nil, in issue: Issue?, clientId: String? = nil
    ) throws -> IssueMessage {
        let message = IssueMessage(
            company: customer.company, customer: customer.id, id: "m-" + draw("message").hex.prefix(12), issue: issue?.id, author: author,
            name: name, clientId: clientId, text: text, said: now)
        let kept = try IssueState.add(message, sandbox.id, db)
        if let issue { _ = try change(issue) { _ in } }
        return kept
    }

    // MARK: What the customer hears

    enum Event: String {
        case newIssue = "NEW_ISSUE"
        case agentAssigned = "AGENT_ASSIGNED"
        case chatClosed = "CHAT_CLOSED"
    }

    func tell(_ event: Event) throws {
        for socket in sockets { try outbox.send("chatEvent", ["type": "event", "name": .string(event.rawValue), "data": [:]], to: socket) }
    }

    /// Over the sockets of a customer who is in chat; otherwise it is unread, and each of their devices is pushed to (ASAPP reference 2.4).
    ///
    /// - Parameter title: nil: the company's.
    mutating func deliver(_ message: IssueMessage, title: String? = nil) throws -> (delivery: Delivery, done: [String]) {
        let sockets = sockets
        for socket in sockets { try outbox.send("chatMessage", message.json, to: socket) }
        if let first = sockets.first { return (.socket, ["\(customer.name) is in chat (socket \(first.number)): no push"]) }
        customer.unread += 1
        try CompanyCustomerState.keep(customer, sandbox.id, db)
        let registrations = try PushTokenState.registrations(of: customer, sandbox.id, db)
        if registrations.isEmpty { return (.missed, ["\(customer.name) has no registered device: no push"]) }
        let isLive = try IssueState.open(of: customer, sandbox.id, db)?.isLive ?? false
        let values = CompanyPush.values(
            message.text, id: message.id, title: title ?? settings.push.title, unread: customer.unread, isLive: isLive)
        for registration in registrations {
            let push = CompanyPush(customer: customer, device: registration.device, values: values)
            try sandbox.schedule(push.item(due: sandbox.clock.now, causedBy: origin), db)
        }
        return (.push, registrations.map { "push for device \($0.device.abbreviated(to: 60))" })
    }

    /// All that the customer has missed is seen now.
    mutating func enter() throws {
        (customer.unread, customer.entered) = (0, now)
        try CompanyCustomerState.keep(customer, sandbox.id, db)
    }
}
