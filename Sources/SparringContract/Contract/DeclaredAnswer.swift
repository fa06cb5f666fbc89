public import HTTPTypes
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
    /// The changes on the wire to what Sparring's code makes (`x-rewrite`); nil: there are none.
    private let rewrite: AnswerRewrite?
    /// The same answer without it.
    private let unchanged: DeclaredAnswer?

    init(
        name: String, status: Int?, outcome: AnswerOutcome, mediaType: String?, headers: [Header], example: JSON?, schema: Schema?
    ) {
        (self.name, self.status, self.outcome) = (name, status, outcome)
        (self.mediaType, self.headers) = (mediaType, headers)
        (self.example, self.schema) = (example, schema)
        (rewrite, unchanged) = (nil, nil)
    }

    init(_ answer: DeclaredAnswer, _ rewrite: AnswerRewrite) {
        (name, outcome, schema) = (answer.name, answer.outcome, answer.schema)
        status = rewrite.status ?? answer.status
        mediaType = rewrite.mediaType ?? answer.mediaType
        headers = answer.headers
        example = answer.example.flatMap { rewrite.body.applied(to: $0) }
        (self.rewrite, unchanged) = (rewrite, answer)
    }

    /// Its content is JSON, or JSON in the call of a function.
    public var isJSON: Bool { mediaType.map { MediaTypes.isJSON(MediaTypes.essence(of: $0)) || $0 == "application/javascript" } ?? false }

    /// Whether the vendor says no; the name is then a fault's name.
    public var isUnhappy: Bool { outcome != .ok }
}

extension DeclaredAnswer {
    /// A body that the vendor's code has made, as it goes over the wire; nil: none does.
    public func onWire(_ body: JSON?) -> JSON? {
        let named = body.map { schema?.onWire($0) ?? $0 }
        guard let rewrite else { return named }
        return rewrite.body.applied(to: named)
    }

    /// Whether its body may be another one than the vendor's code has made.
    public var hasOtherBody: Bool { rewrite.map { !$0.body.edits.isEmpty } ?? false }

    /// Whatever the vendor's code has made, no body goes out.
    public var hasNoBody: Bool { rewrite?.body.removesAll ?? false }

    /// Header fields that Sparring's code sets, as they are on the wire.
    public func onWire(_ headers: HTTPFields) -> HTTPFields {
        guard let rewrite else { return headers }
        var headers = headers
        for (name, value) in rewrite.headers { headers[name] = value }
        return headers
    }

    /// Header fields that are on the wire, or are not, whatever the code sets.
    public var rewrittenHeaders: [String] { (rewrite?.headers ?? []).map(\.name.canonicalName) }

    /// Whether a vendor may give the answer with this status. What Sparring's own is changed to does not make the contract narrower.
    func allows(status other: Int) -> Bool { status == nil || status == other || unchanged?.status == other }

    func allows(mediaType other: String) -> Bool {
        [mediaType, unchanged?.mediaType].contains { $0.map { MediaTypes.essence(of: $0) == MediaTypes.essence(of: other) } ?? false }
    }

    func requires(_ header: Header) -> Bool {
        header.required && !(rewrite?.headers ?? []).contains { $0.value == nil && $0.name == HTTPField.Name(header.name) }
    }

    /// The media types of its body: without any it has none, with nil among them it need not have one.
    var mediaTypes: [String?] {
        guard let rewrite, let unchanged else { return [mediaType] }
        return [mediaType, unchanged.mediaType] + (rewrite.body.removesAll ? [nil] : [])
    }
}
