/// The evidence for an operation (`x-fidelity`): how far a client that passes against Sparring can expect to pass against the vendor.
public enum Fidelity: String, Sendable, CaseIterable {
    /// The vendor's own documentation, schema or recorded traffic says so.
    case verified
    /// Follows from what is verified, but nobody has seen it.
    case inferred
    /// Our guess.
    case assumed
}
