internal import HTTPTypes

/// A parameter with the place where an operation lists it.
struct PlacedParameter {
    let parameter: ContractParameter
    let place: YAMLNode

    /// Whether this, declared for the operation, stands for the other, declared for its path (OpenAPI 3.1 §4.8.9.1).
    func overrides(_ other: PlacedParameter) -> Bool {
        parameter.location == other.parameter.location && parameter.isNamed(other.parameter.name)
    }
}

extension ContractParameter {
    /// Header names are the same in any case (RFC 9110 §5.1).
    func isNamed(_ name: String) -> Bool {
        location == .header ? self.name.lowercased() == name.lowercased() : self.name == name
    }
}

extension ContractReader {
    func parameters(_ node: YAMLNode?) throws(ContractError) -> [PlacedParameter] {
        var placed: [PlacedParameter] = []
        for element in try elements(node) {
            let new = PlacedParameter(parameter: try parameter(element), place: element)
            if placed.contains(where: new.overrides) {
                throw error("\(new.parameter.location) parameter '\(new.parameter.name)' is declared twice", at: element)
            }
            placed.append(new)
        }
        return placed
    }

    func parameter(_ node: YAMLNode) throws(ContractError) -> ContractParameter {
        let (node, reference) = try resolved(node, section: "parameters")
        if let reference, let known = parameters[reference] { return known }
        let fields = try fields(
            node, of: "a parameter", known: ["name", "in", "required", "description", "schema", "example", "x-stands-for"])
        let name = try string(try fields.require("name"))
        let place = try fields.require("in")
        guard let location = ContractParameter.Location(rawValue: try string(place)) else {
            throw error("a parameter is in path, query or header, not in '\(try string(place))'", at: place)
        }
        if location == .header { _ = try string(try fields.require("name"), spelled: .fieldName, "header") }
        let required = try bool(fields["required"])
        guard required || location != .path else { throw error("path parameter '\(name)' needs 'required: true'", at: node) }
        let schema = try schema(try fields.require("schema"))
        let example = try fields["example"].map { node throws(ContractError) in try node.json() }
        if required, example == nil { throw error("required parameter '\(name)' needs 'example'", at: node) }
        if let example, let place = fields["example"] { try verify(example, at: place, by: schema, "example of parameter '\(name)'") }
        let standsFor = try fields["x-stands-for"].map { node throws(ContractError) in
            switch try schemas.standsFor(node) {
            case .name(let name): RequestPlace(location, name)
            case .place(let place): place
            }
        }
        let parameter = ContractParameter(
            name: name, location: location, required: required, schema: schema, example: example, standsFor: standsFor,
            place: places.place(of: node), fieldName: location == .header ? HTTPField.Name(name) : nil)
        if let reference { parameters[reference] = parameter }
        return parameter
    }
}
