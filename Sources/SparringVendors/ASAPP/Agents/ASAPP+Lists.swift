import GRDB
import SparringContract
import SparringEngine
import SparringJSON
import SparringJournal
import SparringSandbox

/// What the lists that all vendors share have of ASAPP, and what was said.
extension ASAPP {
    func consumers(of tenant: Tenant, in sandbox: Sandbox, _ db: Database) throws -> [JSON] {
        try CompanyCustomerState.customers(of: tenant.id, sandbox.id, db).map { customer in
            let sockets = sandbox.openSockets(of: CompanyChat.owner(customer.id, of: customer.company))
            return [
                "vendor": .string(name), "consumer": .string(customer.name), "id": .string(customer.id),
                "anonymous": .bool(customer.user == nil), "signIns": .integer(Int64(customer.signIns)),
                "signOuts": .integer(Int64(customer.signOuts)), "lastSeen": .string(customer.lastSeen.description),
                "sockets": .integer(Int64(sockets.count)),
            ]
        }
    }

    func conversations(of tenant: Tenant, consumer: String?, state: String?, _ db: Database) throws -> [JSON]? {
        var id: String?
        if let consumer {
            id = try CompanyCustomerState.customer(called: consumer, of: tenant.id, tenant.sandbox, db)?.id
            if id == nil { return nil }
        }
        return try IssueState.issues(of: tenant.id, tenant.sandbox, db).filter { issue in
            (id == nil || issue.customer == id) && (state == nil || Self.state(of: issue) == state)
        }.map { .object(try summary(of: $0, tenant, db)) }
    }

    func readConversation(_ db: Database, _ request: AdminRequest) throws -> Answer {
        let (id, tenant) = (request.path("conversation"), request.tenant)
        guard let issue = try IssueState.issue(id, of: tenant.id, tenant.sandbox, db) else {
            throw AdminProblem(
                name: "conversation-unknown", detail: "sandbox '\(tenant.sandbox)' has no conversation \(id.quoted)", unknown: id,
                known: try IssueState.issues(of: tenant.id, tenant.sandbox, db).map(\.id))
        }
        var json = try summary(of: issue, tenant, db)
        json["messages"] = .array(
            try IssueState.messages(of: issue, tenant.sandbox, db).map { message in
                [
                    "sequence": .integer(Int64(message.sequence)), "time": .string(message.said.description),
                    "from": message.name.map { .string($0) } ?? json["consumer"] ?? "", "author": .string(message.author.rawValue),
                    "id": .string(message.id), "text": .string(message.text),
                ]
            })
        return Answer("conversation", .object(json))
    }

    private static func state(of issue: Issue) -> String { issue.closed == nil ? "OPEN" : "CLOSE" }

    private func summary(of issue: Issue, _ tenant: Tenant, _ db: Database) throws -> JSON.Object {
        let customer = try CompanyCustomerState.customer(issue.customer, of: tenant.id, tenant.sandbox, db)
        let agent = tenant.settings(of: ASAPP.self).agents.first { $0.id == issue.agent }
        let json = JSON.members([
            "id": .string(issue.id), "vendor": .string(name), "appId": .string(issue.company),
            "consumer": .string(customer?.name ?? issue.customer), "customerId": .string(issue.customer),
            "anonymous": .bool(customer?.user == nil), "state": .string(Self.state(of: issue)), "stage": .string(issue.stage.rawValue),
            "agent": agent?.json, "isLiveChat": .bool(issue.isLive), "unread": .integer(Int64(customer?.unread ?? 0)),
            "startedAt": .string(issue.created.description), "updatedAt": .string(issue.updated.description),
            "closedAt": issue.closed.map { .string($0.description) }, "lastEnteredAt": customer?.entered.map { .string($0.description) },
        ])
        return json.object ?? [:]
    }
}
