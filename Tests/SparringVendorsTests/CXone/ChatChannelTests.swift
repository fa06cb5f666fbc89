import HTTPTypes
import SparringEngine
import SparringJSON
import Support
import Testing

/// CXone's answers about channels, and its checks of visitors' input (CXone reference 3.1 to 3.4 and 3.9).
@Suite struct ChatChannelTests {
    /// The mode as clients derive it (CXone reference 3.1).
    private static func mode(_ channel: JSON?) -> String {
        if channel?["isLiveChat"] == true { return "live" }
        return channel?["settings"]?["hasMultipleThreadsPerEndUser"] == true ? "multi" : "single"
    }

    @Test(arguments: ChatScene.Mode.allCases)
    func `a channel says its mode, and both secured-session flags`(_ mode: ChatScene.Mode) async throws {
        for isSecured in [false, true] {
            try await ChatScene.run(["securedSessions": .bool(isSecured), "features": ["other": false]]) { scene in
                let channel = try await scene.channel(mode).json
                #expect(Self.mode(channel) == mode.rawValue)
                let settings = channel?["settings"]
                #expect(settings?["securedSessions"] == .bool(isSecured))
                #expect(
                    settings?["features"]
                        == ["securedSessions": .bool(isSecured), "isRecoverLivechatDoesNotFailEnabled": true, "other": false])
                #expect(settings?["fileRestrictions"]?["allowedFileSize"] == "40")
                #expect(channel?["availability"]?["status"] == "online")
            }
        }
    }

    @Test(arguments: [
        ("anonymous", false, false, false), ("oauth", true, false, true), ("securedCookie", false, true, true),
    ])
    func `a channel says how customers are signed in`(_ word: String, _ oauth: Bool, _ cookie: Bool, _ secured: Bool) async throws {
        try await ChatScene.run(["authorization": .string(word), "securedSessions": .bool(secured)]) { scene in
            let channel = try await scene.channel(.single).json
            #expect(channel?["isAuthorizationEnabled"] == .bool(oauth) && channel?["isSecuredCookieEnabled"] == .bool(cookie))
        }
    }

    @Test func `a live chat that nobody staffs is offline in both places`() async throws {
        try await ChatScene.run(["availability": "offline"]) { scene in
            let answer = try await scene.server.send(.get, "/chat/1.0/brand/1386/channel/chat_live/availability")
            #expect(answer.status == 200 && answer.json == ["status": "offline"])
            #expect(try await scene.channel(.live).json?["availability"] == ["status": "offline"])
        }
    }

    @Test func `the form before the first message names its channel`() async throws {
        let form: JSON = [
            "name": "Who are you", "customFields": [["isRequired": true, "definition": ["ident": "age", "label": "Age", "type": "text"]]],
        ]
        try await ChatScene.run(["preContactForm": form]) { scene in
            let shown = try await scene.channel(.multi).json?["preContactForm"]
            #expect(shown?["name"] == "Who are you" && shown?["channels"] == [["id": "chat_multi"]])
            #expect(shown?["customFields"]?.array?.first?["definition"]?["ident"] == "age")
        }
    }

    /// Values of a tree as `name<parentId`, with the one that is refused, and the words; nil: none is.
    @Test(
        arguments: [
            (["leaf<branch", "branch<root", "root"], nil), (["a", "b<a", "c<b", "d<a"], nil),
            (["b<nowhere", "a"], (0, "the tree has no value 'nowhere'")),
            (["a", "b<A"], (1, "the tree has no value 'A'")),
            (["a", "b<c", "c<b"], (1, "a tree has no circles")), (["a", "b<b"], (1, "a tree has no circles")),
            (["a<"], (0, "the tree has no value ''")),
        ] as [([String], (Int, String)?)])
    func `a tree whose value hangs on no root is refused, wherever it is configured`(_ values: [String], _ refused: (Int, String)?)
        async throws
    {
        let shown = values.map { text -> JSON in
            let parts = text.split(separator: "<", omittingEmptySubsequences: false).map { JSON.string(String($0)) }
            return .members(["name": parts[0], "value": parts[0], "parentId": parts.count > 1 ? parts[1] : nil])
        }
        let tree: JSON = ["ident": "t", "label": "t", "type": "tree", "values": .array(shown)]
        let brands: [(String, JSON)] = [
            ("/customFields/contact/0", ["customFields": ["contact": [tree]]]),
            ("/customFields/customer/0", ["customFields": ["customer": [tree]]]),
            (
                "/channels/0/preContactForm/customFields/0/definition",
                ["channelDefaults": ["preContactForm": ["customFields": [["definition": tree]]]]]
            ),
        ]
        try await TestServer.run(.pipeline) { server in
            for (number, (place, brand)) in brands.enumerated() {
                let answer = try await server.send(
                    .post, "/__admin/sandboxes", json: ["name": .string("x\(number)"), "tenants": ["cxone": brand]])
                guard let (index, words) = refused else {
                    #expect(answer.status == 201, "\(answer.text)")
                    continue
                }
                let violation = answer.json?["violations"]?.array?.first
                #expect(violation?["pointer"]?.string == "/tenants/cxone\(place)/values/\(index)/parentId", "\(answer.text)")
                #expect(violation?["message"]?.string?.contains(words) == true, "\(answer.text)")
            }
        }
    }

    @Test func `a channel has what all channels have, but for what it sets itself`() async throws {
        let gentle = "isRecoverLivechatDoesNotFailEnabled"
        let common: JSON.Object = [
            "mode": "live", "transcript": false, "features": [gentle: false],
            "fileRestrictions": ["allowedFileTypes": [["mimeType": "a/b"]]],
            "preContactForm": ["customFields": [["definition": ["ident": "age"]]]],
        ]
        let other: JSON = [
            "channelId": "chat_multi", "mode": "multi", "transcript": true, "features": ["other": true],
            "fileRestrictions": ["allowedFileSize": 5], "preContactForm": .null,
        ]
        try await ChatScene.run(common, brand: ["channels": [["channelId": "chat_single"], other]]) { scene in
            let plain = try await scene.channel(.single).json
            #expect(Self.mode(plain) == "live" && plain?["name"] == "chat_single")
            #expect(plain?["preContactForm"]?["name"] == "Before we start")
            #expect(plain?["settings"]?["liveChatAllowTranscript"] == false && plain?["settings"]?["features"]?[gentle] == false)
            let restrictions = plain?["settings"]?["fileRestrictions"]
            #expect(restrictions?["allowedFileSize"] == "40")
            #expect(restrictions?["allowedFileTypes"] == [["mimeType": "a/b", "description": "a/b"]])
            let own = try await scene.channel(.multi).json
            #expect(Self.mode(own) == "multi" && own?["preContactForm"] == .null)
            #expect(own?["settings"]?["liveChatAllowTranscript"] == true && own?["settings"]?["features"]?[gentle] == true)
            #expect(own?["settings"]?["fileRestrictions"]?["allowedFileSize"] == "5")
            #expect(own?["settings"]?["fileRestrictions"]?["allowedFileTypes"]?.array?.count == 5)
            try await scene.server.admin(.patch, "tenants/cxone", ["channelDefaults": ["transcript": .null, "features": .null]])
            let settings = try await scene.channel(.single).json?["settings"]
            #expect(settings?["liveChatAllowTranscript"] == true && settings?["features"]?[gentle] == true)
        }
    }

    @Test func `what is unknown is refused by its name`() async throws {
        try await ChatScene.run { scene in
            let channel = try await scene.server.send(.get, "/chat/1.0/brand/1386/channel/chat_x")
            #expect(channel.status == 404 && channel.json?["error"]?["errorCode"] == "mock-channel-unknown")
            let brand = try await scene.server.send(.get, "/chat/1.0/brand/9999/channel/chat_single")
            #expect(brand.status == 404 && brand.json?["error"]?["errorCode"] == "mock-brand-unknown")
        }
    }

    /// SDKs by platform and version, against 3.0.0 for iOS; Android says neither over HTTP.
    @Test(arguments: [
        ("ios", "3.0.0", 200), ("ios", "2.9.9", 403), ("ios", "3.10.1", 200), ("ios", "3", 200), ("ios", "3.0.0-rc.1", 200),
        ("ios", "junk", 200),
        ("web", "1.0.0", 200), (nil, nil, 200),
    ])
    func `an SDK that is too old is refused`(_ platform: String?, _ version: String?, _ status: Int) async throws {
        try await ChatScene.run(brand: ["oldestSDKs": ["ios": "3.0.0"]]) { scene in
            var headers = HTTPFields()
            headers[HTTPField.Name("x-sdk-platform")!] = platform
            headers[HTTPField.Name("x-sdk-version")!] = version
            let answer = try await scene.channel(.single, headers: headers)
            #expect(answer.status == status)
            #expect((answer.json?["error"]?["errorCode"] == "SdkVersionNotSupported") == (status == 403))
        }
    }

    @Test func `visitors and what they do are kept without a word`() async throws {
        try await ChatScene.run { scene in
            let kept = try await scene.prepare("ada", device: "d-1")
            #expect(kept.status == 200 && kept.json == [:])
            #expect(try await scene.server.admin(.get, "devices")["devices"]?.array?.first?["token"] == "d-1")
            let event: JSON = [
                "id": "f1c0a9b8-7d6e-4f5a-9c4b-3a2d1e0f9a8b", "type": "PageView", "visitId": "5e4d3c2b-1a0f-4e9d-8c7b-6a5f4e3d2c1b",
                "destination": ["id": "4d3c2b1a-0f9e-4d8c-9b7a-6f5e4d3c2b1a"], "createdAtWithMilliseconds": "2026-11-21T02:56:53.123z",
                "data": ["title": "Shoes", "url": "page://shoes"],
            ]
            let path = "/web-analytics/1.0/tenants/1386/visitors/\(ChatScene.visitor("ada"))/events"
            #expect(try await scene.server.send(.post, path, json: event).status == 200)
            #expect(try await scene.entry("reportVisitorEvent")["cause"] == "PageView of page://shoes")
            // The same visit, too late.
            try await scene.advance("32m")
            _ = try await scene.server.send(.post, path, json: event)
            #expect(try await scene.entry("reportVisitorEvent")["findings"]?.array?.first?["code"] == "visit-expired")
            var malformed = event
            malformed["data"] = ["title": "Shoes"]
            #expect(try await scene.server.send(.post, path, json: malformed).status == 400)
            #expect(
                try await scene.server.send(.post, "/logger-public?brandId=1386&program=ios-dfo-chat", json: ["message": "x"]).status == 204
            )
        }
    }

    /// A configuration that a brand cannot have, with the place and the words.
    @Test(
        arguments: [
            (["brandId": "abc"], "/brandId", "'abc' is not a brand's id: digits in quotes, such as \"1386\""),
            (["brandId": "0815"], "/brandId", "'0815' is not a brand's id"),
            (["brandIdd": "1"], "/brandIdd", "unknown member 'brandIdd' (did you mean 'brandId'?)"),
            (["historyPage": 1001], "/historyPage", "1001 is greater than the maximum 1000"),
            (["idleLimit": "11y"], "/idleLimit", "\"11y\" is not a duration such as 60s, 10m or PT1H"),
            (["clockSkew": "soon"], "/clockSkew", "\"soon\" is not a duration such as 60s, 10m or PT1H"),
            (["channels": []], "/channels", "0 items, at least 1 expected"),
            (["channels": [["mode": "live"]]], "/channels/0/channelId", "required member 'channelId' is missing"),
            (["channels": [["channelId": ""]]], "/channels/0/channelId", "'' is shorter than 1 character"),
            (["channels": [["channelId": "a"], ["channelId": "a"]]], "/channels/1/channelId", "'a' is that of item 0 already"),
            (["channels": [["channelId": "a", "mod": "live"]]], "/channels/0/mod", "unknown member 'mod' (did you mean 'mode'?)"),
            (
                ["channels": [["channelId": "a", "mode": "single-thread"]]], "/channels/0/mode",
                "'single-thread' is not one of 'single', 'multi', 'live'"
            ),
            (
                ["channelDefaults": ["availabilty": "online"]], "/channelDefaults/availabilty",
                "unknown member 'availabilty' (did you mean 'availability'?)"
            ),
            // Even where each channel has its own.
            (["channelDefaults": ["name": 7]], "/channelDefaults/name", "7 is not a string"),
            (["channelDefaults": ["transcript": "yes"]], "/channelDefaults/transcript", "\"yes\" is not true or false"),
            (
                ["channelDefaults": ["authorization": "securedCookie"]], "/channels/0/authorization",
                "a secured cookie needs secured sessions"
            ),
            (
                ["channels": [["channelId": "a", "features": ["securedSessions": true]]]], "/channels/0/features/securedSessions",
                "the channel's own member securedSessions says it"
            ),
            (["channelDefaults": ["features": ["x": "on"]]], "/channelDefaults/features/x", "\"on\" is not true or false"),
            (
                ["channelDefaults": ["fileRestrictions": ["allowedFileTypes": [["mimeType": "png"]]]]],
                "/channelDefaults/fileRestrictions/allowedFileTypes/0/mimeType", "'png' is not a media type such as image/*"
            ),
            (
                ["channelDefaults": ["preContactForm": ["name": "Form"]]], "/channelDefaults/preContactForm/customFields",
                "required member 'customFields' is missing"
            ),
            (
                ["channels": [["channelId": "a", "preContactForm": "form"]]], "/channels/0/preContactForm", "\"form\" is not an object"
            ),
            (
                ["customFields": ["contact": [["ident": "f", "type": "list"]]]], "/customFields/contact/0/values", "a list needs values"
            ),
            (
                ["channelDefaults": ["preContactForm": ["customFields": [["definition": ["ident": "f", "values": [["name": "v"]]]]]]]],
                "/channels/0/preContactForm/customFields/0/definition/values", "a field of the type text has none"
            ),
            (["oldestSDKs": ["windows": "1"]], "/oldestSDKs/windows", "unknown member 'windows'"),
            (["oldestSDKs": ["ios": "new"]], "/oldestSDKs/ios", "'new' is not a version such as 3.0.0"),
            (["oldestSDKs": ["ios": "99999999999999999999"]], "/oldestSDKs/ios", "'99999999999999999999' is not a version such as 3.0.0"),
            (
                ["channelDefaults": ["proactiveActions": [["on": "trigger", "bodyText": "x"]]]], "/channels/0/proactiveActions/0/matching",
                "which trigger is missing: its id"
            ),
            (["agents": [["id": 1], ["id": 1]]], "/agents/1/id", "1 is that of item 0 already"),
            (["agents": [["id": 1], ["id": 2, "loginUsername": "agent-1"]]], "/agents/1/loginUsername", "it is another agent's already"),
            (["agents": [["id": 2_147_483_648]]], "/agents/0/id", "2147483648 is greater than the maximum 2147483647"),
            (["agents": [["id": "1"]]], "/agents/0/id", "\"1\" is not a whole number"),
            (
                ["channelDefaults": ["proactiveActions": [["actionId": "welcome-1", "bodyText": "x"]]]],
                "/channelDefaults/proactiveActions/0/actionId", "'welcome-1' is not a UUID"
            ),
            (
                ["channelDefaults": ["proactiveActions": [["bodyText": ""]]]], "/channelDefaults/proactiveActions/0/bodyText",
                "'' is shorter than 1 character"
            ),
            (
                ["channelDefaults": ["proactiveActions": [["bodyText": "x", "handover": [["ident": "h"]]]]]],
                "/channelDefaults/proactiveActions/0/handover/0/value", "required member 'value' is missing"
            ),
            (
                [
                    "channelDefaults": [
                        "proactiveActions": [["bodyText": "x", "handover": [["ident": "h", "value": "v", "updatedAt": "now"]]]]
                    ]
                ],
                "/channelDefaults/proactiveActions/0/handover/0/updatedAt", "'now' is not a valid date-time, such as 2026-01-01T00:00:00Z"
            ),
            (
                ["agents": [["id": 1, "script": [["on": "opened", "do": ["act": "jion"]]]]]], "/agents/0/script/0/do/act",
                "'jion' is not one of 'card'"
            ),
            (
                ["agents": [["id": 1, "script": [["on": "text", "do": ["act": "say", "txt": "x"]]]]]], "/agents/0/script/0/do/txt",
                "unknown member 'txt' (did you mean 'text'?)"
            ),
            (
                ["agents": [["id": 1, "script": [["on": "opened", "do": ["act": "join", "queue": "q-2"]]]]]],
                "/agents/0/script/0/do/queue", "unknown member 'queue'"
            ),
            (
                ["agents": [["id": 1, "script": [["on": "opened", "do": ["act": "transfer"]]]]]], "/agents/0/script/0/do/agentTo",
                "to whom is missing"
            ),
            (
                ["agents": [["id": 1, "script": [["on": "text", "do": ["act": "file", "fileName": "a", "mimeType": "b/c"]]]]]],
                "/agents/0/script/0/do/url", "a file has either its 'url' or its 'content' in Base64"
            ),
        ] as [(JSON, String, String)])
    func `a configuration that cannot be is refused with its place`(_ brand: JSON, _ place: String, _ words: String) async throws {
        try await TestServer.run(.pipeline) { server in
            let answer = try await server.send(.post, "/__admin/sandboxes", json: ["name": "x", "tenants": ["cxone": brand]])
            #expect(answer.status == 422, "\(answer.text)")
            let violation = answer.json?["violations"]?.array?.first
            #expect(violation?["pointer"]?.string == "/tenants/cxone\(place)", "\(answer.text)")
            #expect(violation?["message"]?.string?.contains(words) == true, "\(answer.text)")
        }
    }
}
