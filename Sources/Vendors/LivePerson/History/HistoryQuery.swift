import SparringVendorKit

/// The consumer's conversations that a request asks for (LivePerson, Consumer Messaging History API: Conversations - Metadata).
struct HistoryQuery {
    /// "Default values, in case start parameters are absent, last 13 months": as days, the longest that can be.
    static let reach = Duration.seconds(397 * 24 * 60 * 60)
    /// Conversations are archived as they close (assumed): both words select the same.
    static let states = ["close", "archive"]

    /// Milliseconds since 1970, as JSON can hold them exactly (RFC 8259 §6).
    private static let times: ClosedRange<Int64> = 0...9_007_199_254_740_991

    enum Order: String, CaseIterable {
        case startAscending = "start:asc"
        case startDescending = "start:desc"
        case endAscending = "end:asc"
        case endDescending = "end:desc"
    }

    private var offset = 0
    private var limit = 50
    /// Nil: oldest first (assumed).
    private var order: Order?
    private var started: ClosedRange<Timestamp>

    init(_ call: Call) throws(Refusal) {
        let now = call.sandbox.clock.now
        for state in (call.query("state") ?? "archive").split(separator: ",", omittingEmptySubsequences: false)
        where !Self.states.contains(state.lowercased()) {
            throw Refusal("request-malformed", "state '\(state)' is not one of \(Self.states.map { "'\($0)'" }.joined(separator: ", "))")
        }
        offset = call.query("offset")?.integer(in: 0...Int.max) ?? offset
        limit = call.query("limit")?.integer(in: 1...100) ?? limit
        order = call.query("sort").flatMap { Order(rawValue: $0.lowercased()) }
        switch (call.query("startFrom")?.integer(in: Self.times), call.query("startTo")?.integer(in: Self.times)) {
        case (nil, nil): started = now - Self.reach...now
        case (let from?, let to?):
            guard from <= to else { throw Refusal("request-malformed", "startFrom is later than startTo") }
            started = Timestamp(milliseconds: from)...Timestamp(milliseconds: to)
        case (let from, _):
            throw Refusal("request-malformed", "\(from == nil ? "startTo" : "startFrom") came alone; both must be given, or neither")
        }
    }

    /// Those that fit, in order.
    func fitting(_ conversations: [Conversation]) -> [Conversation] {
        let fitting = conversations.filter { $0.state == "CLOSE" && started.contains($0.started) }
        func ended(_ conversation: Conversation) -> Timestamp { conversation.ended ?? conversation.updated }
        return switch order {
        case nil, .startAscending: fitting
        case .startDescending: fitting.reversed()
        case .endAscending: fitting.sorted { ended($0) < ended($1) }
        case .endDescending: fitting.sorted { ended($0) > ended($1) }
        }
    }

    func page(_ conversations: [Conversation]) -> ArraySlice<Conversation> { conversations.dropFirst(offset).prefix(limit) }

    /// The same request again, as answers link to it.
    func link(_ call: Call) -> JSON {
        let query = call.request.query.map { "\(PercentCoding.encoded($0.name))=\(PercentCoding.encoded($0.value))" }
        let target = call.request.rawPath + (query.isEmpty ? "" : "?" + query.joined(separator: "&"))
        return ["rel": "self", "href": .string(call.base + target)]
    }
}
