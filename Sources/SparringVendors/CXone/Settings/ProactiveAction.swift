import SparringEngine
import SparringJSON
import SparringJournal
import SparringSandbox

/// What a channel offers unprompted: its member `proactiveActions` (CXone reference 6.2).
struct ProactiveAction: Sendable {
    enum Kind: String, CaseIterable {
        case welcome = "WelcomeMessage"
        case popup = "CustomPopupBox"
    }

    /// What sets it off.
    enum Event: String, CaseIterable {
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
    /// Of a popup: JSON as clients read it.
    var variables: JSON
    /// Custom fields, as they were configured.
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
        guard id.wholeMatch(of: /[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}/) != nil else {
            // EventProactiveAction.kt:71
            throw members.error("actionId", "'\(id.abbreviated(to: 100))' is no UUID, and the SDK for Android reads nothing else")
        }
        kind = try members.word("actionType", Kind.self) ?? .welcome
        name = try members.string("actionName") ?? (kind == .welcome ? "Welcome" : "Popup")
        event = try members.word("on", Event.self) ?? (kind == .welcome ? .chatWindowOpened : .connected)
        matching = try members.string("matching")
        guard let text = try members.string("bodyText"), !text.isEmpty else { throw members.error("bodyText", "an action needs its text") }
        bodyText = text
        variables = .object(try members.object("variables") ?? [:])
        handover = []
        for (index, json) in (try members.array("handover") ?? []).enumerated() {
            handover.append(try Self.field(json, at: members.pointer.appending("handover").appending(index)))
        }
        if event == .trigger, matching == nil { throw members.error("matching", "which trigger is missing: its id") }
    }

    func isSetOff(by event: Event, _ what: String? = nil) -> Bool {
        self.event == event && (matching == nil || matching == what)
    }

    /// A custom field that is handed over.
    private static func field(_ json: JSON, at pointer: JSONPointer) throws(ConfigurationError) -> JSON {
        let members = try Members(json, at: pointer, known: ["ident", "value", "updatedAt"])
        guard let ident = try members.string("ident"), !ident.isEmpty else { throw members.error("ident", "a field needs its ident") }
        guard let value = try members.string("value") else { throw members.error("value", "a field needs its value, a text") }
        if let objection = CustomFieldSettings.objection(toValue: value, of: ident) { throw members.error("value", objection) }
        if let time = try members.string("updatedAt"), Timestamp(time) == nil {
            throw members.error("updatedAt", "'\(time.abbreviated(to: 100))' is no time such as 2026-01-31T12:00:00Z")
        }
        return json
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
