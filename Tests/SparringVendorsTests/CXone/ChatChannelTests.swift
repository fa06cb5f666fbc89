import HTTPTypes
import SparringEngine
import SparringJSON
import Support
import Testing

/// What CXone says of channels and takes of visitors (CXone reference 3.1 to 3.4 and 3.9).
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

    /// What cannot be a brand's configuration, with the place and the words.
    @Test(
        arguments: [
            (["brandId": "abc"], "/brandId", "a brand's id is digits in quotes"),
            (["channels": []], "/channels", "a brand needs a channel"),
            (["channels": [["channelId": "a"], ["channelId": "a"]]], "/channels/1/channelId", "'a' is another channel's already"),
            (["channels": [["channelId": "a", "mod": "live"]]], "/channels/0/mod", "unknown member 'mod' (did you mean 'mode'?)"),
            (
                ["channelDefaults": ["availabilty": "online"]], "/channelDefaults/availabilty",
                "unknown member 'availabilty' (did you mean 'availability'?)"
            ),
            (
                ["channelDefaults": ["authorization": "securedCookie"]], "/channels/0/authorization",
                "a secured cookie needs secured sessions"
            ),
            (["oldestSDKs": ["windows": "1"]], "/oldestSDKs/windows", "there is no such platform"),
            (["oldestSDKs": ["ios": "new"]], "/oldestSDKs/ios", "\"new\" is not a version such as 3.0.0"),
            (
                ["channelDefaults": ["proactiveActions": [["on": "trigger", "bodyText": "x"]]]], "/channels/0/proactiveActions/0/matching",
                "which trigger is missing: its id"
            ),
            (["agents": [["id": 1], ["id": 1]]], "/agents/1/id", "it is another agent's already"),
            (["agents": [["id": 2_147_483_648]]], "/agents/0/id", "is not a whole number from 1 to 2147483647"),
            (
                ["channelDefaults": ["proactiveActions": [["actionId": "welcome-1", "bodyText": "x"]]]],
                "/channels/0/proactiveActions/0/actionId", "'welcome-1' is no UUID"
            ),
            (
                ["channelDefaults": ["proactiveActions": [["bodyText": "x", "handover": [["ident": "h"]]]]]],
                "/channels/0/proactiveActions/0/handover/0/value", "a field needs its value"
            ),
            (
                [
                    "channelDefaults": [
                        "proactiveActions": [["bodyText": "x", "handover": [["ident": "h", "value": "v", "updatedAt": "now"]]]]
                    ]
                ],
                "/channels/0/proactiveActions/0/handover/0/updatedAt", "'now' is no time"
            ),
            (
                ["agents": [["id": 1, "script": [["on": "opened", "do": ["act": "jion"]]]]]], "/agents/0/script/0/do/act",
                "there is no act \"jion\" (did you mean 'join'?)"
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
