/// Something that a client should do and that is not visible on the network.
public struct Unobservable: Sendable {
    public var vendor: String
    public var says: String
    public var source: String
    public var because: String
}
