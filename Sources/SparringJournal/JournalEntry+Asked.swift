package import SparringJSON

extension JournalEntry {
    /// An operation of the admin API, as a change that it made is journalled with it.
    package struct Asked: Sendable {
        /// `admin.operationId`, or that of a vendor's.
        package var operation: String
        /// Its path's parameters but for the sandbox, and the members of its body.
        package var arguments: JSON
        /// The step of a timeline that asked for it; nil: a caller did.
        package var origin: Origin?

        package init(_ operation: String, _ arguments: JSON, origin: Origin? = nil) {
            (self.operation, self.arguments, self.origin) = (operation, arguments, origin)
        }
    }

    /// The member of ``details`` that names the operation; its arguments are beside it.
    package static let act = "act"

    /// Notes what was asked for, so that it can be asked for again. Not as ``operation``, which is a client's or a vendor's call.
    package mutating func note(_ asked: Asked?) {
        guard let asked else { return }
        details = asked.arguments.merging([Self.act: .string(asked.operation)])
        causedBy = asked.origin
    }
}
