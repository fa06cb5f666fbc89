internal import SparringJSON

extension ContractReader {
    /// One value source or a list of them (`x-tenant`, `x-lane`). None where there is no node.
    ///
    /// - Parameters:
    ///   - body: the schemas of the request's; nil: it has none.
    ///   - payload: the schemas of a message's: sources may name what stands in one, `$message.payload#/like/this` (AsyncAPI 3.0, runtime expressions).
    func sources(
        _ node: YAMLNode?, _ parameters: [PlacedParameter], body: [Schema]?, payload: [Schema]? = nil
    ) throws(ContractError) -> [ValueSource] {
        guard let node else { return [] }
        let all = list(node)
        guard !all.isEmpty else { throw error("must not be empty", at: node) }
        return try all.map { node throws(ContractError) in try source(node, parameters, body: body, payload: payload) }
    }

    /// The same for `x-tenant`, which is an id: whose an issued credential is, is a person.
    func tenantSources(_ node: YAMLNode?, _ parameters: [PlacedParameter], body: [Schema]?) throws(ContractError) -> [ValueSource] {
        let sources = try sources(node, parameters, body: body)
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
        _ node: YAMLNode, _ parameters: [PlacedParameter], body: [Schema]?, payload: [Schema]?
    ) throws(ContractError) -> ValueSource {
        func location(_ node: YAMLNode) throws(ContractError) -> RequestPlace {
            try self.location(node, parameters, body: body, payload: payload)
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

    /// A runtime expression about the request (OpenAPI 3.1 §4.8.20.5) that names something declared, or something that a member or parameter stands for.
    private func location(
        _ node: YAMLNode, _ parameters: [PlacedParameter], body: [Schema]?, payload: [Schema]?
    ) throws(ContractError) -> RequestPlace {
        let text = try string(node)
        let names = WireNames(parameters: parameters.map(\.parameter), bodies: body ?? payload ?? [])
        let ofPayload = "$message.payload#"
        if payload != nil, text.hasPrefix(ofPayload) {
            guard let pointer = JSONPointer(String(text.dropFirst(ofPayload.count))) else {
                throw error("'\(text)' has no JSON Pointer: $message.payload#/like/this", at: node)
            }
            return names.onWire(.body(pointer))
        }
        guard let place = RequestPlace(expression: text) else {
            if text.hasPrefix("$request.body") { throw error("'\(text)' has no JSON Pointer: $request.body#/like/this", at: node) }
            throw error(
                "'\(text)' is not one of $request.path.NAME, $request.query.NAME, $request.header.NAME, $request.body#/POINTER", at: node)
        }
        let onWire = names.onWire(place)
        if onWire != place { return onWire }
        if case .body = place {
            guard body != nil else { throw error("'\(text)' but the operation has no requestBody", at: node) }
            return place
        }
        guard parameters.contains(where: { place.isSame(as: RequestPlace($0.parameter.location, $0.parameter.name)) }) else {
            let declared = parameters.map(\.parameter).filter { text.hasPrefix("$request.\($0.location).") }
            let words = text.split(separator: ".", maxSplits: 2).map(String.init)
            throw error(
                "'\(text)' is not a declared \(words[1]) parameter\(Nearest.hint(for: words[2], in: declared.map(\.name)))", at: node)
        }
        return place
    }
}
