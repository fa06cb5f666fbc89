public import GRDB
import SparringEngine
public import SparringSandbox

/// A tenant's configuration that has agents.
public protocol DeskSettings: Sendable {
    associatedtype Agent: DeskAgent

    var agents: [Agent] { get }
}

/// A step in a vendor's conversations, in one transaction with its occasion: a consumer's call, an agent's act, or work that fell due.
public protocol DeskHand: Occurrence {
    associatedtype Settings: DeskSettings
    associatedtype Conversation: DeskConversation
    typealias Agent = Settings.Agent
    typealias Act = Settings.Agent.Act

    var db: Database { get }
    var settings: Settings { get }
    /// How many steps of scripts have led to this one, one after the other; 0: none.
    var scriptDepth: Int { get set }

    /// The agent who is assigned, or has joined; nil: nobody.
    func assigned(in conversation: Conversation) -> Agent?
    /// Whether an agent may take a conversation that nobody is assigned to.
    func takes(_ agent: Agent, _ conversation: Conversation) -> Bool
    /// The lane of what scripts do in a conversation.
    func lane(of conversation: Conversation) -> String

    /// - Throws: `Refusal` where the vendor says no.
    mutating func perform(
        _ act: DeskAct<Act>, by agent: Agent, in conversation: Conversation
    ) throws -> Acted<Conversation>
}

extension DeskHand {
    public func assigned(in conversation: Conversation) -> Agent? { nil }
    public func takes(_ agent: Agent, _ conversation: Conversation) -> Bool { true }
}
