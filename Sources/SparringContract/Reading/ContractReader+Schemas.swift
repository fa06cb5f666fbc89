internal import SparringJSON

extension ContractReader {
    func schema(_ node: YAMLNode) throws(ContractError) -> Schema { try schemas.schema(node) }

    /// Nil where there is no node.
    func schema(ifPresent node: YAMLNode?) throws(ContractError) -> Schema? {
        guard let node else { return nil }
        return try schema(node)
    }

    /// Only a member of a request can stand for another part of it.
    func refuseMoves(of schema: Schema?, _ what: String, at node: YAMLNode) throws(ContractError) {
        guard let member = schema?.movedMember else { return }
        throw error("x-stands-for of \(member) names a part of a request, and this is \(what): there it is the name of a member", at: node)
    }

    /// - Throws: ``ContractError`` at the part of the example that its schema does not accept.
    func verify(_ value: JSON, at node: YAMLNode, by schema: Schema?, _ what: String) throws(ContractError) {
        // What stands in braces in a stub's example is filled in when it is answered, and checked then.
        let violation = schema?.violations(in: value).first { value[$0.pointer]?.hasTemplate != true }
        guard let violation else { return }
        let place = violation.pointer == .root ? "" : " at \(violation.pointer.words)"
        throw error("\(what)\(place): \(violation.message)", at: node.nearest(to: violation.pointer))
    }
}
