internal import HTTPTypes
public import SparringJSON

/// Members and parameters that stand for others (`x-stands-for`): behaviours and faults, and the vendors' own code, keep their names.
extension ContractOperation {
    /// Whether anything in its requests has another name on the wire than in Sparring's own code.
    public var hasStandIns: Bool { !wireNames.isEmpty }

    /// The place on the wire of what the code knows at `place`: the same place, except for members and parameters with another name.
    public func onWire(_ place: RequestPlace) -> RequestPlace { wireNames.onWire(place) }

    /// The same for an answer's body.
    ///
    /// - Parameter answer: its name; nil, or one that is not declared: nothing is known of it.
    public func onWire(_ pointer: JSONPointer, ofAnswer answer: String?) -> JSONPointer {
        guard let schema = answer.flatMap({ self.answer($0) })?.schema else { return pointer }
        return schema.onWire(pointer)
    }

    /// A body that the vendor's code has made for a call of this operation, as it goes over the wire.
    public func onWire(body: JSON) -> JSON { wireNames.bodies.first?.onWire(body) ?? body }

    /// A request and its body as the vendor's code knows them.
    ///
    /// - Parameter checked: what ``check(_:)`` has said of it.
    public func canonical(_ request: RequestParts, _ checked: CheckedRequest) -> (request: RequestParts, body: JSON?) {
        canonical(request, checked.body, checked.schema)
    }

    /// A request without a body as the vendor's code knows it.
    public func canonical(_ request: RequestParts) -> RequestParts { canonical(request, nil, nil).request }

    private func canonical(_ request: RequestParts, _ body: JSON?, _ schema: Schema?) -> (request: RequestParts, body: JSON?) {
        if wireNames.isEmpty { return (request, body) }
        var (request, body) = (request, body)
        var moved: [(place: RequestPlace, value: JSON)] = []
        if let schema, let value = body {
            let canonical = schema.canonical(value)
            body = canonical.value
            moved = canonical.moved
        }
        for parameter in wireNames.parameters {
            guard let place = parameter.standsFor else { continue }
            let text = take(parameter, from: &request)
            drop(place, from: &request)
            if let text { moved.append((place, parameter.schema.value(ofText: text))) }
        }
        for (place, value) in moved { put(value, at: place, &request, &body) }
        return (request, body)
    }

    private func take(_ parameter: ContractParameter, from request: inout RequestParts) -> String? {
        switch parameter.location {
        case .path: return request.pathParameters.take(parameter.name)
        case .query:
            let text = request.query.first { $0.name == parameter.name }?.value
            request.query.removeAll { $0.name == parameter.name }
            return text
        case .header:
            guard let name = parameter.fieldName else { return nil }
            let text = request.headers[name]
            request.headers[name] = nil
            return text
        }
    }

    /// Drops what a client sends at a place that a parameter stands for: it does not have that meaning, unless the place is still declared.
    private func drop(_ place: RequestPlace, from request: inout RequestParts) {
        guard !parameters.contains(where: { place.isSame(as: RequestPlace($0.location, $0.name)) }) else { return }
        switch place {
        case .path(let name): request.pathParameters[name] = nil
        case .query(let name): request.query.removeAll { $0.name == name }
        case .header(let name): if let name = HTTPField.Name(name) { request.headers[name] = nil }
        case .body: break
        }
    }

    private func put(_ value: JSON, at place: RequestPlace, _ request: inout RequestParts, _ body: inout JSON?) {
        let text = value.string ?? value.text
        switch place {
        case .path(let name): request.pathParameters[name] = text
        case .query(let name): request.query.append((name, text))
        case .header(let name): if let name = HTTPField.Name(name) { request.headers[name] = text }
        case .body(let pointer):
            let patch = pointer.tokens.reversed().reduce(value) { inner, token in .object([token: inner]) }
            body = (body ?? [:]).merging(patch)
        }
    }
}
