internal import SparringJSON

extension ContractReader {
    /// One value source or a list of them (`x-tenant`, `x-lane`). None where there is no node.
    ///
    /// - Parameter hasPayload: they may name what stands in a message, `$message.payload#/like/this` (AsyncAPI 3.0, runtime expressions).
    func sources(
        _ node: YAMLNode?, _ parameters: [PlacedParameter], hasBody: Bool, hasPayload: Bool = false
    ) throws(ContractError) -> [ValueSource] {
        guard let node else { return [] }
        func source(_ node: YAMLNode) throws(ContractError) -> ValueSource {
            try self.source(node, parameters, hasBody: hasBody, hasPayload: hasPayload)
        }
        guard case .sequence(let elements) = node.content else { return [try source(node)] }
        guard !elements.isEmpty else { throw error("must not be empty", at: node) }
        var sources: [ValueSource] = []
        for element in elements { sources.append(try source(element)) }
        return sources
    }

    /// The same for `x-tenant`, which is an id: whose an issued credential is, is a person.
    func tenantSources(_ node: YAMLNode?, _ parameters: [PlacedParameter], hasBody: Bool) throws(ContractError) -> [ValueSource] {
        let sources = try sources(node, parameters, hasBody: hasBody)
        if let node, sources.contains(where: { $0.reading == .issued }) {
            throw error("x-tenant cannot be read from an issued credential: it names a person, not a tenant", at: node)
        }
        return sources
    }

    /// Whether a list of tenant sources ends with the word `host`, and the list without it.
    func splitHost(_ node: YAMLNode?) throws(ContractError) -> (sources: YAMLNode?, host: Bool) {
        guard let node, case .sequence(let elements) = node.content, let last = elements.last, case .scalar = last.content,
            try string(last) == "host"
        else { return (node, false) }
        var sources = node
        sources.content = .sequence(Array(elements.dropLast()))
        return (sources, true)
    }

    private func source(
        _ node: YAMLNode, _ parameters: [PlacedParameter], hasBody: Bool, hasPayload: Bool
    ) throws(ContractError) -> ValueSource {
        func location(_ node: YAMLNode) throws(ContractError) -> ValueSource.Location {
            try self.location(node, parameters, hasBody: hasBody, hasPayload: hasPayload)
        }
        if case .scalar = node.content { return ValueSource(location: try location(node)) }
        let fields = try fields(node, of: "a value source", known: ["value", "claim", "issued", "basicUser"])
        let location = try location(try fields.require("value"))
        switch (fields["claim"], fields["issued"], fields["basicUser"]) {
        case (let claim?, nil, nil): return ValueSource(location: location, reading: .claim(try string(claim)))
        case (nil, let issued?, nil):
            guard try bool(issued) else { throw error("issued can only be true", at: issued) }
            return ValueSource(location: location, reading: .issued)
        case (nil, nil, let basicUser?):
            guard try bool(basicUser) else { throw error("basicUser can only be true", at: basicUser) }
            return ValueSource(location: location, reading: .basicUser)
        default: throw error("a value source has either 'claim', 'issued' or 'basicUser'", at: node)
        }
    }

    /// A runtime expression about the request (OpenAPI 3.1 §4.8.20.5) that names something declared.
    private func location(
        _ node: YAMLNode, _ parameters: [PlacedParameter], hasBody: Bool, hasPayload: Bool
    ) throws(ContractError) -> ValueSource.Location {
        let text = try string(node)
        let payload = "$message.payload#"
        if hasPayload, text.hasPrefix(payload) {
            guard let pointer = JSONPointer(String(text.dropFirst(payload.count))) else {
                throw error("'\(text)' has no JSON Pointer: $message.payload#/like/this", at: node)
            }
            return .body(pointer)
        }
        if text.hasPrefix("$request.body") {
            guard text.hasPrefix("$request.body#"), let pointer = JSONPointer(String(text.dropFirst("$request.body#".count))) else {
                throw error("'\(text)' has no JSON Pointer: $request.body#/like/this", at: node)
            }
            guard hasBody else { throw error("'\(text)' but the operation has no requestBody", at: node) }
            return .body(pointer)
        }
        for location in ContractParameter.Location.allCases where text.hasPrefix("$request.\(location).") {
            let name = String(text.dropFirst("$request.\(location).".count))
            let declared = parameters.map(\.parameter).filter { $0.location == location }
            guard declared.contains(where: { $0.isNamed(name) }) else {
                let hint = Nearest.hint(for: name, in: declared.map(\.name))
                throw error("'\(text)' is not a declared \(location) parameter\(hint)", at: node)
            }
            switch location {
            case .path: return .path(name)
            case .query: return .query(name)
            case .header: return .header(name)
            }
        }
        throw error(
            "'\(text)' is not one of $request.path.NAME, $request.query.NAME, $request.header.NAME, $request.body#/POINTER", at: node)
    }
}
