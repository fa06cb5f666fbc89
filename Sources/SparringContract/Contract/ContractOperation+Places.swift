public import SparringJSON

/// What rules may look at.
extension ContractOperation {
    /// Whether the contract has a name for what a request may have there. HTTP lets anybody add a header (RFC 9110 §16.3.1), so for headers it is always true, and
    /// for the members of a body without a schema.
    public func declares(_ place: RequestPlace) -> Bool {
        switch place {
        case .header: return true
        case .path, .query:
            if onWire(place) != place { return true }
            let isConstant = if case .query(let name) = place { query[name] != nil } else { false }
            return isConstant || parameters.contains { RequestPlace($0.location, $0.name) == place }
        case .body(let pointer):
            if case .body = onWire(place) {} else { return true }
            return (requestBody?.mediaTypes ?? []).contains { media in
                media.schema.map { $0.pointer(standingFor: place) != nil || $0.declares(pointer) } ?? true
            }
        }
    }

    /// The same of the bodies of its answers.
    public func declares(inAnswer pointer: JSONPointer) -> Bool {
        answers.contains { answer in answer.mediaType != nil && (answer.schema?.declares(pointer) ?? true) }
    }

    /// All places of its requests whose names the contract gives, by the names that Sparring's own code has, such as `query:v` and `body:/id_token`.
    public var canonicalPlaces: [String] {
        let ofParameters = parameters.map { ($0.standsFor ?? RequestPlace($0.location, $0.name)).description }
        let bodies = (requestBody?.mediaTypes ?? []).compactMap(\.schema)
        return ofParameters + bodies.flatMap(\.canonicalMembers).map { "body:\($0)" } + bodies.flatMap(\.movedPlaces).map(\.description)
    }

    /// The same of its answers, such as `answer:/jwt`.
    public var canonicalAnswerPlaces: [String] { answers.compactMap(\.schema).flatMap(\.canonicalMembers).map { "answer:\($0)" } }
}

extension ContractMessage {
    public func declares(_ pointer: JSONPointer) -> Bool { schema.declares(pointer) }

    public var canonicalPlaces: [String] { schema.canonicalMembers.map { "answer:\($0)" } }
}
