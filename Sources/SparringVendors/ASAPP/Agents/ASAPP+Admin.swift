import GRDB
import SparringEngine
import SparringJSON
import SparringJournal
import SparringSandbox

/// What ASAPP adds to the admin API.
extension ASAPP {
    func adminHandler(of operation: AdminOperation) -> AdminHandler {
        switch operation {
        case .join: act(.join)
        case .leave: act(.leave)
        case .say: act(.say)
        case .transfer: act(.transfer)
        case .close: act(.close)
        case .push: .act(in: Self.lane, push)
        case .signOut: .act(in: Self.lane, signOut)
        case .readConversation: .read(readConversation)
        }
    }

    private static func lane(_ db: Database, _ request: AdminRequest) throws -> String {
        try IssueAim(request.body, request.tenant, db).customer().name
    }

    /// What an agent does in a conversation, in the lane of its customer.
    private func act(_ kind: Act) -> AdminHandler {
        .act(in: Self.lane) { db, request, occasion in
            let aim = try IssueAim(request.body, request.tenant, db)
            let (customer, issue) = (try aim.customer(), try aim.issue())
            let agent = try aim.agent(for: issue)
            var chat = CompanyChat(occasion, db, vendor: self, customer: customer)
            let acted = try chat.perform(DeskAct(kind, request.body), by: agent, in: issue).get()
            let json = JSON.members([
                "conversation": .string(issue.id), "consumer": .string(customer.name), "agent": agent.json,
                "act": .string(kind.rawValue), "sequence": acted.sequence.map { .integer(Int64($0)) },
                "delivery": .string(acted.delivery.rawValue), "done": .array(acted.done.map { .string($0) }),
            ])
            return Answer("agent-acted", json, cause: "\(agent.name) to \(customer.name): \(acted.done.joined(separator: "; "))")
        }
    }

    /// A proactive message, which belongs to no conversation.
    private func push(_ db: Database, _ request: AdminRequest, _ occasion: Occasion) throws -> Answer {
        let customer = try IssueAim(request.body, request.tenant, db).customer()
        var chat = CompanyChat(occasion, db, vendor: self, customer: customer)
        let message = try chat.keep(request.body["text"]?.string ?? "", by: .system, in: nil)
        let done = ["message \(message.id) to \(customer.name)"] + (try chat.deliver(message, title: request.body["title"]?.string).done)
        return Answer("push-taken", ["done": .array(done.map { .string($0) })], cause: done.joined(separator: "; "))
    }

    /// Ends all sessions of a customer. Registrations stay, since only the app removes them.
    private func signOut(_ db: Database, _ request: AdminRequest, _ occasion: Occasion) throws -> Answer {
        let reason = request.body["reason"]?.string
        var customer = try IssueAim(request.body, request.tenant, db).customer()
        try occasion.signsOut(customer.name, db)
        let count = try ChatSessionState.revoke(of: customer, request.sandbox.id, db)
        var done = [count == 0 ? "no session was open" : "\(count) session\(count == 1 ? "" : "s") ended"]
        for socket in CompanyChat(occasion, db, vendor: self, customer: customer).sockets {
            // Which code the real server has for it is unknown.
            occasion.outbox.close(socket, 1008, "Signed out", cause: "\(customer.name) was signed out")
            done.append("socket \(socket.number) closed with 1008")
        }
        customer.signOuts += 1
        try CompanyCustomerState.keep(customer, request.sandbox.id, db)
        return Answer(
            "signed-out", ["done": .array(done.map { .string($0) })],
            cause: "\(customer.name) was signed out\(reason.map { " (\($0))" } ?? ""): \(done.joined(separator: "; "))")
    }
}
