import SparringEngine
import SparringJSON

/// The form that clients show before the first message: a channel's member `preContactForm` (CXone reference 3.1).
struct PreContactForm: Sendable {
    var name: String
    var fields: [(isRequired: Bool, definition: FieldDefinition)]

    static let member = "preContactForm"

    /// Nil where the channel has none.
    init?(_ channel: Members) throws(ConfigurationError) {
        guard let json = channel.object[Self.member], !json.isNull else { return nil }
        let members = try Members(json, at: channel.pointer.appending(Self.member), known: ["name", "customFields"])
        name = try members.string("name") ?? "Before we start"
        fields = []
        for (index, json) in (try members.array("customFields") ?? []).enumerated() {
            let place = members.pointer.appending("customFields").appending(index)
            let field = try Members(json, at: place, known: ["isRequired", "definition"])
            guard let definition = field.object["definition"] else { throw field.error("definition", "a field of a form needs it") }
            fields.append(
                (
                    try field.bool("isRequired") ?? false,
                    try FieldDefinition(Members(definition, at: place.appending("definition"), known: FieldDefinition.members))
                ))
        }
        guard !fields.isEmpty else { throw members.error("customFields", "a form needs a field") }
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
