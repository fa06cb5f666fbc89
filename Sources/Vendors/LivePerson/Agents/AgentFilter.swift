import SparringVendorKit

/// The conversations that an agent's subscription asks for and the agent may see (node-agent-sdk's README: subscribeExConversations and
/// cqm.ExConversationChangeNotification; Messaging Agent SDK, Methods; its first client: subscribeConversations).
struct AgentFilter: Sendable {
    /// Nil: any state.
    var states: [String]?
    /// Nil: any stage.
    var stages: [String]?
    /// UUIDs of agents, one of whom must be assigned; nil: any assigned agent, or none.
    var agents: [String]?
    /// Nil: any brand. An account has the conversations of one brand, its own.
    var brand: String?
    /// Nil: any consumer.
    var consumer: String?
    /// Milliseconds since 1970, both ends included.
    var updatedSince: Int64
    var updatedUntil: Int64
    /// UUID of the agent, if it sees only the conversations that it takes part in; nil: it sees all.
    var own: String?

    /// - Parameter agents: the account's, who may be called by an older id.
    init(_ body: JSON?, _ agents: [LivePerson.Agent], account: String, own: String? = nil) {
        states = body?["convState"].map { $0.oneOrMore.compactMap(\.string) }
        stages = body?["stage"].map { $0.oneOrMore.compactMap(\.string) }
        let ids = body?["agentIds"].flatMap { $0.isNull ? nil : $0.oneOrMore.compactMap(\.idText) }
        // One empty id stands for all agents (yarivr/lp-labs-agent-sdk sends it); an empty list names none of them.
        self.agents = ids == [""] ? nil : ids?.map { id in agents.first { $0.isCalled(id, in: account) }?.pid ?? id }
        brand = body?["brandId"]?.idText
        consumer = body?["consumerId"]?.string.flatMap { $0.isEmpty ? nil : $0 }
        updatedSince = body?["minLastUpdatedTime"]?.integer(in: Conversation.times) ?? Conversation.times.lowerBound
        updatedUntil = body?["maxLastUpdatedTime"]?.integer(in: Conversation.times) ?? Conversation.times.upperBound
        self.own = own
    }

    func fits(_ conversation: Conversation) -> Bool {
        let updated = conversation.updated.milliseconds
        guard states?.contains(conversation.state) != false, stages?.contains(conversation.stage) != false,
            brand ?? conversation.account == conversation.account, consumer ?? conversation.consumer == conversation.consumer,
            updatedSince <= updated, updated <= updatedUntil
        else { return false }
        if let own, !(conversation.dialogs.first?.participants ?? []).contains(where: { $0.id == own }) { return false }
        return agents.map { agents in conversation.assigned.contains { agents.contains($0) } } ?? true
    }

    /// The conversations that a new subscription gets at once, in the order given; if there are too many, the most recent ones (Messaging Agent
    /// SDK, Methods: 1001 at most).
    func shown(_ all: [Conversation]) -> [Conversation] {
        let fitting = all.filter(fits)
        guard fitting.count > Self.most else { return fitting }
        let oldest = fitting.map(\.updated).sorted()[fitting.count - Self.most]
        return Array(fitting.filter { $0.updated >= oldest }.suffix(Self.most))
    }

    private static let most = 1001
}
