import SparringVendorKit

/// The agent at the other end of a socket, and the socket's subscriptions. The session ends with the socket.
struct AgentSession: Sendable {
    static let key = "agent"

    var agent: LivePerson.Agent
    var bearer: String
    /// The version of the agent's notifications (LivePerson reference 7: `v` of the socket).
    var version: String
    /// The subscriptions to conversations, by subscription id.
    var conversations: [(id: String, filter: AgentFilter)] = []
    /// The agents whose state is followed, by subscription id.
    var states: [(id: String, agent: String)] = []
    /// Subscriptions to routing tasks, by subscription id.
    var routing: [(id: String, filter: RoutingFilter)] = []

    /// Agents of 2.1 on see whom a conversation has been suggested to (LivePerson reference 5.9).
    var seesSuggestions: Bool { version != "2" && version != "2.0" }
    /// Whether events come in a list, one message a dialog, rather than one by one.
    var takesLists: Bool { version == "3" }

    /// The agent as a participant in a conversation; nil where it takes no part.
    func participant(in conversation: Conversation, dialog: Conversation.Dialog? = nil) -> Conversation.Participant? {
        let all = (dialog?.participants ?? []) + (conversation.dialogs.first?.participants ?? [])
        let mine = all.filter { $0.id == agent.pid }
        return mine.first { $0.role == agent.participant.role } ?? mine.first
    }
}

extension Socket {
    /// The agent's session; nil on a consumer's socket.
    var agentSession: AgentSession? { recall(AgentSession.key) }
}
