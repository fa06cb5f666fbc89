public import SparringJSON

/// Something that somebody did wrong though it may have been answered: most often the client under test.
public struct Finding: Sendable, Hashable {
    /// For programs, which may select by it: `missing`, `leak` … It stays as it is when the words are improved.
    public var code: String
    /// Where in the message, such as `body:/id_token` or `query:appId`; nil where that is no question.
    public var place: String?
    /// For people.
    public var words: String

    public init(_ code: String, at place: String? = nil, _ words: String) {
        self.code = code
        self.place = place
        self.words = words
    }

    public var json: JSON { .members(["code": .string(code), "place": place.map { .string($0) }, "words": .string(words)]) }

    /// Nil where it is none.
    public init?(_ json: JSON) {
        guard let code = json["code"]?.string, let words = json["words"]?.string else { return nil }
        self.init(code, at: json["place"]?.string, words)
    }
}
