import HTTPTypes

/// The result of a call that was passed on to the vendor.
struct RelayedAnswer: Sendable {
    enum Kind: Sendable {
        case answer(status: Int, HTTPFields, [UInt8])
        /// Nothing came, for this reason.
        case failed(String)
        /// A message was sent; what it is answered with comes as another.
        case sent
    }

    let kind: Kind
    /// The host that was called.
    let host: String
}
