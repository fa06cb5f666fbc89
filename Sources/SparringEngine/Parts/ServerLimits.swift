/// How much a server takes on; nil: as much as the machine does.
public struct ServerLimits: Sendable {
    public var sandboxes: Int?
    /// Open ones, of all sandboxes.
    public var sockets: Int?
    /// What the database may hold before no further sandbox is made; those that are there go on.
    public var bytes: Int?

    public init() {}
}
