internal import HTTPTypes
internal import SparringJSON

/// An answer's differences on the wire from what Sparring's code and the contract's example have (`x-rewrite`).
struct AnswerRewrite: Sendable {
    var status: Int?
    var mediaType: String?
    /// Nil in place of a value: the header is left out.
    var headers: [(name: HTTPField.Name, value: String?)] = []
    var body = BodyRewrite()
}

/// A message's differences on the wire from what Sparring's code sends (`x-rewrite`).
struct MessageRewrite: Sendable {
    var body = BodyRewrite()
    /// How often it is sent in place of once.
    var times = 1
    /// The id of a message that is sent before it, where both are sent together.
    var after: String?
}
