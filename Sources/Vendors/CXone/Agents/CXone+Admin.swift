import SparringVendorKit

/// CXone's additions to the admin API beside its agents' acts.
extension CXone {
    func adminHandler(of operation: OwnOperation) -> AdminHandler {
        switch operation {
        case .offer: .act(in: lane, offer)
        case .push: .act(in: lane, push)
        case .signOut: .act(in: lane, signOut)
        }
    }

    private func chats(with customer: String, _ occasion: Occasion, _ db: Database) -> [Chat] {
        occasion.settings(of: self).channels.map { Chat(occasion, db, vendor: self, channel: $0, customer: customer) }
    }

    private func offer(_ db: Database, _ request: AdminRequest, _ occasion: Occasion) throws -> Answer {
        let customer = try Aim(self, request, db).consumer().id
        let chats = chats(with: customer, occasion, db)
        let action = try Self.action(request.body, among: chats.flatMap(\.channel.proactiveActions), occasion)
        var done: [String] = []
        for chat in chats where try chat.offer(action) { done.append("\(action.name) offered in channel '\(chat.channel.id)'") }
        if done.isEmpty { done.append("no socket of \(customer)'s is open") }
        return Answer("offered", done: done)
    }

    /// A channel's action, by its id, or a welcome or a popup that no channel has.
    private static func action(
        _ offered: JSON, among known: [ProactiveAction], _ occasion: Occasion
    ) throws(ConfigurationError) -> ProactiveAction {
        let id = offered["actionId"]?.string
        if let action = known.first(where: { $0.id == id }) { return action }
        guard offered["bodyText"] != nil else {
            throw ConfigurationError(
                JSONPointer(tokens: ["actionId"]),
                "no channel has the action '\(id ?? "")'" + Nearest.hint(for: id ?? "", in: known.map(\.id)))
        }
        return try offered.filled(["actionId": .string(ProactiveAction.id(occasion.origin.ordinal))]).decoded()
    }

    /// Notifies the devices of the customer's visitors.
    private func push(_ db: Database, _ request: AdminRequest, _ occasion: Occasion) throws -> Answer {
        let customer = try Aim(self, request, db).consumer().id
        let devices = try chats(with: customer, occasion, db).first?.notify(
            request.body["text"]?.string ?? "", title: request.body["title"]?.string ?? "", thread: nil)
        let done = (devices ?? []).map { "notification on device \($0)" }
        let words = done.isEmpty ? ["\(customer) has no registered device: no push"] : done
        return Answer("push-taken", done: words)
    }

    /// Ends the customer's sockets, and makes all their tokens invalid.
    private func signOut(_ db: Database, _ request: AdminRequest, _ occasion: Occasion) throws -> Answer {
        let reason = request.body["reason"]?.string.map { " (\($0))" } ?? ""
        let customer = try Aim(self, request, db).consumer().id
        try occasion.signsOut(customer, db)
        var done: [String] = []
        for socket in chats(with: customer, occasion, db).flatMap({ $0.sockets(of: customer) }) {
            // Which code the real gateway has for it is unknown (CXone reference 4.3).
            occasion.outbox.close(socket, 1008, "Signed out", cause: "\(customer) was signed out")
            done.append("socket \(socket.number) closed with 1008")
        }
        if done.isEmpty { done.append("no socket was open") }
        try TokenState.revoke(of: customer, request.tenant.id, request.sandbox.id, db)
        try CustomerState.count(.signOut, of: customer, request.tenant.id, request.sandbox.id, db)
        done.append("tokens given out before are refused")
        return Answer("signed-out", done: done, heading: "\(customer) was signed out\(reason): ")
    }
}
