import SparringVendorKit

/// Conversations and whatever moves them, whether that is a consumer's message, an agent's, the admin API's or work that fell due: each has a
/// transaction and an occasion.
struct Messaging: Occurrence {
    let db: Database
    let occasion: Occasion
    var scriptDepth = 0

    init(_ occasion: Occasion, _ db: Database) {
        self.occasion = occasion
        self.db = db
    }

    var settings: LivePerson.Settings { tenant.settings(of: LivePerson.self) }

    /// The open sockets that a consumer has signed in on, in the order of opening.
    func sockets(of consumer: String) -> [(socket: Socket, session: ConsumerSession)] {
        sandbox.openSockets(of: consumer).compactMap { socket in
            guard socket.tenant.id == tenant.id, let session = socket.session, session.consumer == consumer else { return nil }
            return (socket, session)
        }
    }

    // MARK: Finding

    /// - Parameter consumer: whose it must be; nil: anybody's of the account.
    func conversation(_ id: String, of consumer: String? = nil) throws -> Conversation {
        let found = try Conversation.find(id, sandbox: sandbox.id, db)
        guard let found, isReachable(found, by: consumer) else {
            throw Refusal("conversation-unknown", "\(consumer ?? "account \(tenant.id)") has no conversation '\(id)'")
        }
        return found
    }

    /// A dialog with its conversation, whether open or closed.
    ///
    /// - Parameter consumer: whose it must be; nil: anybody's of the account.
    func dialog(
        _ id: String, of consumer: String? = nil
    ) throws -> (conversation: Conversation, dialog: Conversation.Dialog) {
        let found = try Conversation.of(dialog: id, sandbox: sandbox.id, db)
        guard let found, isReachable(found, by: consumer), let dialog = found.dialogs.first(where: { $0.id == id }) else {
            throw Refusal("dialog-unknown", "\(consumer ?? "account \(tenant.id)") has no dialog '\(id)'")
        }
        return (found, dialog)
    }

    private func isReachable(_ conversation: Conversation, by consumer: String?) -> Bool {
        conversation.account == tenant.id && (consumer == nil || conversation.consumer == consumer)
    }
}
