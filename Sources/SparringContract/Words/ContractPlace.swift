internal import SparringJSONPath

/// Where a contract says something, for a reader and for an overlay that would change it.
public struct ContractPlace: Sendable, Hashable {
    /// The contract's file, as it was named when it was read.
    public var document: String
    /// Where it stands in the document: a JSONPath of one value (RFC 9535), such as `$.components.schemas.Login`.
    public var path: String
    /// The file in which it is written: the document's, or that of an overlay that brought it.
    public var file: String
    /// From 1.
    public var line: Int

    /// A member of the value.
    func path(_ name: String) -> String { path + JSONPathText.member(name) }
}
