public import SparringJSON

/// A command of the CLI that is one call of an operation of the admin API, declared at the operation (`x-commands`).
public struct DeclaredCommand: Sendable {
    /// An argument or option after the command's words.
    public struct Part: Sendable {
        public enum Value: Sendable, Equatable {
            /// The option says all by itself.
            case none
            /// Text, or a number where the operation takes one.
            case text
            case json
            /// `name=JSON`, one member of an object; a value that is not JSON is a string.
            case member
            /// `Name: text`, one header field.
            case field
        }

        /// `TEXT`, or `--rate`.
        public let name: String
        public let value: Value
        public let isRequired: Bool
        /// May be given several times.
        public let isRepeated: Bool

        public var isOption: Bool { name.hasPrefix("--") }
    }

    /// The usage as help shows it: `clock freeze [--at TIME]`.
    public let usage: String
    public let words: [String]
    public let parts: [Part]
    /// The parts that are the values of the operation's parameters, by the parameter's name.
    public let parameters: [String: String]
    /// The body, in which a part's name stands for what is given for it, and in an object the key `*` for its members; nil: there is none.
    public let body: JSON?
}
