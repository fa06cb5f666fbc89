import SparringEngine
import SparringJSON

/// What the account's controller says unprompted in a conversation, by event and language: the member `systemMessages` of the account's
/// `messaging`. Which texts LivePerson has and when it says them is unknown: all of it is assumed.
struct SystemMessages: Sendable {
    enum Event: String, CaseIterable, Sendable {
        /// The conversation was requested.
        case opened
        /// An agent has taken it.
        case assigned
        /// The main dialog is being closed: the last thing said in it.
        case closed
    }

    /// Languages in lower case.
    private var texts: [Event: [String: String]] = [:]

    static let member = "systemMessages"
    private static let fallback = "en-us"

    init(_ messaging: Members) throws(ConfigurationError) {
        let pointer = messaging.pointer.appending(Self.member)
        let events = try Members(.object(try messaging.object(Self.member) ?? [:]), at: pointer, known: Event.allCases.map(\.rawValue))
        for event in Event.allCases {
            for (language, json) in try events.object(event.rawValue) ?? [:] {
                let place = pointer.appending(event.rawValue).appending(language)
                guard Self.isLanguage(language) else {
                    throw ConfigurationError(place, "'\(language)' is no language such as 'de', 'de-DE' or 'en-US'")
                }
                guard let text = json.string, !text.isEmpty else { throw ConfigurationError(place, "\(json.text) is not a text") }
                guard texts[event, default: [:]].updateValue(text, forKey: language.lowercased()) == nil else {
                    throw ConfigurationError(place, "the language is given twice")
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

    /// The form of RFC 5646 §2.1, as far as it matters here.
    private static func isLanguage(_ text: String) -> Bool {
        let parts = text.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
        return parts.allSatisfy { part in
            (1...8).contains(part.count) && part.allSatisfy { 0x30...0x39 ~= $0 || 0x41...0x5A ~= $0 || 0x61...0x7A ~= $0 }
        } && parts.first.map { $0.count >= 2 } == true
    }
}
