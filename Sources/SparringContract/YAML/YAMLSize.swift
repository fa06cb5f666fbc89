/// How much of a document has been read. An alias (`*name`, YAML 1.2 §7.1) comes to what it stands for, and aliases of aliases multiply: seven
/// lines of nine each make five million values.
struct YAMLSize: Sendable {
    /// Values of the largest document that is read. The largest contract has some 6,000.
    static let mostValues = 100_000
    /// Bytes of its texts, those of keys included.
    static let mostBytes = 16 << 20

    private(set) var values = 0
    private(set) var bytes = 0

    /// Counts a value.
    ///
    /// - Throws: ``ContractError`` at the value where the document has become too large.
    mutating func count(_ node: YAMLNode) throws(ContractError) {
        values += 1
        switch node.content {
        case .scalar(let text, _): bytes += text.utf8.count
        case .mapping(let entries): bytes += entries.reduce(0) { $0 + $1.key.utf8.count }
        case .sequence: break
        }
        guard values <= Self.mostValues else { throw Self.error("\(Self.mostValues) values", at: node) }
        guard bytes <= Self.mostBytes else { throw Self.error("\(Self.mostBytes >> 20) MiB of text", at: node) }
    }

    private static func error(_ limit: String, at node: YAMLNode) -> ContractError {
        node.error("the document comes to more than \(limit), each alias counted as what it stands for")
    }
}
