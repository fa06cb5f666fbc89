import SparringContract
import SparringEngine
import SparringJSON
import Support
import Testing

@testable import LivePersonVendor

/// A client's properties: in the query of its socket, in a header or in InitConnection (LivePerson reference 5.5; LivePerson, Messaging Window API:
/// API reference overview).
@Suite struct ClientPropertiesTests {
    private static let tenants: JSON.Object = [
        "liveperson": ["accountId": "acme", "surveys": ["nps": [["text": "Would you come again?"]]], "messaging": ["survey": "nps"]],
        "identity": ["tenantId": "brand"],
    ]

    private func socket(_ query: String, _ headers: [(String, String)], _ scene: MessagingScene) async throws -> SocketClient {
        try await SocketClient(port: scene.server.addresses.port, target: MessagingScene.target + query, headers: headers)
    }

    private func signedIn(_ scene: MessagingScene) async throws -> (String, String) {
        let token = try await scene.token("ada")
        return ("Authorization", "jwt \(token)")
    }

    /// The properties as an agent hears of them with a message on the socket.
    private func announced(on consumer: SocketClient, _ scene: MessagingScene) async throws -> JSON? {
        let id = try await scene.conversation(consumer)
        let agent = try await Agent("agent", scene)
        #expect(try await agent.change(id, [MessagingScene.joining])["code"] == 200)
        #expect(try await scene.say("hello", in: id, on: consumer)["code"] == 200)
        let heard = try await agent.heard()
        #expect(heard["originatorMetadata"]?["clientProperties"] == heard["originatorClientProperties"], "\(heard.text)")
        return heard["originatorClientProperties"]
    }

    static let queries: [(query: String, properties: JSON?, hasSurvey: Bool)] = [
        (
            "&appId=com.brand.app&os=IOS&features=RICH_CONTENT,MULTI_DIALOG",
            ["appId": "com.brand.app", "os": "IOS", "features": ["RICH_CONTENT", "MULTI_DIALOG"], "type": ".ClientProperties"], true
        ),
        ("&features=MULTI_DIALOG", ["features": ["MULTI_DIALOG"], "type": ".ClientProperties"], true),
        (
            "&features=RICH_CONTENT&deviceFamily=MOBILE&features=MULTI_DIALOG",
            ["deviceFamily": "MOBILE", "features": ["RICH_CONTENT", "MULTI_DIALOG"], "type": ".ClientProperties"], true
        ),
        // Words and lengths are no more judged than in the header.
        (
            "&os=Mozilla%2F5.0%20%28iPhone%29&osVersion=17&appVersion=\(String(repeating: "4", count: 43))",
            [
                "os": "Mozilla/5.0 (iPhone)", "osVersion": "17", "appVersion": .string(String(repeating: "4", count: 43)),
                "type": ".ClientProperties",
            ], false
        ),
        ("&os=&features=", nil, false), ("", nil, false),
    ]

    @Test(arguments: queries.indices)
    func `those of the query are heard by agents, and let a survey follow`(_ row: Int) async throws {
        let (query, properties, hasSurvey) = Self.queries[row]
        try await MessagingScene.run(tenants: Self.tenants) { scene in
            let consumer = try await socket(query, [try await signedIn(scene)], scene)
            #expect(try await announced(on: consumer, scene) == properties)
            let id = try await scene.conversation(consumer)
            #expect(try await scene.update(id, MessagingScene.close(id), on: consumer)["code"] == 200)
            #expect(try await scene.conversation(id).dialogs.count == (hasSurvey ? 2 : 1))
            let findings = try await scene.server.journal("?operation=liveperson.openConsumerSocket").compactMap { $0["findings"] }
            #expect(findings == [])
        }
    }

    @Test func `the header's count before the query's, and InitConnection's before both`() async throws {
        try await MessagingScene.run(tenants: Self.tenants) { scene in
            let header = ("Client-Properties", #"{"type":".ClientProperties","os":"ANDROID"}"#)
            let authorization = try await signedIn(scene)
            let byHeader = try await socket("&os=IOS&appId=a", [authorization, header], scene)
            #expect(try await announced(on: byHeader, scene) == ["type": ".ClientProperties", "os": "ANDROID"])
            let broken = try await socket("&os=IOS", [authorization, ("Client-Properties", "not json")], scene)
            #expect(try await announced(on: broken, scene) == ["os": "IOS", "type": ".ClientProperties"])
            let jwt: JSON = .string(try await scene.token("ada"))
            let signIn: JSON = ["type": ".ams.headers.ConsumerAuthentication", "jwt": jwt]
            let own: JSON = ["type": ".ams.headers.ClientProperties", "os": "OTHER"]
            for (sent, heard) in [([signIn], ["os": "IOS", "type": ".ClientProperties"]), ([own, signIn], own)] as [([JSON], JSON)] {
                let byMessage = try await socket("&os=IOS", [], scene)
                #expect(try await byMessage.request("InitConnection", members: ["headers": .array(sent)])["code"] == 200)
                #expect(try await announced(on: byMessage, scene) == heard)
            }
        }
    }

    @Test func `a parameter that is no property stays a finding, and nobody hears of it`() async throws {
        try await MessagingScene.run(tenants: Self.tenants) { scene in
            let consumer = try await socket("&os=IOS&servce=x", [try await signedIn(scene)], scene)
            #expect(try await announced(on: consumer, scene) == ["os": "IOS", "type": ".ClientProperties"])
            let findings = try await scene.server.journal("?operation=liveperson.openConsumerSocket").flatMap {
                $0["findings"]?.array ?? []
            }
            #expect(findings.count == 1 && findings.first?.text.contains("servce") == true, "\(findings)")
        }
    }

    @Test(arguments: ["openConsumerSocket", "openConsumerSocketByToken"])
    func `the contract has the parameters that are read`(_ opener: String) throws {
        let operation = try #require(ContractExamples.operations.first { $0.id == opener })
        let names = operation.parameters.filter { $0.location == .query && operation.query[$0.name] == nil }.map(\.name)
        #expect(names == LivePerson.propertyNames)
    }
}
