public import SparringJSON

/// One answer that an operation may give: an example of a response with content, or a response without. Its name is what behaviours and
/// faults call it by.
public final class DeclaredAnswer: Sendable {
    public typealias Header = (name: String, required: Bool, schema: Schema, example: JSON?)

    /// Unique within the operation, `[a-z][a-z0-9-]*`.
    public let name: String
    /// Nil: a message, of a channel whose answers have none.
    public let status: Int?
    public let outcome: AnswerOutcome
    /// Nil: without content.
    public let mediaType: String?
    public let headers: [Header]
    /// The body. For `application/javascript` of an operation with `x-jsonp`: the JSON inside.
    public let example: JSON?
    public let schema: Schema?

    init(
        name: String, status: Int?, outcome: AnswerOutcome, mediaType: String?, headers: [Header], example: JSON?, schema: Schema?
    ) {
        (self.name, self.status, self.outcome) = (name, status, outcome)
        (self.mediaType, self.headers) = (mediaType, headers)
        (self.example, self.schema) = (example, schema)
    }

    /// Its content is JSON, or JSON in the call of a function.
    public var isJSON: Bool { mediaType.map { MediaTypes.isJSON(MediaTypes.essence(of: $0)) || $0 == "application/javascript" } ?? false }

    /// Whether the vendor says no; the name is then a fault's name.
    public var isUnhappy: Bool { outcome != .ok }
}
