import SparringVendorKit

/// The unprompted messages of the account's controller in a conversation, by event and language: the member `systemMessages` of its
/// `messaging`. Which texts LivePerson has and when it says them is unknown: all of it is assumed.
struct SystemMessages: Decodable, Sendable {
    enum Event: String, CodingKey, CaseIterable, Sendable {
        /// The conversation was requested.
        case opened
        /// An agent has taken it.
        case assigned
        /// The main dialog is being closed: the last thing said in it.
        case closed
    }

    /// Languages in lower case.
    private var texts: [Event: [String: String]] = [:]

    private static let fallback = "en-us"

    init(from decoder: any Decoder) throws {
        let events = try decoder.container(keyedBy: Event.self)
        for event in Event.allCases {
            for (language, text) in try events.decodeIfPresent(JSON.self, forKey: event)?.object ?? [:] {
                guard texts[event, default: [:]].updateValue(text.string ?? "", forKey: language.lowercased()) == nil else {
                    let place = decoder.codingPath.map(\.stringValue) + [event.rawValue, language]
                    throw ConfigurationError(JSONPointer(tokens: place), "the language is given twice")
                }
            }
        }
    }

    var isEmpty: Bool { texts.values.allSatisfy(\.isEmpty) }

    /// In the language, else without what stands behind it, region first (RFC 4647 §3.4), else in American English, else nothing.
    func text(for event: Event, in language: String?) -> String? {
        guard let texts = texts[event] else { return nil }
        var parts = (language ?? "").lowercased().split(separator: "-")
        while !parts.isEmpty {
            if let text = texts[parts.joined(separator: "-")] { return text }
            parts.removeLast()
        }
        return texts[Self.fallback]
    }
}
