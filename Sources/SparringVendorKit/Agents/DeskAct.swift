public import SparringJSON

/// Something that an agent does: `components.schemas.Act` of the vendor's admin contract, by which it has been checked and completed.
public struct DeskAct<Kind: ActKind>: Sendable {
    public let kind: Kind
    public var json: JSON

    public init(_ kind: Kind, _ json: JSON) { (self.kind, self.json) = (kind, json) }

    /// - Throws: where the schema cannot say what is wrong with it.
    public init(_ json: JSON, at pointer: JSONPointer = .root) throws(ConfigurationError) {
        guard let kind = json["act"]?.string.flatMap(Kind.init(rawValue:)) else {
            throw ConfigurationError(pointer.appending("act"), "there is no act \(json["act"]?.text ?? "here")")
        }
        try kind.check(json, at: pointer)
        self.init(kind, json)
    }

    /// Makes an act that concerns messages concern the one that set it off, unless it says which it concerns.
    ///
    /// - Parameter sequence: its number in the conversation.
    mutating func concern(_ sequence: Int) {
        guard let member = kind.messages, json[member] == nil else { return }
        json[member] = [.integer(Int64(sequence))]
    }
}
