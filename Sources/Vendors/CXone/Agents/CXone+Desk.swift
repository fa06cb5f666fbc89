import SparringVendorKit

extension CustomerState.Customer: DeskConsumer {
    var name: String { id }
    var isAnonymous: Bool { !isSignedIn }
}

extension ChatContact: DeskConversation {
    static let noun = "contact"

    var consumer: String { thread.customer }
    var started: Timestamp { created }
    var updated: Timestamp { max(thread.updated, statusUpdated) }
    var ended: Timestamp? { status == .closed ? statusUpdated : nil }
}

/// Customers, their contacts, and the brand's agents as the admin API has them.
extension CXone {
    static let tenantNoun = "brand"

    func consumers(of tenant: Tenant, _ db: Database) throws -> [CustomerState.Customer] {
        try CustomerState.customers(of: tenant.id, tenant.sandbox, db)
    }

    func consumer(called name: String, of tenant: Tenant, _ db: Database) throws -> CustomerState.Customer? {
        try CustomerState.customer(called: name, of: tenant.id, tenant.sandbox, db)
    }

    func conversations(of tenant: Tenant, _ db: Database) throws -> [ChatContact] {
        try ThreadState.contacts(of: tenant.id, tenant.sandbox, db)
    }

    func conversation(_ id: String, of tenant: Tenant, _ db: Database) throws -> ChatContact? {
        try ThreadState.contact(id, of: tenant.id, tenant.sandbox, db)
    }

    /// A closed contact can be read, and opened again.
    func current(among all: [ChatContact]) -> ChatContact? { all.last { $0.ended == nil } ?? all.last }

    func lane(of consumer: CustomerState.Customer, of tenant: Tenant, _ db: Database) throws -> String {
        try CustomerState.lane(of: consumer.id, tenant.id, tenant.sandbox, db)
    }

    func hand(for consumer: CustomerState.Customer, in contact: ChatContact, _ occasion: Occasion, _ db: Database) throws -> Chat {
        guard let channel = occasion.settings(of: self).channel(contact.channel) else {
            throw Refusal("channel-unknown", "channel '\(contact.channel)' is gone")
        }
        return Chat(occasion, db, vendor: self, channel: channel, customer: consumer.id)
    }

    func sockets(of consumer: CustomerState.Customer, of tenant: Tenant, in sandbox: Sandbox) -> Int {
        sandbox.openSockets(of: tenant).count { $0.chat?.customer == consumer.id }
    }

    func registrations(on device: String, of tenant: Tenant, _ db: Database) throws -> [JSON] {
        try CustomerState.customers(of: tenant.id, tenant.sandbox, db).flatMap { customer in
            try CustomerState.visitors(of: customer.id, tenant.id, tenant.sandbox, db).filter { $0.device == device }.map { _ in
                [
                    "consumer": .string(customer.id), "appId": .string("cxone-\(tenant.id)"),
                    "registeredAt": .string(customer.lastSeen.description),
                ]
            }
        }
    }

    func members(of contact: ChatContact, _ consumer: CustomerState.Customer?, _ tenant: Tenant, _ db: Database) throws -> JSON {
        let agent = tenant.settings(of: CXone.self).agents.first { $0.id == contact.assignee }
        return .members([
            "brand": .string(contact.brand), "channel": .string(contact.channel), "thread": .string(contact.thread.id),
            "threadName": .string(contact.thread.name), "status": .string(contact.status.rawValue), "agent": agent?.json,
            "queue": .string(contact.queue),
        ])
    }

    func said(in contact: ChatContact, _ consumer: CustomerState.Customer?, _ tenant: Tenant, _ db: Database) throws -> JSON {
        let agents = tenant.settings(of: CXone.self).agents
        let messages = try MessageState.messages(of: contact.thread, tenant.sandbox, db).reversed().filter { $0.contact == contact.id }
        return [
            "customFields": .array(contact.fields),
            "messages": .array(
                messages.map { message in
                    let agent = message.author == .agent ? agents.first { $0.key == message.byWhom } : nil
                    return .members([
                        "sequence": .integer(Int64(message.number)), "time": .string(message.created.description),
                        "from": .string(agent?.name ?? message.byWhom), "author": .string(message.author.rawValue),
                        "id": .string(message.sentId), "messageContent": message.content,
                        "attachments": message.attachments.isEmpty ? nil : .array(message.attachments),
                        "seenAt": message.seen.map { .string($0.description) }, "readAt": message.read.map { .string($0.description) },
                    ])
                }),
        ]
    }
}
