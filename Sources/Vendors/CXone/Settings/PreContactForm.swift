import SparringVendorKit

/// The form that clients show before the first message: a channel's member `preContactForm` (CXone reference 3.1).
struct PreContactForm: Decodable, Sendable {
    struct Field: Decodable {
        var isRequired: Bool
        var definition: FieldDefinition
    }

    var name: String
    var fields: [Field]

    private enum CodingKeys: String, CodingKey {
        case name, fields = "customFields"
    }

    /// The required ones that are missing or empty among those that came.
    func missing(from given: [JSON]) -> [String] {
        fields.filter(\.isRequired).map(\.definition.ident).filter { ident in
            !given.contains { $0["ident"]?.string?.isSame(as: ident) == true && $0["value"]?.string?.isEmpty == false }
        }
    }

    /// Android applies it only in the channels that it names.
    func json(channel: String) -> JSON {
        [
            "name": .string(name), "channels": [["id": .string(channel)]],
            "customFields": .array(fields.map { ["isRequired": .bool($0.isRequired), "definition": $0.definition.json] }),
        ]
    }
}
