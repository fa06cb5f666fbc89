public import SparringJSON

/// The places that rules may look at.
extension ContractOperation {
    /// Whether the contract has a name for what a request may have there. HTTP lets anybody add a header (RFC 9110 §16.3.1): of headers nothing can be said, so true.
    public func declares(_ place: RequestPlace) -> Bool {
        if wireNames.onWire(place) != place { return true }
        switch place {
        case .header: return true
        case .path: return parameters.contains { RequestPlace($0.location, $0.name) == place }
        case .query(let name): return query[name] != nil || parameters.contains { RequestPlace($0.location, $0.name) == place }
        case .body(let pointer):
            // What has no schema at all may have anything.
            return (requestBody?.mediaTypes ?? []).contains {
                $0.schema?.declares(pointer) ?? !MediaTypes.isBinary(MediaTypes.essence(of: $0.type))
            }
        }
    }

    /// Whether the contract has a name for what its answers may have there in their bodies.
    public func declares(inAnswer pointer: JSONPointer) -> Bool {
        answers.contains { $0.mediaType.map(MediaTypes.isJSON) == true && ($0.schema?.declares(pointer) ?? true) }
    }

    /// Whether it takes bodies of which the contract names no member.
    public var leavesBodyOpen: Bool {
        (requestBody?.mediaTypes ?? []).contains { $0.schema?.isSilent ?? !MediaTypes.isBinary(MediaTypes.essence(of: $0.type)) }
    }

    /// Whether it gives answers of which the contract names no member.
    public var leavesAnswerOpen: Bool { answers.contains { $0.mediaType != nil && ($0.schema?.isSilent ?? true) } }

    private var bodies: [Schema] { (requestBody?.mediaTypes ?? []).compactMap(\.schema) }

    /// All places of its requests whose names the contract gives, by the names that Sparring's own code has, such as `query:v` and `body:/id_token`.
    public var canonicalPlaces: [String] {
        let ofParameters = parameters.map { ($0.standsFor ?? RequestPlace($0.location, $0.name)).description }
        return ofParameters + bodies.flatMap(\.canonicalMembers).map { "body:\($0)" } + bodies.flatMap(\.movedPlaces).map(\.description)
    }

    /// All such places of its answers, for example `answer:/jwt`.
    public var canonicalAnswerPlaces: [String] { answers.compactMap(\.schema).flatMap(\.canonicalMembers).map { "answer:\($0)" } }
}

extension ContractMessage {
    public func declares(_ pointer: JSONPointer) -> Bool { schema.declares(pointer) }

    public var canonicalPlaces: [String] { schema.canonicalMembers.map { "answer:\($0)" } }
}
