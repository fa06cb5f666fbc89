internal import SparringJSON

/// A change of a schema that would allow a value which breaks it.
enum Remedy: Sendable, Equatable {
    /// The schema has this member, of this type.
    case declare(String, type: String)
    /// The member need not be there.
    case optional(String)
    /// The type is allowed too.
    case type(String, besides: JSONTypes)
    /// The value is allowed too.
    case allow(JSON)
    /// The keyword goes.
    case drop(SchemaKeyword)

    /// The same as actions of an overlay (Overlay 1.1 §4.3).
    func actions(at schema: ContractPlace) -> [JSON] {
        switch self {
        case .declare(let name, let type):
            return [.update(schema.path, ["properties": .object([name: ["type": .string(type)]])])]
        case .optional(let name):
            return [.remove(schema.path("required") + "[?@ == \(JSONPathText.literal(name))]")]
        case .type(let type, let declared):
            let types = JSONTypes.words.filter { declared.contains($0.type) }.map { JSON.string($0.word) } + [.string(type)]
            // A text cannot be merged with a list.
            return [.remove(schema.path("type")), .update(schema.path, ["type": .array(types)])]
        case .allow(let value):
            return [.update(schema.path("enum"), value.array == nil ? value : .array([value]))]
        case .drop(let keyword):
            return [.remove(schema.path(keyword.rawValue))]
        }
    }
}
