import SparringEngine
import SparringJSON
import SparringSandbox

/// What a channel offers unprompted: its member `proactiveActions` (reference 6.2).
struct ProactiveAction: Sendable {
    enum Kind: String, CaseIterable {
        case welcome = "WelcomeMessage"
        case popup = "CustomPopupBox"
    }

    /// What sets it off.
    enum Event: String, CaseIterable {
        /// The customer's threads were loaded on a new socket.
        case connected
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
    /// Of a popup: JSON as clients read it.
    var variables: JSON
    var handover: [JSON]

    static let member = "proactiveActions"
    private static let known = ["actionId", "actionName", "actionType", "on", "matching", "bodyText", "variables", "handover"]

    static func read(_ channel: Members) throws(ConfigurationError) -> [ProactiveAction] {
        var actions: [ProactiveAction] = []
        for (index, json) in (try channel.array(member) ?? []).enumerated() {
            actions.append(try ProactiveAction(json, at: channel.pointer.appending(member).appending(index), number: index))
        }
        return actions
    }

    /// - Parameter number: gives an action its id to which none was given.
    init(_ json: JSON, at pointer: JSONPointer, number: Int) throws(ConfigurationError) {
        let members = try Members(json, at: pointer, known: Self.known)
        id = try members.string("actionId") ?? Draw(seed: 0, "proactive action", String(number)).uuid
        kind = try members.word("actionType", Kind.self) ?? .welcome
        name = try members.string("actionName") ?? (kind == .welcome ? "Welcome" : "Popup")
        event = try members.word("on", Event.self) ?? .connected
        matching = try members.string("matching")
        guard let text = try members.string("bodyText"), !text.isEmpty else { throw members.error("bodyText", "an action needs its text") }
        bodyText = text
        variables = .object(try members.object("variables") ?? [:])
        handover = try members.array("handover") ?? []
        if event == .trigger, matching == nil { throw members.error("matching", "which trigger is missing: its id") }
    }

    func isSetOff(by event: Event, _ what: String? = nil) -> Bool {
        self.event == event && (matching == nil || matching == what)
    }

    /// Both `content.bodyText` and `handover` are always there: Android needs them (reference 6.2).
    var json: JSON {
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
