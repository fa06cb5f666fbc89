/// The description of a rule in a report.
public struct RuleSummary: Sendable, Hashable {
    /// Small letters, digits and hyphens; one of its kind among the vendor's rules.
    public var name: String
    /// `liveperson`.
    public var vendor: String
    /// The kind of rule, as behaviour files name it.
    public var kind: String
    /// The behaviour of a good client, in a sentence.
    public var says: String
    /// The place where the vendor says so.
    public var source: String
    /// How sure it is that a client owes it, and that it is seen on the wire like this: verified, inferred, assumed.
    public var fidelity: String
    /// The platforms whose apps owe it, such as `ios`; empty where the vendor makes no difference between apps.
    public var platforms: [String]
    /// The behaviour file, and the line of the rule in it; nil in a report that was read back from its short form.
    public var file: String?
    public var line: Int?

    /// `liveperson.retries-with-backoff`: one of its kind among all vendors' rules.
    public var qualifiedName: String { "\(vendor).\(name)" }
}
