/// What a report says of a rule. Members as ``Rule`` has them.
public struct RuleSummary: Sendable, Hashable {
    public var name: String
    public var vendor: String
    public var kind: String
    public var says: String
    public var source: String
    public var fidelity: String
    public var platforms: [String]
    /// The behaviour file, and the line of the rule in it; nil in a report that was read back from its short form.
    public var file: String?
    public var line: Int?

    public var qualifiedName: String { "\(vendor).\(name)" }
}
