internal import HTTPTypes
public import SparringJSON

/// A parameter of an operation (OpenAPI 3.1 §4.8.12).
public final class ContractParameter: Sendable {
    public enum Location: String, Sendable, CaseIterable {
        case path, query, header
    }

    public let name: String
    public let location: Location
    public let required: Bool
    public let schema: Schema
    /// A value that a test can send; every required parameter has one.
    public let example: JSON?
    /// The place by which Sparring's own code knows it, if that has another name or is another part of the request (`x-stands-for`).
    let standsFor: RequestPlace?
    /// The place of the declaration.
    public let place: ContractPlace
    /// The name as a header's name, nil where it is none.
    let fieldName: HTTPField.Name?

    init(
        name: String, location: Location, required: Bool, schema: Schema, example: JSON?, standsFor: RequestPlace?, place: ContractPlace,
        fieldName: HTTPField.Name?
    ) {
        (self.name, self.location, self.required) = (name, location, required)
        (self.schema, self.example, self.standsFor) = (schema, example, standsFor)
        (self.place, self.fieldName) = (place, fieldName)
    }
}

extension RequestPlace {
    init(_ location: ContractParameter.Location, _ name: String) {
        switch location {
        case .path: self = .path(name)
        case .query: self = .query(name)
        case .header: self = .header(name)
        }
    }
}
