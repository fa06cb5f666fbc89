/// How much a sandbox's journal keeps; what is older goes.
public struct JournalLimits: Sendable {
    public var entries = 50_000
    /// The size of all entries together.
    public var bytes = 256 << 20

    public init() {}
}
