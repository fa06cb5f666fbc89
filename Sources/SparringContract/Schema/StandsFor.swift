/// The meaning of a member to Sparring's own code, where it has another name on the wire (`x-stands-for`).
enum StandsFor: Sendable, Hashable {
    /// The member of that name in the same object.
    case name(String)
    /// Another part of the request.
    case place(RequestPlace)

    var name: String? { if case .name(let name) = self { name } else { nil } }
}
