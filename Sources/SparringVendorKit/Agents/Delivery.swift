/// How what an agent did has reached the consumer.
public enum Delivery: String, Sendable {
    /// A socket got it.
    case socket
    /// Nobody was there, and a device is pushed to.
    case push
    /// Neither: nothing has reached them yet.
    case missed = "none"
}
