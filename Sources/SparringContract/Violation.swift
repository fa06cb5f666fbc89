/// One way in which a message is not what the contract says.
public struct Violation: Sendable, Equatable, CustomStringConvertible {
    public enum Part: String, Sendable, CaseIterable {
        case path, query, header, contentType, body
        /// Of an answer only: another status than declared, or an answer that is not declared at all.
        case status
    }

    public var part: Part
    /// In the body a JSON Pointer (empty: all of it), elsewhere the parameter's or header's name.
    public var pointer: String
    public var message: String

    public init(part: Part, pointer: String = "", message: String) {
        self.part = part
        self.pointer = pointer
        self.message = message
    }

    public var description: String {
        switch part {
        case .body: pointer.isEmpty ? "body: \(message)" : "body at \(pointer): \(message)"
        case .path, .query: "\(part.rawValue) parameter \(pointer): \(message)"
        case .header: "header \(pointer): \(message)"
        case .contentType: "content type: \(message)"
        case .status: "status: \(message)"
        }
    }
}
