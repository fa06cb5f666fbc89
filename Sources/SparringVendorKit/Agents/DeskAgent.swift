public import SparringJSON

/// An agent of a tenant: an element of its member `agents`.
public protocol DeskAgent<Act>: Sendable {
    associatedtype Act: ActKind

    /// The agent in conversations and in scheduled steps.
    var key: String { get }
    /// As consumers see the agent.
    var name: String { get }
    /// As the admin API shows the agent.
    var json: JSON { get }
    /// What the agent does unprompted; nil: nothing.
    var script: AgentScript<Act>? { get }

    /// What requests of the admin API may call the agent.
    func names(in tenant: String) -> [String]
}

extension DeskAgent {
    public var json: JSON { ["userId": .string(key), "nickname": .string(name)] }

    public func names(in tenant: String) -> [String] { [key, name] }

    public func isCalled(_ name: String, in tenant: String) -> Bool { names(in: tenant).containsSame(as: name) }
}
