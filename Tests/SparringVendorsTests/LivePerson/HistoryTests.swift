import HTTPTypes
import LivePersonVendor
import SparringJSON
import Support
import Testing

/// A consumer's past conversations: service msgHist.
@Suite struct HistoryTests {
    private static let list = "/messaging_history/api/account/acme/conversations/consumer/metadata/search"
    private static let content = "/messaging_history/api/account/acme/conversations/conversation/content/search"

    /// Opens conversations, an hour apart, and closes those where `isClosed`.
    private static func run(
        _ closed: [Bool], _ body: (MessagingScene, _ ids: [String], _ get: (String) async throws -> TestAnswer) async throws -> Void
    ) async throws {
        try await MessagingScene.run { scene in
            var ids: [String] = []
            for isClosed in closed {
                // Tokens last no longer than the hour.
                let socket = try await scene.socket("ada")
                let id = try await scene.conversation(socket)
                ids.append(id)
                if isClosed {
                    let answer = try await scene.update(id, MessagingScene.close(id), on: socket)
                    #expect(answer["code"] == 200, "\(answer.text)")
                }
                try await scene.advance("1h")
            }
            let token = try await scene.token("ada")
            try await body(scene, ids) { target in
                try await scene.server.send(.get, target, headers: [.authorization: "Bearer \(token)"])
            }
        }
    }

    private static func ids(_ answer: TestAnswer) -> [String?] {
        (answer.json?["conversationHistoryMetadataRecords"]?.array ?? []).map { $0["convId"]?.string }
    }

    @Test func `closed conversations are listed, filtered, ordered and cut into pages`() async throws {
        try await Self.run([true, true, true, false]) { scene, ids, get in
            let all = try await get(Self.list)
            #expect(all.status == 200 && Self.ids(all) == [ids[0], ids[1], ids[2]], "\(all.text)")
            #expect(all.json?["_responseMetadata"]?["count"] == 3)
            let records = try #require(all.json?["conversationHistoryMetadataRecords"]?.array)
            #expect(records.allSatisfy { $0["state"] == "CLOSE" })
            let second = try #require(records[1]["startTs"]?.text)
            let cases: [(query: String, expected: [String])] = [
                ("state=close", [ids[0], ids[1], ids[2]]), ("state=CLOSE,archive&sort=end:desc", [ids[2], ids[1], ids[0]]),
                ("sort=start:desc&limit=1", [ids[2]]), ("offset=1&limit=1", [ids[1]]), ("offset=9", []),
                ("startFrom=\(second)&startTo=\(second)", [ids[1]]), ("startFrom=0&startTo=1", []),
            ]
            for (query, expected) in cases {
                let answer = try await get("\(Self.list)?\(query)")
                #expect(Self.ids(answer) == expected, "\(query): \(answer.text)")
                let link = answer.json?["_responseMetadata"]?["self"]?["href"]?.string ?? ""
                #expect(link.hasPrefix("http") && link.contains(Self.list + "?"), "\(link)")
                let again = try await get(Self.list + "?" + (link.split(separator: "?").last ?? ""))
                #expect(Self.ids(again) == expected, "\(link)")
            }
            let found = try await scene.server.journal("?kind=exchange").flatMap { $0["findings"]?.array ?? [] }
            #expect(found.isEmpty, "\(found)")
        }
    }

    @Test func `what is older than 13 months must be asked for`() async throws {
        try await Self.run([true]) { scene, ids, _ in
            try await scene.advance("10000h")
            let token = try await scene.token("ada")
            for (query, expected) in [("", []), ("?startFrom=0&startTo=9007199254740991", [ids[0]])] {
                let answer = try await scene.server.send(.get, Self.list + query, headers: [.authorization: "Bearer \(token)"])
                #expect(Self.ids(answer) == expected, "\(answer.text)")
            }
        }
    }

    @Test func `a conversation's content is what its consumer may see`() async throws {
        try await MessagingScene.run { scene in
            let token = try await scene.token("ada")
            let socket = try await scene.socket(token: token)
            let id = try await scene.conversation(socket)
            _ = try await socket.request(
                "ms.PublishEvent",
                ["dialogId": .string(id), "event": ["type": "ContentEvent", "contentType": "text/plain", "message": "hello"]])
            let aside: JSON = ["consumer": "ada", "text": "between us", "messageAudience": "AGENTS_AND_MANAGERS"]
            let said = try await scene.server.admin(.post, "liveperson/agent/say", aside)
            #expect(said["sequence"] == 1, "\(said.text)")
            try await scene.agentSays("How can I help?", in: id)
            _ = try await socket.request(
                "ms.PublishEvent",
                ["dialogId": .string(id), "event": ["type": "AcceptStatusEvent", "status": "READ", "sequenceList": [2]]])
            let target = "\(Self.content)?conversationId=\(id)"
            let answer = try await scene.server.send(.get, target, headers: [.authorization: "Bearer \(token)"])
            let records = answer.json?["messageEventRecords"]?.array ?? []
            #expect(records.map { $0["event"]?["type"] } == ["ContentEvent", "ContentEvent", "AcceptStatusEvent"], "\(answer.text)")
            #expect(records.map { $0["sequence"] } == [0, 2, nil])
            #expect(records.compactMap { $0["event"]?["message"]?.string } == ["hello", "How can I help?"])
            #expect(records.allSatisfy { $0["serverTimestamp"]?.integer(in: 0...Int.max) != nil && $0["dialogId"] == nil })
            // A consumer cannot distinguish another's conversation from one that does not exist.
            let other = try await scene.token("grace")
            for (token, id) in [(other, id), (token, "nowhere")] {
                let refused = try await scene.server.send(
                    .get, "\(Self.content)?conversationId=\(id)", headers: [.authorization: "Bearer \(token)"])
                #expect(refused.status == 404 && refused.json?["error"] == "mock-conversation-unknown", "\(refused.text)")
            }
        }
    }

    @Test(
        arguments: [
            ("", nil, 401, "mock-token-missing"), ("", "Bearer nonsense", 401, "mock-token-invalid"),
            ("?state=open", "", 400, "mock-request-malformed"), ("?sort=start", "", 400, "mock-request-malformed"),
            ("?limit=101", "", 400, "mock-request-malformed"), ("?startFrom=5", "", 400, "mock-request-malformed"),
            ("?startTo=5", "", 400, "mock-request-malformed"), ("?startFrom=6&startTo=5", "", 400, "mock-request-malformed"),
        ] as [(String, String?, Int, String)])
    func `what does not fit is refused`(_ query: String, _ authorization: String?, _ status: Int, _ error: String) async throws {
        try await MessagingScene.run { scene in
            var headers: HTTPFields = [:]
            let token = try await scene.token("ada")
            headers[.authorization] = authorization == "" ? "Bearer \(token)" : authorization
            let answer = try await scene.server.send(.get, Self.list + query, headers: headers)
            #expect(answer.status == status && answer.json?["error"]?.string == error, "\(answer.text)")
            #expect((answer.headers[.wwwAuthenticate] != nil) == (status == 401))
            let missing = try await scene.server.send(.get, Self.content, headers: headers)
            #expect(missing.status == 400, "\(missing.text)")
        }
    }
}
