import HTTPTypes
import SparringJSON
import SparringSandbox
import Support
import Testing

/// A consumer's messaging over REST, by an app that speaks for them (LivePerson reference 6.1).
@Suite struct SendTests {
    private static let account: JSON = [
        "accountId": "acme", "appInstallations": [["id": "app-1", "clientId": "bot", "clientSecret": "s3cret"]],
    ]

    private func run(_ speed: TestServer.Speed = .pipeline, _ body: (App, TestServer) async throws -> Void) async throws {
        try await TestServer.run(speed, tenants: ["liveperson": Self.account]) { server in try await body(App(server), server) }
    }

    @Test(arguments: TestServer.Speed.usual)
    func `a conversation is opened, spoken in and closed`(_ speed: TestServer.Speed) async throws {
        try await run(speed) { app, server in
            let opened = try await app.open()
            #expect(opened.status == 200)
            #expect(
                opened.json?.array?.first == ["code": "OK", "body": ["msg": "OK User Profile set successfully"], "reqId": "1"])
            let second = try #require(opened.json?.array?.last)
            let id = try #require(second["body"]?["conversationId"]?.string)
            #expect(second["code"] == "OK" && second["reqId"] == "2")
            #expect(try await app.say("Hello", in: id).json == ["code": "OK", "body": ["sequence": 0], "reqId": "1"])
            #expect(try await app.say("Anybody?", in: id).json?["body"] == ["sequence": 1])
            let closed = try await app.post(
                "/send",
                app.request(
                    "cm.UpdateConversationField",
                    [
                        "conversationId": .string(id),
                        "conversationField": [["field": "ConversationStateField", "conversationState": "CLOSE"]],
                    ]))
            #expect(closed.json?["body"] == ["msg": "OK Conversation resolved successfully"])
            let late = try await app.say("Too late", in: id)
            #expect(late.status == 400 && late.json?["body"]?["title"] == "mock-dialog-closed")
            let entries = try await server.journal("?kind=exchange&lane=ada")
            #expect(entries.contains { $0.answerName == "request-met" && $0.cause.hasPrefix("ContentEvent 0 in dialog \(id): Hello") })
            #expect(try await server.journal("?kind=finding").isEmpty)
        }
    }

    /// The requests after the first two, the status of the whole, and the number of answers.
    @Test(
        arguments: [
            ([("ms.PublishEvent", ["event": hello])], 200, 3), ([("ms.PublishEvent", ["dialogId": "", "event": hello])], 200, 3),
            ([("ms.PublishEvent", ["event": hello]), ("ms.PublishEvent", ["event": hello])], 200, 4),
            ([("ms.PublishEvent", ["dialogId": "elsewhere", "event": hello])], 400, 0),
            ([("ms.PublishEvent", ["event": ["type": "ContentEvent", "contentType": "text/plain"]])], 400, 0),
            ([("cm.ConsumerRequestConversation", ["brandId": "acme"])], 400, 0), ([("ms.Unknown", [:])], 400, 0),
        ] as [([(String, JSON)], Int, Int)])
    func `an opening may go on with what is said first`(_ more: [(type: String, body: JSON)], _ status: Int, _ count: Int) async throws {
        try await run { app, server in
            let opening = [
                app.request("userprofile.SetUserProfile", ["firstName": "Ada"]),
                app.request("cm.ConsumerRequestConversation", ["brandId": "acme"], id: "2"),
            ]
            let answer = try await app.post("", .array(opening + more.map { app.request($0.type, $0.body, id: "3") }))
            #expect(answer.status == status && (answer.json?.array?.count ?? 0) == count, "\(answer.text)")
            guard status == 200 else {
                #expect(try await server.admin(.get, "conversations")["conversations"] == [])
                return
            }
            let sequences = answer.json?.array?.dropFirst(2).map { $0["body"]?["sequence"]?.integer }
            #expect(sequences == (0..<more.count).map { Int64($0) })
        }
    }

    private static let hello: JSON = ["type": "ContentEvent", "contentType": "text/plain", "message": "Hello"]

    @Test func `D6b a file goes where the URL leads that was asked for over REST`() async throws {
        try await run { app, server in
            let wish: JSON = ["fileSize": "1000", "fileType": "PNG"]
            let upload = try await app.post("/send", app.request("ms.GenerateURLForUploadFile", wish, id: "3"))
            #expect(upload.status == 200 && upload.json?["code"] == "OK" && upload.json?["reqId"] == "3", "\(upload.text)")
            func url(_ answer: TestAnswer) throws -> String {
                let body = try #require(answer.json?["body"])
                let query = body["queryParams"]?.object?.map { "\($0.key)=\($0.value.string ?? "")" }.joined(separator: "&") ?? ""
                return "\(body["relativePath"]?.string ?? "")?\(query)"
            }
            let put = try await server.send(.put, try url(upload), body: Array(repeating: 7, count: 1000))
            #expect(put.status == 201, "\(put.text)")
            let path: JSON = ["relativePath": upload.json?["body"]?["relativePath"] ?? .null]
            let download = try await app.post("/send", app.request("ms.GenerateURLForDownloadFile", path))
            #expect(try await server.send(.get, try url(download)).status == 200)
            for (body, title) in [
                (["fileSize": "1000", "fileType": "EXE"], "mock-file-type-refused"),
                (["fileSize": "99999999", "fileType": "PNG"], "mock-file-too-large"),
            ] as [(JSON, JSON)] {
                let refused = try await app.post("/send", app.request("ms.GenerateURLForUploadFile", body))
                #expect(refused.status == 400 && refused.json?["body"]?["title"] == title, "\(refused.text)")
            }
        }
    }

    /// The survey's conversation is closed so by LivePerson's own demo app for connectors.
    @Test(
        arguments: [
            ("null", 200, ""), ("7", 200, "7"), (#""""#, 400, nil), ("{}", 400, nil), ("true", 400, nil), ("-1", 400, nil), (nil, 400, nil),
        ] as [(String?, Int, JSON?)])
    func `a request that comes alone may have null for an id, and none may lack one`(_ id: String?, _ status: Int, _ reqId: JSON?)
        async throws
    {
        try await run { app, server in
            let conversation = try #require(try await app.open().json?.array?.last?["body"]?["conversationId"])
            let dialog: JSON = ["dialogId": conversation, "state": "CLOSE"]
            var close = app.request(
                "cm.UpdateConversationField",
                ["conversationId": conversation, "conversationField": ["field": "DialogChange", "type": "UPDATE", "dialog": dialog]])
            close["id"] = try id.map { try JSON(parsing: $0) }
            let answer = try await app.post("/send", close)
            #expect(answer.status == status && answer.json?["reqId"] == reqId, "\(answer.text)")
            guard status == 200 else {
                #expect(answer.json?["body"]?["title"] == "mock-request-malformed", "\(answer.text)")
                return
            }
            #expect(answer.json?["body"] == ["msg": "OK Conversation resolved successfully"], "\(answer.text)")
            #expect(try await server.journal("?kind=finding").isEmpty)
            #expect(try await server.journal("?operation=liveperson.sendRequest").last?["findings"] == nil)
        }
    }

    @Test func `of a list of requests each needs an id, and nothing is done without`() async throws {
        try await run { app, server in
            var conversation = app.request("cm.ConsumerRequestConversation", ["brandId": "acme"])
            conversation["id"] = .null
            let answer = try await app.post("", [app.request("userprofile.SetUserProfile", [:]), conversation])
            #expect(answer.status == 400 && answer.json?["body"]?["title"] == "mock-request-malformed", "\(answer.text)")
            #expect(try await server.admin(.get, "conversations")["conversations"] == [])
        }
    }

    @Test func `another consumer's conversation is nobody's business`() async throws {
        try await run { ada, server in
            let id = try #require(try await ada.open().json?.array?.last?["body"]?["conversationId"]?.string)
            let grace = try await App(server, consumer: "grace")
            let answer = try await grace.say("Hello", in: id)
            #expect(answer.status == 400 && answer.json?["body"]?["title"] == "mock-dialog-unknown")
            #expect(try await ada.say("Mine", in: id).json?["body"] == ["sequence": 0])
        }
    }

    @Test func `what is refused opens nothing`() async throws {
        try await run { app, server in
            let profile = app.request("userprofile.SetUserProfile", [:])
            let conversation = app.request("cm.ConsumerRequestConversation", ["brandId": "acme"])
            let cases: [(String, JSON, Int, JSON?)] = [
                ("the wrong order", [conversation, profile], 400, nil), ("only the profile", [profile], 400, nil),
                ("only the conversation", [conversation], 400, nil), ("too many", [profile, conversation, conversation], 400, nil),
                ("no brand", [profile, app.request("cm.ConsumerRequestConversation", [:])], 400, 40001),
                ("another brand", [profile, app.request("cm.ConsumerRequestConversation", ["brandId": "nobody"])], 400, 40001),
                ("no list", profile, 400, nil), ("a type that is none", [profile, app.request("cm.Nonsense", [:])], 400, nil),
            ]
            for (name, body, status, code) in cases {
                let answer = try await app.post("", body)
                #expect(answer.status == status && answer.json?["body"]?["errorCode"] == code, "\(name): \(answer)")
                #expect(answer.json?["type"] == ".ReqBody$ErrorResp", "\(name): \(answer)")
            }
            let id = try #require(try await app.open().json?.array?.last?["body"]?["conversationId"]?.string)
            #expect(try await app.say("first", in: id).json?["body"] == ["sequence": 0])
            let unfit = try await app.post("/send", app.request("GetClock", [:]))
            #expect(unfit.status == 400)
        }
    }

    @Test func `each token is wanted, and in its place`() async throws {
        try await run { app, server in
            var cases: [(String, App, Int64)] = []
            var other = app
            other.appToken = ""
            cases.append(("no AppJWT", other, 40105))
            other.appToken = "x.y.z"
            cases.append(("an AppJWT that is none", other, 40102))
            other.appToken = app.consumerToken
            cases.append(("the ConsumerJWS in its place", other, 40001))
            other = app
            other.consumerToken = ""
            cases.append(("no ConsumerJWS", other, 40104))
            other.consumerToken = app.appToken
            cases.append(("the AppJWT in its place", other, 40103))
            for (name, app, code) in cases {
                let answer = try await app.open()
                #expect(answer.status == (code == 40001 ? 400 : 401), "\(name): \(answer)")
                #expect(answer.json?["body"]?["errorCode"] == .integer(code), "\(name): \(answer)")
            }
            try await server.admin(.post, "clock/advance", ["by": "1h"])
            #expect(try await app.open().json?["body"]?["errorCode"] == 40102, "an hour later the AppJWT has expired")
        }
    }
}
