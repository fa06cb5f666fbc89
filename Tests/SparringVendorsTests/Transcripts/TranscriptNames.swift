import Foundation

/// Names for what is issued in a transcript, so that it can be read, and written before it is known: tokens, codes, conversations and such.
struct TranscriptNames {
    private static let kinds: [(name: String, pattern: String)] = [
        ("token", #"\beyJ[\w-]+(?:\.[\w-]*){2,4}"#),
        ("code", #"[?&#]code=([^&\s"]+)"#),
        ("conversation", #""conversationId" ?: ?"([0-9a-f]{8}-[0-9a-f-]{27})""#),
        ("subscription", #""subscriptionId" ?: ?"([0-9a-f]{8}-[0-9a-f-]{27})""#),
        ("dialog", #""dialogId" ?: ?"([0-9a-f]{8}-[0-9a-f-]{27})""#),
        ("registration", #""registrationId" ?: ?"([^"]+)""#),
        ("file", #"(/v1/AUTH_async-images/[^"?]+)"#),
        ("signature", #""temp_url_sig" ?: ?"([0-9a-f]{40})""#),
        ("consumer", #""(?:consumer|originatorId|id)" ?: ?"([0-9a-f]{64})""#),
        ("visitor", #""visitorId" ?: ?"([^"]+)""#),
        ("session", #""sessionId" ?: ?"([^"]+)""#),
        ("transaction", #""accessToken" ?: ?"([^"]+)""#),
        ("access", #""(?:accessToken" ?: ?\{"token|access_token)" ?: ?"([^"]+)""#),
        ("refresh", #""refresh_token" ?: ?"([^"]+)""#),
        ("contact", #""case"\s*:\s*\{\s*"id"\s*:\s*"([^"]+)""#),
        ("user", #""appUser"\s*:\s*\{\s*"_id"\s*:\s*"([0-9a-f]{24})""#),
        ("talk", #""conversation"\s*:\s*\{\s*"_id"\s*:\s*"([0-9a-f]{24})""#),
        ("talk", #""conversations"\s*:\s*\[\s*\{\s*"_id"\s*:\s*"([0-9a-f]{24})""#),
        ("bayeux", #""clientId"\s*:\s*"([0-9a-f]{32})""#),
        ("messenger-session", #""sessionToken"\s*:\s*"([0-9a-f]{40})""#),
        ("socket", #"[?&]token=([0-9a-f]{32})"#),
        ("chat", #""sessionToken"\s*:\s*"([0-9a-f]{32})""#),
        ("interaction", #""id"\s*:\s*"([0-9a-f]{32})"\s*,\s*"state"\s*:\s*"started""#),
        ("large-event", #"(/large-events/[^"]+)"#),
    ]

    private var byName: [(name: String, value: String)] = []
    private var counts: [String: Int] = [:]

    init(host: String) { byName = [("host", host), ("host-encoded", host.replacing(":", with: "%3A"))] }

    /// Names what is new in a text of the server's.
    mutating func learn(_ text: String) {
        for (kind, pattern) in Self.kinds {
            guard let expression = try? NSRegularExpression(pattern: pattern) else { continue }
            for match in expression.matches(in: text, range: NSRange(text.startIndex..., in: text)) {
                guard let range = Range(match.range(at: match.numberOfRanges > 1 ? 1 : 0), in: text) else { continue }
                let value = String(text[range])
                guard !byName.contains(where: { $0.value == value }) else { continue }
                counts[kind, default: 0] += 1
                byName.append(("\(kind)-\(counts[kind] ?? 0)", value))
            }
        }
    }

    /// With the names in place of what they stand for.
    func name(_ text: String) -> String { byName.reduce(text) { $0.replacing($1.value, with: "{\($1.name)}") } }

    /// With what the names stand for.
    func resolve(_ text: String) -> String { byName.reduce(text) { $0.replacing("{\($1.name)}", with: $1.value) } }
}
