import SparringVendorKit

/// Handlers of the tags "CustomFields", "Contacts" and "Proactive" (CXone reference 5.1).
extension CXone {
    func setContactCustomFields(_ chat: Chat, _ data: JSON) throws -> Decision {
        let given = data["customFields"]?.array ?? []
        if let objection = CustomFields.objection(to: given) { return chat.refused("inconsistent-data", objection) }
        let named = data["contact"]?["id"]?.string
        let contact: ChatContact?
        if let named {
            contact = try chat.contact(named)
        } else {
            contact = try chat.thread(data.threadId ?? "").flatMap { try ThreadState.contact(of: $0, chat.sandbox.id, chat.db) }
        }
        guard var contact else {
            return chat.refused("inconsistent-data", "\(chat.customer) has no contact '\(named ?? "of thread \(data.threadId ?? "")")'")
        }
        contact.fields = chat.merged(contact.fields, given)
        try ThreadState.update(contact, chat.sandbox.id, chat.db)
        return .answer(chat.fields(given, known: chat.settings.customFields.contact, "\(given.count) fields of contact \(contact.id)"))
    }

    func setCustomerCustomFields(_ chat: Chat, _ data: JSON) throws -> Decision {
        let given = data["customFields"]?.array ?? []
        if let objection = CustomFields.objection(to: given) { return chat.refused("inconsistent-data", objection) }
        let known = try CustomerState.customer(chat.customer, of: chat.brand, chat.sandbox.id, chat.db)?.fields ?? []
        try CustomerState.setFields(chat.merged(known, given), of: chat.customer, chat.brand, chat.sandbox.id, chat.db)
        return .answer(chat.fields(given, known: chat.settings.customFields.customer, "\(given.count) fields of customer \(chat.customer)"))
    }

    func endContact(_ chat: Chat, _ data: JSON) throws -> Decision {
        let id = data["contact"]?["id"]?.string ?? ""
        guard let contact = try chat.contact(id) else {
            return chat.refused("inconsistent-data", "\(chat.customer) has no contact '\(id)' in channel '\(chat.channel.id)'")
        }
        guard chat.channel.mode == .live else {
            return chat.refused(
                "inconsistent-data",
                "only live chats can be ended by the customer; channel '\(chat.channel.id)' is \(chat.channel.mode.rawValue)")
        }
        guard contact.status != .closed else {
            let cause = "contact \(id) was closed \((chat.now - contact.statusUpdated).words) ago"
            return chat.refused("inconsistent-data", cause, chat.findings(ofClosed: contact))
        }
        try chat.set(.closed, of: contact)
        return .answer(chat.acknowledged("contact \(id) is closed by the customer"))
    }

    func sendTranscript(_ chat: Chat, _ data: JSON) throws -> Decision {
        let id = data["consumerContact"]?["id"]?.string ?? ""
        guard chat.channel.transcript else {
            return chat.refused("sending-transcript-failed", "channel '\(chat.channel.id)' allows no transcripts")
        }
        guard try chat.contact(id) != nil else {
            return chat.refused("sending-transcript-failed", "\(chat.customer) has no contact '\(id)'")
        }
        let recipients = (data["consumerRecipients"]?.array ?? []).compactMap { $0["idOnExternalPlatform"]?.string }
        return .answer(chat.reply("transcript-sent", cause: "of contact \(id) to \(recipients.joined(separator: ", "))"))
    }

    func executeTrigger(_ chat: Chat, _ data: JSON) throws -> Decision {
        let id = data["trigger"]?["id"]?.string ?? ""
        let offered = try chat.offer(on: .trigger, id)
        return .answer(
            chat.acknowledged(
                offered.isEmpty ? "trigger \(id) sets nothing off" : "trigger \(id) sets off \(offered.joined(separator: ", "))"))
    }
}

extension Chat {
    /// Acknowledges fields. What the brand does not know is taken all the same (CXone reference 7.7), and found.
    fileprivate func fields(_ given: [JSON], known: [FieldDefinition], _ cause: String) -> Answer {
        var answer = acknowledged(cause)
        answer.findings = settings.customFields.objections(to: given, known: known).map {
            Finding("field-unknown", at: "body:/payload/data/customFields", $0)
        }
        return answer
    }
}
