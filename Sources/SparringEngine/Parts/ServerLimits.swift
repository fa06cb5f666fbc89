/// How much a server takes on; nil: as much as the machine does.
public struct ServerLimits: Sendable {
    public var sandboxes: Int?
    /// Open ones, of all sandboxes.
    public var sockets: Int?
    /// Size of the database from which on no further sandbox is made; existing ones go on.
    public var bytes: Int?

    public init() {}
}
