public import HTTPTypes
public import SparringJSON

/// A problem (RFC 9457) that a call of the admin API came to.
public struct AdminProblem: Error {
    /// The name of an unhappy answer of the call's operation.
    public var name: String
    public var detail: String
    /// Beside those of RFC 9457.
    public var members: JSON.Object
    public var headers: HTTPFields

    public init(name: String, detail: String, members: JSON.Object = [:], headers: HTTPFields = [:]) {
        self.name = name
        self.detail = detail
        self.members = members
        self.headers = headers
    }

    /// With the words that may have been meant in place of `unknown`.
    public init(name: String, detail: String, unknown: String, known: [String]) {
        self.init(name: name, detail: detail, members: Self.nearest(Nearest.words(to: unknown, in: known)))
    }

    package init(_ error: ConfigurationError) {
        self.init(name: "configuration-invalid", detail: error.description, members: Self.violation(error))
    }

    package static func nearest(_ words: [String]) -> JSON.Object {
        words.isEmpty ? [:] : ["nearest": .array(words.map { .string($0) })]
    }

    package static func violation(_ error: ConfigurationError) -> JSON.Object {
        ["violations": [["pointer": .string(error.pointer.description), "message": .string(error.message)]]]
    }
}
