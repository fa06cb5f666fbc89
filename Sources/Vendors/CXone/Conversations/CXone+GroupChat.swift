import SparringVendorKit

/// Handlers of the tag "GroupChat" (CXone reference 5.1 and 6.1): guests hear what is said in a chat.
extension CXone {
    /// How long an invitation holds is unknown; the recorded sample says an hour.
    private static let invitationLifetime = Duration.seconds(3600)

    func inviteToGroupChat(_ chat: Chat, _ data: JSON) throws -> Decision {
        let id = data["contact"]?["id"]?.string ?? ""
        guard let contact = try chat.contact(id), contact.status != .closed else {
            return chat.refused("creating-invitation-to-group-chat-failed", "\(chat.customer) has no open contact '\(id)'")
        }
        let code = String(chat.secret("invitation").hex.prefix(6)).uppercased()
        let expiry = chat.now + Self.invitationLifetime
        try InvitationState.invite(code, to: id, chat.brand, until: expiry, chat.sandbox.id, chat.db)
        return .answer(
            chat.reply(
                "invitation-to-group-chat-created", ["invitation": ["code": .string(code), "expiresAt": .string(expiry.wholeSeconds)]],
                cause: "to contact \(id)"))
    }

    func mailInvitation(_ chat: Chat, _ data: JSON) throws -> Decision {
        let (id, code) = (data["contact"]?["id"]?.string ?? "", data["invitation"]?["code"]?.string ?? "")
        guard try InvitationState.contact(byCode: code, chat.brand, at: chat.now, chat.sandbox.id, chat.db) == id, !id.isEmpty,
            try chat.contact(id) != nil
        else {
            return chat.refused(
                "sending-email-invitation-to-group-chat-failed", "\(code.quoted) is not an invitation to contact '\(id)'")
        }
        let recipients = (data["recipients"]?.array ?? []).compactMap { $0["idOnExternalPlatform"]?.string }
        return .answer(chat.reply("email-invitation-to-group-chat-sent", cause: "to \(recipients.joined(separator: ", "))"))
    }

    func joinGroupChat(_ chat: Chat, _ data: JSON) throws -> Decision {
        let code = data["invitation"]?["code"]?.string ?? ""
        let (brand, sandbox, db) = (chat.brand, chat.sandbox.id, chat.db)
        guard let id = try InvitationState.contact(byCode: code, brand, at: chat.now, sandbox, db),
            let contact = try ThreadState.contact(id, of: brand, sandbox, db), contact.channel.isSame(as: chat.channel.id),
            contact.status != .closed
        else { return chat.refused("joining-group-chat-failed", "\(code.quoted) invites to no open contact of the channel") }
        // Who is in the chat already is no guest of their own.
        if !contact.thread.customer.isSame(as: chat.customer) {
            try InvitationState.add(chat.customer, to: id, brand, sandbox, db)
            try chat.recipientsChanged(contact)
        }
        return .answer(
            chat.reply("group-chat-joined", ["contact": try chat.shown(contact), "thread": contact.thread.json], cause: "contact \(id)"))
    }

    func leaveGroupChat(_ chat: Chat, _ data: JSON) throws -> Decision {
        let id = data["contact"]?["id"]?.string ?? ""
        guard let contact = try chat.contact(id),
            try InvitationState.remove(chat.customer, from: id, chat.brand, chat.sandbox.id, chat.db)
        else { return chat.refused("inconsistent-data", "\(chat.customer) is not a guest of contact '\(id)'") }
        try chat.recipientsChanged(contact)
        return .answer(chat.acknowledged("\(chat.customer) has left contact \(id)"))
    }
}

extension Chat {
    /// Everybody in the chat hears who is.
    fileprivate func recipientsChanged(_ contact: ChatContact) throws {
        try push(
            "contactRecipientsChanged", "Case", "ContactRecipientsChanged", contact.id, data(["contact": try shown(contact)]),
            to: everybody(in: contact))
    }
}
