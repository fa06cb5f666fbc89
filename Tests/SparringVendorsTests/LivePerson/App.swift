import HTTPTypes
import SparringJSON
import Support
import Testing

/// An app with its AppJWT, and a consumer with a ConsumerJWS.
struct App {
    let server: TestServer
    var appToken = ""
    var consumerToken = ""
    var path = "/api/account/acme/messaging/consumer/conversation"

    init(_ server: TestServer, consumer: String = "ada") async throws {
        self.server = server
        let issued = try await server.send(
            "/sentinel/api/account/acme/app/token?v=1.0&grant_type=client_credentials",
            form: ["client_id": "bot", "client_secret": "s3cret"])
        appToken = try #require(issued.json?["access_token"]?.string, "\(issued)")
        let created = try await server.send(
            .post, "/api/account/acme/consumer?v=1.0", headers: [.authorization: appToken],
            json: ["ext_consumer_id": .string(consumer)])
        consumerToken = try #require(created.json?["token"]?.string, "\(created)")
    }

    func post(_ rest: String = "", _ body: JSON) async throws -> TestAnswer {
        var headers: HTTPFields = [:]
        if !appToken.isEmpty { headers[.authorization] = appToken }
        if !consumerToken.isEmpty { headers[.init("X-LP-ON-BEHALF")!] = consumerToken }
        return try await server.send(.post, "\(path)\(rest)?v=3", headers: headers, json: body)
    }

    func request(_ type: String, _ body: JSON, id: String = "1") -> JSON {
        ["kind": "req", "id": .string(id), "type": .string(type), "body": body]
    }

    func open() async throws -> TestAnswer {
        try await post(
            "",
            [
                request("userprofile.SetUserProfile", ["firstName": "Ada"]),
                request("cm.ConsumerRequestConversation", ["brandId": "acme", "skillId": "12"], id: "2"),
            ])
    }

    func say(_ text: String, in dialog: String) async throws -> TestAnswer {
        try await post(
            "/send",
            request(
                "ms.PublishEvent",
                [
                    "dialogId": .string(dialog),
                    "event": ["type": "ContentEvent", "contentType": "text/plain", "message": .string(text)],
                ]))
    }
}
