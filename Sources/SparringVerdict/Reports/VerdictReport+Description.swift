extension VerdictReport: CustomStringConvertible {
    /// For a failure message: what is wrong, with its evidence.
    public var description: String { text(colour: false) }
}
