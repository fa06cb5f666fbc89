public import SparringJSON

/// The body that an operation takes (OpenAPI 3.1 §4.8.13).
public struct ContractRequestBody: Sendable {
    public typealias MediaType = (type: String, schema: Schema?, examples: [(name: String, value: JSON)])

    public let required: Bool
    /// In the contract's order; of a `*/*`, which takes anything, nothing is read into a value. A lone `example` is named "example".
    public let mediaTypes: [MediaType]
    /// How many of its bytes are read (`x-read-limit`); nil: what the server reads of any body.
    public let readLimit: Int?
    /// It is never read into a value, whatever its type: a file.
    public var takesAnyBytes: Bool { mediaTypes.allSatisfy { MediaTypes.isBinary(MediaTypes.essence(of: $0.type)) } }
    /// The place of the declaration.
    public let place: ContractPlace
}
