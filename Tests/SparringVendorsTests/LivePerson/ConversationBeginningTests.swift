import HTTPTypes
import SparringJSON
import SparringSandbox
import Support
import Testing

@testable import LivePersonVendor

/// The properties that a conversation takes from the engagement that it begins at, and the journal's words about one that does not hold.
@Suite struct ConversationBeginningTests {
    private static let german: JSON = ["language": "de-DE", "skill": "sales", "survey": "nps", "entryPoints": ["sec://de"]]
    private static let campaigns = Visitor.campaigns(german, ["entryPoints": ["*"]])
    private static let tenants: JSON.Object = [
        "liveperson": ["accountId": "acme", "campaigns": campaigns, "surveys": ["nps": [["text": "How was it?"]]]],
        "identity": ["tenantId": "brand"],
    ]

    /// A visitor who was shown an engagement, and the socket of a consumer.
    private struct Shown {
        let scene: MessagingScene
        let socket: SocketClient
        var visitor: Visitor
        /// The engagement as the Monitoring API gave it out.
        var engagement: JSON

        init(_ scene: MessagingScene, at entryPoint: String = "sec://de") async throws {
            self.scene = scene
            socket = try await scene.socket("ada")
            visitor = Visitor(try await Scene(scene.server))
            let answer = try await visitor.fetch(["entryPoints": [.string(entryPoint)]])
            try visitor.take(answer)
            engagement = try #require(answer.engagement)
        }

        /// The request that a client makes of it (LivePerson reference 5.7).
        var request: JSON {
            [
                "campaignInfo": .members(["campaignId": engagement["campaignId"], "engagementId": engagement["engagementId"]]),
                "conversationContext": .members([
                    "type": "SharkContext", "visitorId": visitor.vid.map { .string($0) }, "sessionId": visitor.sid.map { .string($0) },
                    "interactionContextId": engagement["contextId"],
                ]),
            ]
        }

        /// Opens a conversation; it is open whatever was wrong.
        func open(_ request: JSON) async throws -> (conversation: Conversation, entry: JSON) {
            let answer = try await socket.request("cm.ConsumerRequestConversation", request)
            #expect(answer["code"] == 200, "\(answer.text)")
            let id = try #require(answer["body"]?["conversationId"]?.string)
            let entry = try #require(try await scene.server.journal("?operation=liveperson.requestConversation").last)
            let found = try await scene.conversation(id)
            #expect(found.state == "OPEN")
            return (found, entry)
        }

        func findings(_ request: JSON) async throws -> [String] {
            let entry = try await open(request).entry
            return (entry["findings"]?.array ?? []).compactMap { $0["words"]?.string }
        }
    }

    private static func run(_ body: (MessagingScene) async throws -> Void) async throws {
        try await MessagingScene.run(tenants: tenants, body)
    }

    // MARK: What is taken

    @Test func `skill, language and survey are the engagement's, and a sound request leaves no finding`() async throws {
        try await Self.run { scene in
            let shown = try await Shown(scene)
            let (conversation, entry) = try await shown.open(shown.request)
            #expect(conversation.skill == "sales" && conversation.language == "de-DE" && conversation.survey == "nps")
            #expect(entry["findings"] == nil, "\(entry.text)")
            #expect(entry.cause.hasSuffix("at engagement 11: skill sales, language de-DE, survey nps"), "\(entry.cause)")
            #expect(try await scene.server.journal("?kind=finding") == [])
        }
    }

    @Test func `ids may be numbers or texts, and a request without a session is taken at its word`() async throws {
        try await Self.run { scene in
            let shown = try await Shown(scene)
            let (conversation, entry) = try await shown.open(["campaignInfo": ["campaignId": "10", "engagementId": "11"]])
            #expect(conversation.skill == "sales" && entry["findings"] == nil, "\(entry.text)")
        }
    }

    @Test(arguments: [("support", "support"), ("-1", "sales"), (42, "42")] as [(JSON, String)])
    func `the client's own skillId wins, unless it is any`(_ row: (asked: JSON, skill: String)) async throws {
        try await Self.run { scene in
            let shown = try await Shown(scene)
            var request = shown.request
            request["skillId"] = row.asked
            let (conversation, entry) = try await shown.open(request)
            #expect(conversation.skill == row.skill && entry.cause.contains("skill \(row.skill),"), "\(entry.cause)")
            #expect(conversation.language == "de-DE", "the rest is the engagement's all the same")
        }
    }

    @Test func `without an engagement the skill is any and the language the client's`() async throws {
        try await Self.run { scene in
            let shown = try await Shown(scene)
            let (bare, entry) = try await shown.open([:])
            #expect(bare.skill == "-1" && bare.language == nil && bare.survey == nil && entry["findings"] == nil)
            let (french, _) = try await shown.open(["conversationContext": ["type": "MobileAppContext", "lang": "fr-FR"]])
            #expect(french.language == "fr-FR")
            let (plain, _) = try await shown.open(["campaignInfo": ["campaignId": 10, "engagementId": 12]])
            #expect(plain.skill == "-1" && plain.language == "en-US" && plain.survey == nil, "an engagement that says nothing")
        }
    }

    @Test func `it is kept over a restart`() async throws {
        try await TemporaryFolder.database { database in
            var id = ""
            try await MessagingScene.run(tenants: Self.tenants, database: database) { scene in
                let shown = try await Shown(scene)
                id = try await shown.open(shown.request).conversation.id
            }
            try await MessagingScene.run(tenants: Self.tenants, database: database) { scene in
                let kept = try await scene.conversation(id)
                #expect(kept.skill == "sales" && kept.language == "de-DE" && kept.survey == "nps")
            }
        }
    }

    // MARK: What does not hold

    @Test(
        arguments: [
            (["campaignId": 10, "engagementId": 99], "campaignInfo names engagement 99 of campaign 10, which the account does not have"),
            (["campaignId": 99, "engagementId": 11], "campaignInfo names engagement 11 of campaign 99, which the account does not have"),
            (["campaignId": "x", "engagementId": "y"], "campaignInfo names engagement y of campaign x, which the account does not have"),
            (["engagementId": 11], "campaignInfo names engagement 11 without its campaign"),
            (["campaignId": 99], "campaignInfo names campaign 99, which the account does not have"),
        ] as [(JSON, String)])
    func `an engagement that the account does not have is reported, and the conversation opened without it`(
        _ row: (info: JSON, finding: String)
    ) async throws {
        try await Self.run { scene in
            let shown = try await Shown(scene)
            let (conversation, entry) = try await shown.open(["campaignInfo": row.info, "conversationContext": ["lang": "fr-FR"]])
            #expect(entry["findings"]?.array?.first?["words"] == .string(row.finding), "\(entry.text)")
            #expect(conversation.skill == "-1" && conversation.survey == nil && conversation.language == "fr-FR")
        }
    }

    @Test func `a session that the Monitoring API does not know is reported`() async throws {
        try await Self.run { scene in
            let shown = try await Shown(scene)
            let vid = shown.visitor.vid ?? ""
            for (name, id) in [("sessionId", "other"), ("visitorId", "other")] {
                var request = shown.request
                request["conversationContext"]?[name] = .string(id)
                let findings = try await shown.findings(request)
                let whose = name == "sessionId" ? "session other of visitor \(vid)" : "session \(shown.visitor.sid ?? "") of visitor other"
                #expect(findings == ["the context names \(whose), which the Monitoring API does not know or no longer knows"])
            }
        }
    }

    @Test func `a session that has run out is reported, on the sandbox's clock`() async throws {
        try await Self.run { scene in
            let shown = try await Shown(scene)
            // Each step shorter than the socket's idle limit: the client pings on.
            for _ in 0..<29 {
                try await scene.server.admin(.post, "clock/advance", ["by": "60s"])
                #expect(try await shown.socket.isAlive())
            }
            #expect(try await shown.findings(shown.request) == [], "29 minutes after its last call")
            try await scene.server.admin(.post, "clock/advance", ["by": "60s"])
            let findings = try await shown.findings(shown.request)
            #expect(findings.count == 1 && findings[0].hasSuffix("does not know or no longer knows"), "\(findings)")
        }
    }

    @Test func `an engagement that was not given out in the session is reported`() async throws {
        try await Self.run { scene in
            let shown = try await Shown(scene, at: "sec://uk")
            #expect(shown.engagement["engagementId"] == 12)
            var request = shown.request
            request["campaignInfo"]?["engagementId"] = 11
            let whose = "session \(shown.visitor.sid ?? "") of visitor \(shown.visitor.vid ?? "")"
            #expect(try await shown.findings(request) == ["engagement 11 of campaign 10 was not given out in \(whose)"])
            #expect(try await shown.open(request).conversation.skill == "sales", "its skill and language count all the same")
        }
    }

    @Test func `a wrong interactionContextId is reported, a missing one is not`() async throws {
        try await Self.run { scene in
            let shown = try await Shown(scene)
            var request = shown.request
            request["conversationContext"]?["interactionContextId"] = "7"
            let findings = try await shown.findings(request)
            #expect(findings.count == 1 && findings[0].hasSuffix("with contextId 1, not 7"), "\(findings)")
            request["conversationContext"]?["interactionContextId"] = nil
            #expect(try await shown.findings(request) == [])
        }
    }

    @Test func `an engagement that was reconfigured since is reported, also where the session was given the new one too`() async throws {
        try await Self.run { scene in
            var shown = try await Shown(scene)
            let stale = shown.request
            var changed = Self.german
            changed["revision"] = 8
            try await scene.server.admin(.patch, "tenants/liveperson", ["campaigns": Visitor.campaigns(changed)])
            let findings = try await shown.findings(stale)
            #expect(findings.count == 1 && findings[0].hasSuffix("at revision 7; it is at 8 now"), "\(findings)")
            shown.engagement = try #require(try await shown.visitor.fetch(["entryPoints": ["sec://de"]]).engagement)
            #expect(shown.engagement["engagementRevision"] == 8 && shown.engagement["contextId"] == "2")
            #expect(try await shown.findings(shown.request) == [])
            #expect(try await shown.findings(stale) == findings, "its contextId is that of the old one")
        }
    }
}
