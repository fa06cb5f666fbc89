internal import SparringJSON

extension ContractReader {
    func schema(_ node: YAMLNode) throws(ContractError) -> Schema { try schemas.schema(node) }

    /// Nil where there is no node.
    func schema(ifPresent node: YAMLNode?) throws(ContractError) -> Schema? {
        guard let node else { return nil }
        return try schema(node)
    }

    /// - Throws: ``ContractError`` at the part of the example that its schema does not accept.
    func verify(_ value: JSON, at node: YAMLNode, by schema: Schema?, _ what: String) throws(ContractError) {
        guard let violation = schema?.violations(in: value).first else { return }
        let place = violation.pointer == .root ? "" : " at \(violation.pointer.words)"
        throw error("\(what)\(place): \(violation.message)", at: node.nearest(to: violation.pointer))
    }
}
