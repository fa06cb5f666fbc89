import SparringVendorKit

/// The form of a push that was agreed with a company (ASAPP reference 2.4): JSON in which placeholders such as `{{deviceToken}}` stand for values.
struct PushTemplate: Sendable {
    enum Value: String, CaseIterable {
        case authToken, deviceToken, title, body, unreadMessages, isLiveChat, clickAction, messageId

        var placeholder: String { "{{\(rawValue)}}" }
    }

    private let body: JSON
    /// The places where values stand alone, by value.
    let places: [Value: JSONPointer]

    private init(_ body: JSON, at pointer: JSONPointer) throws(ConfigurationError) {
        var places: [Value: JSONPointer] = [:]
        try Self.look(body, at: .root, in: pointer, &places)
        guard places[.deviceToken] != nil else {
            throw ConfigurationError(pointer, "no member is '\(Value.deviceToken.placeholder)': the endpoint could not tell the device")
        }
        (self.body, self.places) = (body, places)
    }

    private static func look(
        _ json: JSON, at place: JSONPointer, in pointer: JSONPointer, _ places: inout [Value: JSONPointer]
    ) throws(ConfigurationError) {
        if let object = json.object {
            for (name, member) in object { try look(member, at: place.appending(name), in: pointer, &places) }
        } else if let array = json.array {
            for (index, member) in array.enumerated() { try look(member, at: place.appending(index), in: pointer, &places) }
        } else if let text = json.string {
            if let value = Value.allCases.first(where: { $0.placeholder == text }) { return places[value] = places[value] ?? place }
            try check(text, at: JSONPointer(tokens: pointer.tokens + place.tokens))
        }
    }

    /// Checks that a text has known placeholders only.
    static func check(_ text: String, at pointer: JSONPointer) throws(ConfigurationError) {
        // Building an expression takes longer than all the rest.
        guard text.contains("{{") else { return }
        for word in text.matches(of: #/\{\{(\w+)\}\}/#).map({ String($0.1) }) where Value(rawValue: word) == nil {
            throw ConfigurationError(
                pointer, "there is no placeholder '{{\(word)}}'" + Nearest.hint(for: word, in: Value.allCases.map(\.rawValue)))
        }
    }

    /// The body of a push. A placeholder that stands alone becomes the value as it is, one within a text the value's text.
    func filled(_ values: [Value: JSON]) -> JSON { Self.fill(body, values) }

    private static func fill(_ json: JSON, _ values: [Value: JSON]) -> JSON {
        if let object = json.object { return .object(object.mapValues { fill($0, values) }) }
        if let array = json.array { return .array(array.map { fill($0, values) }) }
        guard let text = json.string else { return json }
        if let value = Value.allCases.first(where: { $0.placeholder == text }) { return values[value] ?? .null }
        return .string(substituted(text, values))
    }

    /// With the values in place of their placeholders. What a value says is not looked at again: a user may have written it.
    static func substituted(_ text: String, _ values: [Value: JSON]) -> String {
        guard text.contains("{{") else { return text }
        return text.replacing(#/\{\{(\w+)\}\}/#) { match in
            Value(rawValue: String(match.1)).flatMap { values[$0] }.map { $0.string ?? $0.text } ?? ""
        }
    }

    /// A value in a body; nil where it stands alone nowhere in the template, or is missing.
    func value(_ value: Value, in body: JSON) -> JSON? { places[value].flatMap { body[$0] } }

    /// A value's place, for people.
    func place(_ value: Value) -> String { places[value]?.description ?? value.placeholder }

    /// A difference between a body and the template, in words; nil where there is none. The values are not looked at.
    func breach(in body: JSON) -> String? { Self.breach(self.body, body, at: .root) }

    private static func breach(_ template: JSON, _ body: JSON?, at place: JSONPointer) -> String? {
        guard let body else { return "\(place) is missing" }
        if let object = template.object {
            guard body.object != nil else { return "\(place.description.isEmpty ? "the body" : place.description) is not an object" }
            for (name, member) in object {
                if let breach = breach(member, body[name], at: place.appending(name)) { return breach }
            }
        } else if let array = template.array {
            guard let elements = body.array, elements.count == array.count else { return "\(place) is not an array of \(array.count)" }
            for (index, element) in array.enumerated() {
                if let breach = breach(element, elements[index], at: place.appending(index)) { return breach }
            }
        } else if body.object != nil || body.array != nil {
            return "\(place) is \(body.typeName)"
        }
        return nil
    }

    /// `documented`, which a company has if nothing else was agreed: the example on ASAPP's page, with what the app looks for.
    private static let documented: JSON = [
        "authToken": "{{authToken}}", "deviceToken": "{{deviceToken}}",
        "payload": [
            "aps": ["alert": ["title": "{{title}}", "body": "{{body}}"], "badge": "{{unreadMessages}}"],
            "UnreadMessages": "{{unreadMessages}}", "isLiveChat": "{{isLiveChat}}", "click_action": "{{clickAction}}",
        ], "messageId": "{{messageId}}",
    ]
}

extension PushTemplate: Decodable {
    /// A text is the name of the documented one.
    init(from decoder: any Decoder) throws {
        let given = try JSON(from: decoder)
        try self.init(given.string == nil ? given : Self.documented, at: JSONPointer(tokens: decoder.codingPath.map(\.stringValue)))
    }
}
