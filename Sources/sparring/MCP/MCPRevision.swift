import SparringJSON

/// A revision of the Model Context Protocol, and with it the form that results have.
enum MCPRevision {
    /// Agreed on by `initialize`; the client's requests do not name it.
    case agreed
    /// Named by each request (2026-07-28): there is no handshake.
    case named

    /// Those that are agreed on, the newest last. Batches, which 2025-03-26 alone has, are refused.
    static let agreeable = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"]
    static let nameable = ["2026-07-28"]

    private static let member = "io.modelcontextprotocol/protocolVersion"

    /// - Throws: for a revision that requests cannot name here.
    init(of params: JSON) throws(JSONRPCError) {
        guard let name = params["_meta"]?[Self.member] else {
            self = .agreed
            return
        }
        guard let name = name.string, Self.nameable.contains(name) else {
            throw JSONRPCError(
                .unsupportedProtocolVersion, "protocol version \(name.text) is not supported",
                data: ["requested": .string(name.string ?? name.text), "supported": .array(Self.nameable.map { .string($0) })])
        }
        self = .named
    }

    /// The revision for a client that asked for one by `initialize`: that one, or the newest that can be agreed on.
    static func agreement(on wanted: String?) -> String {
        wanted.flatMap { agreeable.contains($0) ? $0 : nil } ?? agreeable[agreeable.count - 1]
    }

    /// - Parameters:
    ///   - members: of the result, as all revisions have them.
    ///   - lasts: it stays the same as long as the program does.
    func result(_ members: JSON, lasts: Bool = false) -> JSON {
        guard self == .named else { return members }
        var result = members
        result["resultType"] = "complete"
        if lasts {
            result["ttlMs"] = 3_600_000
            result["cacheScope"] = "public"
        }
        return result
    }
}
