import GRDB
import SparringContract
import SparringEngine
import SparringJSON
import SparringJournal
import SparringSandbox

/// What the lists that all vendors share have of CXone, and what was said.
extension CXone {
    func consumers(of tenant: Tenant, in sandbox: Sandbox, _ db: Database) throws -> [JSON] {
        let open = sandbox.openSockets(of: tenant).compactMap { $0.chat?.customer }
        return try CustomerState.customers(of: tenant.id, sandbox.id, db).map { customer in
            [
                "vendor": .string(name), "consumer": .string(customer.id), "id": .string(customer.id),
                "anonymous": .bool(!customer.isSignedIn), "signIns": .integer(Int64(customer.signIns)),
                "signOuts": .integer(Int64(customer.signOuts)), "lastSeen": .string(customer.lastSeen.description),
                "sockets": .integer(Int64(open.count { $0 == customer.id })),
            ]
        }
    }

    func conversations(of tenant: Tenant, consumer: String?, state: String?, _ db: Database) throws -> [JSON]? {
        var id: String?
        if let consumer {
            id = try CustomerState.customer(called: consumer, of: tenant.id, tenant.sandbox, db)?.id
            if id == nil { return nil }
        }
        return try ThreadState.contacts(of: tenant.id, tenant.sandbox, db).filter { contact in
            (id == nil || contact.thread.customer == id) && (state == nil || Self.state(of: contact) == state)
        }.map { .object(summary(of: $0, tenant)) }
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

    func readConversation(_ db: Database, _ request: AdminRequest) throws -> Answer {
        let (id, tenant) = (request.path("conversation"), request.tenant)
        guard let contact = try ThreadState.contact(id, of: tenant.id, tenant.sandbox, db) else {
            throw AdminProblem(
                name: "conversation-unknown", detail: "sandbox '\(tenant.sandbox)' has no contact \(id.quoted)", unknown: id,
                known: try ThreadState.contacts(of: tenant.id, tenant.sandbox, db).map(\.id))
        }
        let agents = tenant.settings(of: CXone.self).agents
        var json = summary(of: contact, tenant)
        json["customFields"] = .array(contact.fields)
        json["messages"] = .array(
            try MessageState.messages(of: contact.thread, tenant.sandbox, db).reversed().filter { $0.contact == id }.map { message in
                let agent = message.author == .agent ? agents.first { String($0.id) == message.byWhom } : nil
                return .members([
                    "sequence": .integer(Int64(message.number)), "time": .string(message.created.description),
                    "from": .string(agent?.name ?? message.byWhom), "author": .string(message.author.rawValue),
                    "id": .string(message.sentId), "messageContent": message.content,
                    "attachments": message.attachments.isEmpty ? nil : .array(message.attachments),
                    "seenAt": message.seen.map { .string($0.description) }, "readAt": message.read.map { .string($0.description) },
                ])
            })
        return Answer("conversation", .object(json))
    }

    private static func state(of contact: ChatContact) -> String { contact.status == .closed ? "CLOSE" : "OPEN" }

    private func summary(of contact: ChatContact, _ tenant: Tenant) -> JSON.Object {
        let agent = tenant.settings(of: CXone.self).agents.first { $0.id == contact.assignee }
        let json = JSON.members([
            "id": .string(contact.id), "vendor": .string(name), "brand": .string(contact.brand),
            "consumer": .string(contact.thread.customer), "channel": .string(contact.channel), "thread": .string(contact.thread.id),
            "threadName": .string(contact.thread.name), "state": .string(Self.state(of: contact)),
            "status": .string(contact.status.rawValue),
            "agent": agent.map { ["userId": .string(String($0.id)), "nickname": .string($0.name)] },
            "queue": .string(contact.queue), "startedAt": .string(contact.created.description),
            "updatedAt": .string(max(contact.thread.updated, contact.statusUpdated).description),
            "closedAt": contact.status == .closed ? .string(contact.statusUpdated.description) : nil,
        ])
        return json.object ?? [:]
    }
}
