import GRDB
import SparringContract
import SparringJSON
import SparringJournal

/// Operations of the tag "Agents".
extension AdminAPI {
    private var hosts: [any AgentHost] { world.vendors.compactMap { $0.vendor as? any AgentHost } }

    func actAsAgent(_ call: Call) async throws -> Answer {
        let sandbox = try sandbox(call)
        let (host, tenant) = try vendor(meantBy: call, among: hosts, in: sandbox, that: "has agents") { $0.name }
        let request = call.body
        do {
            let consumer = try await store.read { db in try host.consumer(in: request, of: tenant, db) }
            let json = try await intervene(call, of: consumer, sandbox, tenant) { intervention, db in
                let deed = try host.act(request, intervention, db)
                return (deed.json, deed.words)
            }
            return Answer("agent-acted", json)
        } catch let error as ConfigurationError {
            throw Problem(name: "configuration-invalid", detail: error.description, members: Self.violation(error))
        } catch let refusal as Refusal {
            throw Problem(name: "act-refused", detail: refusal.cause, members: ["refusal": .string(refusal.name)])
        }
    }

    func listConversations(_ call: Call) async throws -> Answer {
        let sandbox = try sandbox(call)
        let (consumer, state) = (call.query("consumer"), call.query("state"))
        let hosts = hosts
        let found = try await store.read { db -> [JSON]? in
            let lists = try hosts.compactMap { host in
                try sandbox.tenant(of: host.name).flatMap { try host.conversations(of: $0, consumer: consumer, state: state, db) }
            }
            return lists.isEmpty ? nil : lists.flatMap { $0 }
        }
        if let found { return Answer("conversations", ["conversations": .array(found)]) }
        let known = try await store.read { db in try hosts.flatMap { try $0.consumers(in: sandbox.id, db) } }
        throw Problem(
            name: "consumer-unknown", detail: "nobody called \((consumer ?? "").quoted) has signed in in sandbox '\(sandbox.id)'",
            members: Self.nearest(Nearest.words(to: consumer ?? "", in: known)))
    }

    func readConversation(_ call: Call) async throws -> Answer {
        let sandbox = try sandbox(call)
        let id = call.path("conversation")
        let hosts = hosts
        let (found, known) = try await store.read { db -> (JSON?, [String]) in
            var known: [String] = []
            for host in hosts {
                guard let tenant = sandbox.tenant(of: host.name) else { continue }
                if let found = try host.conversation(id, of: tenant, db) { return (found, []) }
                let all = try host.conversations(of: tenant, consumer: nil, state: nil, db) ?? []
                known += all.compactMap { $0["id"]?.string }
            }
            return (nil, known)
        }
        if let found { return Answer("conversation", found) }
        throw Problem(
            name: "conversation-unknown", detail: "sandbox '\(sandbox.id)' has no conversation \(id.quoted)",
            members: Self.nearest(Nearest.words(to: id, in: known)))
    }
}
