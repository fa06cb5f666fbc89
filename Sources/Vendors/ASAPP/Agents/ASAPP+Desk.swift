import SparringVendorKit

extension CompanyCustomer: DeskConsumer {
    var isAnonymous: Bool { user == nil }
}

extension Issue: DeskConversation {
    var consumer: String { customer }
    var started: Timestamp { created }
    var ended: Timestamp? { closed }
}

/// Customers, their issues, and the company's agents as the admin API has them.
extension ASAPP {
    static let tenantNoun = "company"

    func consumers(of tenant: Tenant, _ db: Database) throws -> [CompanyCustomer] {
        try CompanyCustomerState.customers(of: tenant.id, tenant.sandbox, db)
    }

    func consumer(called name: String, of tenant: Tenant, _ db: Database) throws -> CompanyCustomer? {
        try CompanyCustomerState.customer(called: name, of: tenant.id, tenant.sandbox, db)
    }

    func conversations(of tenant: Tenant, _ db: Database) throws -> [Issue] {
        try IssueState.issues(of: tenant.id, tenant.sandbox, db)
    }

    func conversation(_ id: String, of tenant: Tenant, _ db: Database) throws -> Issue? {
        try IssueState.issue(id, of: tenant.id, tenant.sandbox, db)
    }

    func hand(for consumer: CompanyCustomer, in issue: Issue, _ occasion: Occasion, _ db: Database) -> CompanyChat {
        CompanyChat(occasion, db, vendor: self, customer: consumer)
    }

    func sockets(of consumer: CompanyCustomer, of tenant: Tenant, in sandbox: Sandbox) -> Int {
        sandbox.openSockets(of: CompanyChat.owner(consumer.id, of: consumer.company)).count
    }

    func members(of issue: Issue, _ customer: CompanyCustomer?, _ tenant: Tenant, _ db: Database) throws -> JSON {
        let agent = tenant.settings(of: ASAPP.self).agents.first { $0.id == issue.agent }
        return .members([
            "appId": .string(issue.company), "customerId": .string(issue.customer), "anonymous": .bool(customer?.isAnonymous ?? true),
            "stage": .string(issue.stage.rawValue), "agent": agent?.json, "isLiveChat": .bool(issue.isLive),
            "unread": .integer(Int64(customer?.unread ?? 0)), "lastEnteredAt": customer?.entered.map { .string($0.description) },
        ])
    }

    func said(in issue: Issue, _ customer: CompanyCustomer?, _ tenant: Tenant, _ db: Database) throws -> JSON {
        let messages = try IssueState.messages(of: issue, tenant.sandbox, db).map { message -> JSON in
            [
                "sequence": .integer(Int64(message.sequence)), "time": .string(message.said.description),
                "from": .string(message.name ?? customer?.name ?? issue.customer), "author": .string(message.author.rawValue),
                "id": .string(message.id), "text": .string(message.text),
            ]
        }
        return ["messages": .array(messages)]
    }
}
