import HTTPTypes
import SparringContract
import SparringJSON
import Support
import Testing

@testable import LivePersonVendor

/// The settings that an account may be configured with, and the defaults of one without any.
@Suite struct LivePersonSettingsTests {
    private static func schema() throws -> Schema {
        let contract = try #require(try Contract.load(directory: Repository.folder("contracts")).first { $0.vendor == "liveperson" })
        return try #require(contract.tenant)
    }

    @Test(
        arguments: [
            (["audience": 7], "/audience", "7 is not a string"),
            (["strictNumericDates": "yes"], "/strictNumericDates", "\"yes\" is not true or false"),
            (["anonymousLifetime": "10 parsecs"], "/anonymousLifetime", "\"10 parsecs\" is not a duration such as 60s, 10m or PT1H"),
            (["accountProperties": []], "/accountProperties", "[] is not an object"),
            (["issuers": [["iss": "x", "redirectURI": 7]]], "/issuers/0/redirectURI", "7 is not a string"),
            (["issuers": [["iss": "x", "redirectUri": "/"]]], "/issuers/0/redirectUri", "unknown member 'redirectUri'"),
            (["errorCodes": ["token-expired": "x"]], "/errorCodes/token-expired", "'x' is not digits, or 'mock-' and a name"),
            (["errorCodes": ["token-expird": "1"]], "/errorCodes/token-expird", "there is no such refusal (did you mean 'token-expired'?)"),
            (["services": ["idp": "a:65536"]], "/services/idp", "'a:65536' is not a host or host:port without scheme and path"),
            (["services": ["idp": 7]], "/services/idp", "7 is not a string"),
            (["connectors": [["name": "x"]]], "/connectors/0/id", "required member 'id' is missing"),
            (["connectors": [["id": true]]], "/connectors/0/id", "true is not a whole number or a string"),
            (["messaging": ["idleLimit": "999ms"]], "/messaging/idleLimit", "'999ms' is less than 1 s"),
            (["messaging": ["tokenRefusal": "closecode"]], "/messaging/tokenRefusal", "(did you mean 'closeCode'?)"),
            (["messaging": ["survey": "nps"]], "/messaging/survey", "the account's 'surveys' has no 'nps'"),
            (["campaigns": [["id": 0]]], "/campaigns/0/id", "0 is less than the minimum 1"),
            (["campaigns": [["id": 1], ["id": 1]]], "/campaigns/1/id", "1 is that of item 0 already"),
            (
                ["campaigns": [["id": 1, "engagements": [["id": 3]]], ["id": 2, "engagements": [["id": 3]]]]],
                "/campaigns/1/engagements/0/id", "3 is another engagement's already"
            ),
            (["monitoring": ["appInstallationIds": [""]]], "/monitoring/appInstallationIds/0", "'' is not 1 to 128 letters, digits"),
            (["push": ["proxy": ["timeout": "1s"]]], "/push/proxy/url", "a push proxy needs its URL"),
            (["push": ["proxy": ["url": "/p", "username": "u"]]], "/push/proxy/password", "username and password go together"),
            (
                ["push": ["proxy": ["url": "/p", "headers": ["X9": "1"]]]], "/push/proxy/headers/X9",
                "'X9' is not a name of up to 24 letters"
            ),
            (
                ["push": ["proxy": ["url": "/p", "trustedCertificates": "x"]]], "/push/proxy/trustedCertificates",
                "it cannot be used"
            ),
            (["push": ["apps": [["appId": "a", "pushType": "apns"]]]], "/push/apps/0/pushType", "'apns' is not one of 'APNS', 'FCM'"),
            (
                ["appInstallations": [["clientId": "a", "clientSecret": "s", "signature": "sha512"]]], "/appInstallations/0/signature",
                "'sha512' is not one of 'sha1', 'sha256'"
            ),
        ] as [(JSON, String, String)])
    func `what cannot be used is refused with its place and words`(_ patch: JSON, _ pointer: String, _ words: String) async throws {
        try await TestServer.run(.pipeline) { server in
            let answer = try await server.send(.patch, "/__admin/sandboxes/default/tenants/liveperson", json: patch)
            let violation = answer.json?["violations"]?.array?.first
            #expect(answer.status == 422 && violation?["pointer"] == .string(pointer), "\(answer.text)")
            #expect(violation?["message"]?.string?.contains(words) == true, "\(answer.text)")
        }
    }

    @Test func `an account that was given nothing has the constants and what is drawn for it`() async throws {
        try await TestServer.run(.pipeline) { server in
            let account = try await server.admin(.get, "tenants/liveperson")
            #expect(account["anonymousRefresh"] == "730h" && account["messaging"]?["ringExpiration"] == "72s")
            #expect(account["connectors"]?.array?.map { $0["id"] } == [770_001])
            #expect(account["campaigns"]?.array?.first?["engagements"]?.array?.first?["windowId"] == "w1")
            let agent = account["agents"]?.array?.first
            #expect(agent?["loginName"] == "agent" && agent?["password"] == "agent-secret" && agent?["userPid"]?.string?.count == 36)
            #expect(account["deepLinks"]?["apple"]?.array?.count == 1 && account["deepLinks"]?["web"] == [])
            #expect(account["tokenLifetime"] == nil && account["messaging"]?["secureFormLifetime"] == nil)
        }
    }

    @Test func `brands know the redirect URI that LivePerson sends`() throws {
        let account = try Self.schema().completed(["issuers": [["iss": "https://login.brand.example"]]])
        #expect(account["issuers"]?.array?.first?["redirectURI"]?.string == "https://liveperson.net")
    }

    @Test func `what goes on the wire stays as it was given`() throws {
        let acts: [JSON] = [
            ["act": "join"], ["act": "read"], ["act": "say", "text": "Hello"], ["act": "card", "content": ["text": "x"]],
            ["act": "file", "relativePath": "/a", "fileType": "PNG"],
        ]
        let components: JSON = [["/": "/chat/*"]]
        let account = try Self.schema().completed([
            "agents": [["userId": "1", "script": .array(acts.map { ["on": "text", "do": $0] })]],
            "deepLinks": ["apple": [["appIDs": ["TEAMID1234.a"], "components": components, "defaults": [:]]]],
            "appInstallations": [
                [
                    "clientId": "a", "clientSecret": "s",
                    "capabilities": ["webhooks": ["ms.MessagingEventNotification.ContentEvent": ["endpoint": "/hook"]]],
                ]
            ],
        ])
        let script = account["agents"]?.array?.first?["script"]?.array
        #expect(script?.map { $0["do"] } == acts)
        let apple = account["deepLinks"]?["apple"]?.array?.first
        #expect(apple?["components"] == components && apple?["defaults"] == [:])
        // With a retention time 0 would drop what fails.
        let webhooks = account["appInstallations"]?.array?.first?["capabilities"]?["webhooks"]
        #expect(webhooks == ["ms.MessagingEventNotification.ContentEvent": ["endpoint": "/hook"]])
    }

    @Test(
        arguments: [
            (["act": "close"], ["act": "close", "closedCause": "Closed by agent", "survey": true]),
            (["act": "close", "closedCause": "Solved", "survey": false], ["act": "close", "closedCause": "Solved", "survey": false]),
            (["act": "form", "title": "Card"], ["act": "form", "title": "Card", "formId": 1]),
        ] as [(JSON, JSON)])
    func `what every such act has is completed in scripts`(_ given: JSON, _ completed: JSON) throws {
        let account = try Self.schema().completed(["agents": [["userId": "1", "script": [["on": "text", "do": given]]]]])
        #expect(account["agents"]?.array?.first?["script"]?.array?.first?["do"] == completed)
    }
}
