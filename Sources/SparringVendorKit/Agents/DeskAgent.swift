public import SparringJSON

/// An agent of a tenant: an element of its member `agents`.
public protocol DeskAgent<Act>: Sendable {
    associatedtype Act: ActKind

    /// The agent in conversations and in scheduled steps.
    var key: String { get }
    /// The agent's name, as consumers see it.
    var name: String { get }
    /// The agent, as the admin API shows it.
    var json: JSON { get }
    /// The agent's unprompted acts; nil: none.
    var script: AgentScript<Act>? { get }

    /// The names by which requests of the admin API may call the agent.
    func names(in tenant: String) -> [String]
}

extension DeskAgent {
    public var json: JSON { ["userId": .string(key), "nickname": .string(name)] }

    public func names(in tenant: String) -> [String] { [key, name] }

    public func isCalled(_ name: String, in tenant: String) -> Bool { names(in: tenant).containsSame(as: name) }
}
