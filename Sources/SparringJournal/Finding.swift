public import SparringJSON

/// Something that went wrong in a call that may still have been answered; most often the client under test did it.
public struct Finding: Sendable, Hashable {
    /// For programs: `missing`, `leak` … It never changes, even when the words are improved.
    public var code: String
    /// Where in the message, such as `body:/id_token` or `query:appId`; nil if the finding is about no particular place.
    public var place: String?
    /// For people.
    public var words: String

    /// Of a call that fits no operation.
    public static let unplaced = "unplaced"
    /// Of a call to something that Sparring does not emulate.
    public static let notEmulated = "not-emulated"

    public init(_ code: String, at place: String? = nil, _ words: String) {
        self.code = code
        self.place = place
        self.words = words
    }

    public var json: JSON { .members(["code": .string(code), "place": place.map { .string($0) }, "words": .string(words)]) }

    /// Nil if the JSON is no finding.
    public init?(_ json: JSON) {
        guard let code = json["code"]?.string, let words = json["words"]?.string else { return nil }
        self.init(code, at: json["place"]?.string, words)
    }
}
