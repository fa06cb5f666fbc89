import SparringVendorKit

/// ASAPP's additions to the admin API beside its agents' acts.
extension ASAPP {
    func adminHandler(of operation: OwnOperation) -> AdminHandler {
        switch operation {
        case .push: .act(in: lane, push)
        case .signOut: .act(in: lane, signOut)
        }
    }

    /// A proactive message, which belongs to no conversation.
    private func push(_ db: Database, _ request: AdminRequest, _ occasion: Occasion) throws -> Answer {
        let customer = try Aim(self, request, db).consumer()
        var chat = CompanyChat(occasion, db, vendor: self, customer: customer)
        let message = try chat.keep(request.body["text"]?.string ?? "", by: .system, in: nil)
        let done = ["message \(message.id) to \(customer.name)"] + (try chat.deliver(message, title: request.body["title"]?.string).done)
        return Answer("push-taken", done: done)
    }

    /// Ends all sessions of a customer. Registrations stay, since only the app removes them.
    private func signOut(_ db: Database, _ request: AdminRequest, _ occasion: Occasion) throws -> Answer {
        let reason = request.body["reason"]?.string.map { " (\($0))" } ?? ""
        var customer = try Aim(self, request, db).consumer()
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
        return Answer("signed-out", done: done, heading: "\(customer.name) was signed out\(reason): ")
    }
}
