import SparringVendorKit

/// An unprompted offer of a channel: an element of its member `proactiveActions` (CXone reference 6.2).
struct ProactiveAction: Sendable {
    enum Kind: String, Decodable {
        case welcome = "WelcomeMessage"
        case popup = "CustomPopupBox"
    }

    /// An event that sets an action off.
    enum Event: String, Decodable {
        /// The customer was signed in on a new socket, and has no thread in the channel.
        case connected
        /// The visitor reported ChatWindowOpened.
        case chatWindowOpened
        /// A page view of a visitor whose socket is open.
        case pageView
        /// ExecuteTrigger.
        case trigger
        /// Only a test does.
        case act
    }

    var id: String
    var name: String
    var kind: Kind
    var event: Event
    /// The trigger's id; a page's URL must be the same where it is given.
    var matching: String?
    var bodyText: String
    /// The variables of a popup: JSON as clients read it.
    var variables: JSON
    /// Custom fields, as they were configured.
    var handover: [JSON]

    /// The id of an action to which none was given.
    static func id(_ number: Int) -> String { Draw(seed: 0, "proactive action", String(number)).uuid }

    func isSetOff(by event: Event, _ what: String? = nil) -> Bool {
        self.event == event && (matching == nil || matching == what)
    }

    /// Both `content.bodyText` and `handover` are always there: Android needs them (CXone reference 6.2).
    ///
    /// - Parameter handover: its fields, complete.
    func json(handover: [JSON]) -> JSON {
        var content: JSON = ["bodyText": .string(bodyText)]
        if kind == .popup {
            content["mimeType"] = "application/json"
            content["variables"] = variables
        }
        return [
            "action": [
                "actionId": .string(id), "actionName": .string(name), "actionType": .string(kind.rawValue),
                "data": ["content": content, "handover": ["customFields": .array(handover)]],
            ], "conditions": [],
        ]
    }
}

extension ProactiveAction: Decodable {
    private enum CodingKeys: String, CodingKey {
        case id = "actionId", name = "actionName", kind = "actionType", event = "on", matching, bodyText, variables, handover
    }

    /// Reads an action: the members that were not given depend on the kind, and the id on the place in the list.
    init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        id = try members.decodeIfPresent(String.self, forKey: .id) ?? Self.id(decoder.codingPath.last?.intValue ?? 0)
        kind = try members.decode(Kind.self, forKey: .kind)
        name = try members.decodeIfPresent(String.self, forKey: .name) ?? (kind == .welcome ? "Welcome" : "Popup")
        event = try members.decodeIfPresent(Event.self, forKey: .event) ?? (kind == .welcome ? .chatWindowOpened : .connected)
        matching = try members.decodeIfPresent(String.self, forKey: .matching)
        bodyText = try members.decode(String.self, forKey: .bodyText)
        variables = try members.decode(JSON.self, forKey: .variables)
        handover = try members.decode([JSON].self, forKey: .handover)
    }
}
