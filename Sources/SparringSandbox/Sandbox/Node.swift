public import SparringJSON

/// One of several servers that share the work. Its name is in all that is drawn, so that no two of them hand out the same id.
public struct Node: Sendable, Hashable {
    /// A label of a host name (RFC 1123 §2.1), in lower case.
    public let name: String

    private static let longest = 32

    /// - Throws: ``ConfigurationError`` for a name that is no label.
    public init(_ name: String) throws(ConfigurationError) {
        guard name.isName(atMost: Self.longest), !name.hasSuffix("-") else {
            throw ConfigurationError(
                .root,
                "\(name.quoted) cannot be a node's name: up to \(Self.longest) lower-case letters, digits and hyphens, such as 'node-1'")
        }
        self.name = name
    }

    /// The seed that ids are drawn from at this node. Faults and variations are drawn from the bare one, and replay at every node.
    func salted(_ seed: Int64) -> Int64 { Draw(seed: seed, "node", name).number(below: .max) }
}
