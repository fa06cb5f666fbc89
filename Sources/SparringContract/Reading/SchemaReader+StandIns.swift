internal import SparringJSON

/// Members that have other names on the wire than in Sparring's own code.
extension SchemaReader {
    /// `x-stands-for`: a name, or an expression for another part of the request.
    func standsFor(_ node: YAMLNode) throws(ContractError) -> StandsFor {
        let text = try string(node)
        guard text.hasPrefix("$") else {
            guard !text.isEmpty else { throw error("x-stands-for names nothing", at: node) }
            return .name(text)
        }
        guard let place = RequestPlace(expression: text) else {
            throw error(
                "'\(text)' is neither a name nor one of $request.path.NAME, $request.query.NAME, $request.header.NAME, $request.body#/POINTER",
                at: node)
        }
        return .place(place)
    }

    /// Each name is stood for once, and is no other member's own.
    func verifyStandIns(_ properties: [String: Int], _ node: YAMLNode) throws(ContractError) {
        guard library.hasStandIns else { return }
        var standIns: [StandsFor: String] = [:]
        for entry in try entries(node) {
            guard let schema = properties[entry.key], let standsFor = library.rules[schema].standsFor else { continue }
            standing.insert(schema)
            if let other = standIns.updateValue(entry.key, forKey: standsFor) {
                throw error("'\(entry.key)' stands for the same as '\(other)'", at: entry)
            }
            guard let name = standsFor.name, let own = properties[name], library.rules[own].standsFor == nil else { continue }
            throw error("'\(entry.key)' stands for '\(name)', which is still a member of its own: remove it", at: entry)
        }
    }

    /// Only a member stands for something.
    func refuseStrayStandIns() throws(ContractError) {
        guard library.hasStandIns else { return }
        for (schema, rules) in library.rules.enumerated() where rules.standsFor != nil && !standing.contains(schema) {
            throw error("x-stands-for is for a member: write it under 'properties'", at: nodes[schema])
        }
    }
}
