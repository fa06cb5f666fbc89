import HTTPTypes
import SparringJSON
import Support
import Testing

/// A client of the Monitoring API. Paths stand here as the reference has them, not as the contract does.
struct Visitor: Sendable {
    let scene: Scene
    var installation = "7c1e2b9a-5d40-4f66"
    var version: String? = "1.0"
    var vid: String?
    var sid: String?

    init(_ scene: Scene) { self.scene = scene }

    static let ada: JSON = ["acr": "loa1", "sub": "ada"]

    func fetch(_ body: JSON? = [:]) async throws -> TestAnswer { try await send(.post, "engagement", body?.bytes) }

    func report(_ body: JSON) async throws -> TestAnswer { try await send(.put, "report", body.bytes) }

    func send(_ method: HTTPRequest.Method, _ what: String, _ body: [UInt8]?, headers: HTTPFields = [:]) async throws -> TestAnswer {
        let query = [("v", version), ("vid", vid), ("sid", sid)].compactMap { name, value in value.map { "\(name)=\(Form.encoded($0))" } }
        var headers = headers
        if body != nil { headers[.contentType] = "application/json" }
        return try await scene.server.send(
            method, "/api/account/\(scene.account)/app/\(Form.encoded(installation))/\(what)?\(query.joined(separator: "&"))",
            headers: headers, body: body ?? [])
    }

    /// Goes on with the ids of an answer.
    mutating func take(_ answer: TestAnswer) throws {
        vid = try #require(answer.json?["visitorId"]?.string, "\(answer.status) \(answer.text)")
        sid = try #require(answer.json?["sessionId"]?.string)
    }

    /// Why the newest call came out as it did.
    func cause(_ operation: String = "fetchEngagement") async throws -> String {
        try #require(try await scene.entry("liveperson.\(operation)")).cause
    }

    /// An account's campaigns: one engagement, with members in place of or beside the usual ones.
    static func campaigns(_ engagements: JSON...) -> JSON {
        let all = engagements.enumerated().map { index, members -> JSON in
            var engagement: JSON = ["id": .integer(Int64(index) + 11), "revision": 7]
            for (name, value) in members.object ?? [:] { engagement[name] = value }
            return engagement
        }
        return [["id": 10, "engagements": .array(all)]]
    }
}

extension TestAnswer {
    /// The one engagement that a Monitoring answer has.
    var engagement: JSON? {
        guard let details = json?["engagementDetails"]?.array, details.count == 1 else { return nil }
        return details[0]
    }
}
