/// A step of a script that is done at the fresh sandbox only, for the vendor's credentials come from elsewhere.
struct ProbeSupply: Sendable {
    let step: ProbeStep
    /// The values of names at the vendor.
    let names: ProbeNames
    /// The credentials that the vendor is sent, by their names.
    let given: [String: String]
}
