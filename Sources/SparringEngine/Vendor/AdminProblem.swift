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

    public init(_ name: String, _ detail: String, members: JSON.Object = [:], headers: HTTPFields = [:]) {
        self.name = name
        self.detail = detail
        self.members = members
        self.headers = headers
    }

    /// With the words that may have been meant in place of `unknown`.
    public init(_ name: String, _ detail: String, unknown: String, known: [String]) {
        self.init(name, detail, nearest: Nearest.words(to: unknown, in: known))
    }

    /// - Parameter nearest: words that may have been meant.
    package init(_ name: String, _ detail: String, nearest: [String]) { self.init(name, detail, members: Self.nearest(nearest)) }

    package init(_ error: ConfigurationError) { self.init([error]) }

    /// - Parameter errors: at least one.
    package init(_ errors: [ConfigurationError]) {
        let words = errors.map(\.description).joined(separator: "; ")
        self.init("configuration-invalid", words, members: Self.violations(errors))
    }

    package static func nearest(_ words: [String]) -> JSON.Object {
        words.isEmpty ? [:] : ["nearest": .array(words.map { .string($0) })]
    }

    package static func violation(_ error: ConfigurationError) -> JSON.Object { violations([error]) }

    private static func violations(_ errors: [ConfigurationError]) -> JSON.Object {
        let all = errors.map { error -> JSON in ["pointer": .string(error.pointer.description), "message": .string(error.message)] }
        return ["violations": .array(all)]
    }
}
