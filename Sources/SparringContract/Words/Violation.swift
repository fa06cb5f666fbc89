public import SparringJSON

/// One way in which a message is not what the contract says.
public struct Violation: Sendable, Equatable, CustomStringConvertible {
    public enum Part: String, Sendable, CaseIterable {
        case path, query, header, contentType, body
        /// The status, of an answer only: another one than declared, or an answer that is not declared at all.
        case status
    }

    /// The kind of mistake, for programs.
    public enum Kind: String, Sendable, CaseIterable {
        /// A required member, parameter, header or body is missing.
        case missing
        /// The schema has no such member, and allows none.
        case unknown
        /// The contract has no such member or parameter, and lets it through.
        case undeclared
        /// The wrong type, such as a string for a number.
        case type
        /// Not one of the allowed values.
        case value
        case format, pattern
        /// A string that is too short or too long.
        case length
        /// A number that is too small or too great.
        case range
        /// Too few or too many items or members.
        case count
        /// Two items of a set are equal, or a parameter came twice.
        case repeated
        /// Fits none of `anyOf`, not exactly one of `oneOf`, or what `not` excludes.
        case alternative
        /// Something was sent where nothing is expected.
        case unexpected
        /// The body cannot be parsed as its media type.
        case syntax
        case mediaType = "media-type"
        /// Only for answers: the wrong status, or an answer that is not declared.
        case status
    }

    public var part: Part
    public var kind: Kind
    /// In the body a JSON Pointer (empty: all of it), elsewhere the parameter's or header's name.
    public var pointer = ""
    /// ``pointer`` with `*` in the place of items' numbers and of names that are the sender's: the same for all that are wrong alike.
    public var member: String { starred ?? pointer }
    /// ``member`` where it may be another.
    var starred: String?
    public var message: String
    /// The place in the contract of what was violated; nil: nowhere in particular.
    public var basis: ContractPlace?
    /// The actions of an overlay that would allow it (Overlay 1.1); none where no small change would.
    public var actions: [JSON] = []

    /// Part and pointer: `body:/iss`, `query:appId`.
    public var place: String { place(pointer) }
    /// The same with ``member``.
    public var memberPlace: String { place(member) }

    private func place(_ pointer: String) -> String {
        switch part {
        case .path, .query, .header: "\(part.rawValue):\(pointer)"
        case .body: "body:\(pointer)"
        case .contentType: "header:Content-Type"
        case .status: "status"
        }
    }

    public var description: String {
        switch part {
        case .body: "\(JSONPointer(pointer)?.words(in: "body") ?? "body"): \(message)"
        case .path, .query: "\(part.rawValue) parameter \(pointer): \(message)"
        case .header: "header \(pointer): \(message)"
        case .contentType: "content type: \(message)"
        case .status: "status: \(message)"
        }
    }
}
