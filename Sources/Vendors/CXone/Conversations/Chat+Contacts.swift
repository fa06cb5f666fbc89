import SparringVendorKit

/// Contacts and customers as clients read them.
extension Chat {
    /// The contact with members that no SDK reads, but apps of the Web SDK do: those of its type `Contact` (1.11.0 to 3.3.0, index.d.ts), with values as
    /// in recorded contacts (SDK for iOS, tag 3.0.1, CaseStatusChanged.json and LivechatRecoveredEvent.json).
    func shown(_ contact: ChatContact) throws -> JSON {
        let customer = contact.thread.customer
        let known = try CustomerState.customer(customer, of: brand, sandbox.id, db)
        let endUser = self.endUser(customer, known)
        let unseen = try MessageState.unseen(in: contact, sandbox.id, db)
        let recipients = try everybody(in: contact).map { try ($0 == customer ? endUser : self.endUser($0)).recipient }
        let assignee = contact.assignee.map { JSON.integer($0) } ?? .null
        let user = shown(agent(contact.assignee))
        let more: JSON.Object = [
            "channelId": .string(contact.channel), "threadId": .string(contact.thread.longId), "contactId": id("contactId", of: contact),
            "customerContactId": id("customerContactId", of: contact), "interactionId": id("interactionId", of: contact),
            "authorEndUserIdentity": endUser.identity, "endUser": endUser.json(known?.fields ?? []), "recipients": .array(recipients),
            "routingQueueId": .string(contact.queue), "routingQueuePriority": 0, "inboxAssignee": assignee, "inboxAssigneeUser": user,
            "inboxPreAssigneeUser": .null, "ownerAssignee": assignee, "ownerAssigneeUser": user,
            "customerStatistics": ["unseenMessagesCount": .integer(Int64(unseen.byCustomer))],
            "userStatistics": ["unseenMessagesCount": .integer(Int64(unseen.byAgents))],
        ]
        return .object((contact.json.object ?? [:]).merging(more, uniquingKeysWith: { $1 }))
    }

    /// One of a contact's fixed ids; recorded contacts have several.
    private func id(_ what: String, of contact: ChatContact) -> JSON {
        .string(Draw(seed: sandbox.idSeed, "cxone contact", brand, contact.id, what).uuid)
    }

    func endUser(_ id: String) throws -> EndUser {
        endUser(id, try CustomerState.customer(id, of: brand, sandbox.id, db))
    }

    /// - Parameter customer: nil where nobody of that id is known yet.
    private func endUser(_ id: String, _ customer: CustomerState.Customer?) -> EndUser {
        EndUser(id: id, firstName: customer?.firstName ?? "", lastName: customer?.lastName ?? "")
    }
}
