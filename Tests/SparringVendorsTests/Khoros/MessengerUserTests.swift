import Foundation
import HTTPTypes
import SparringEngine
import SparringJSON
import Support
import Testing

/// Configuration, users and their clients at Khoros.
@Suite struct MessengerUserTests {
    @Test func `the configuration is an integration's, and never names the host localhost`() async throws {
        try await MessengerScene.run(["status": "inactive", "retryPolicy": ["regular": 1]]) { scene async throws in
            let config = try await scene.config(MessengerScene.integrations["android"] ?? "").json?["config"]
            #expect(config?["app"]?["_id"] == .string(MessengerScene.app) && config?["app"]?["status"] == "inactive")
            #expect(config?["restRetryPolicy"]?["intervals"]?["regular"] == 1 && config?["restRetryPolicy"]?["maxRetries"] == 5)
            let base = config?["baseUrl"]?["ios"]?.string ?? ""
            #expect(base.hasSuffix("/") && !base.contains("localhost"), "\(base)")
            #expect(try await scene.config(MessengerScene.app).refusalWords == "404 not_found")
            #expect(try await scene.entry("readConfig")["cause"]?.string?.contains("is the app's id, not an integration's") == true)
            #expect(try await scene.config("nobody").status == 404)
        }
    }

    @Test func `an anonymous user has a session, which ends when they log in with what they said`() async throws {
        try await MessengerScene.run { scene async throws in
            let client = MessengerScene.client("android")
            let body: JSON = [
                "client": client, "intent": "conversation:start", "givenName": "Visitor",
                "conversation": ["type": "personal", "messages": [["text": "anybody?", "role": "appUser", "type": "text"]]],
            ]
            let made = try await scene.call(.post, "/appusers", body)
            #expect(made.status == 201, "\(made.text)")
            let id = made.json?["appUser"]?["_id"]?.string ?? ""
            let token = made.json?["sessionToken"]?.string ?? ""
            let basic = "Basic " + Data64.encode("\(id):\(token)")
            #expect(try await scene.call(.get, "/appusers/\(id)", by: basic).json?["appUser"]?["credentialRequired"] == false)

            let ann = try await scene.member("ann")
            let theirs = try await ann.begin("mine")
            let jwt = try await scene.jwt("ann")
            let merged = try await scene.logIn("ann", jwt, client, more: ["appUserId": .string(id), "sessionToken": .string(token)])
            let conversations = merged.json?["conversations"]?.array ?? []
            #expect(conversations.count == 2 && conversations.count { $0["isDefault"] == true } == 1, "\(merged.text)")
            #expect(conversations.contains { $0["_id"]?.string == theirs })
            #expect(try await scene.call(.get, "/appusers/\(id)", by: basic).refusalWords == "401 unauthorized")
            let wrong = try await scene.logIn("ann", jwt, client, more: ["appUserId": .string(id), "sessionToken": "x"])
            #expect(wrong.status == 401)
        }
    }

    @Test func `a user reaches their own data only`() async throws {
        try await MessengerScene.run { scene async throws in
            let (ann, bea) = (try await scene.member("ann"), try await scene.member("bea", MessengerScene.client("android")))
            let conversation = try await bea.begin("mine")
            #expect(try await ann.call(.get, "/appusers/\(bea.id)").refusalWords == "403 forbidden")
            #expect(try await ann.say("hi", in: conversation).refusalWords == "403 forbidden")
            #expect(try await ann.call(.get, "/appusers/5f0c0e1a2b3c4d5e6f7081ff").refusalWords == "404 not_found")
            #expect(try await ann.say("hi", in: "5f0c0e1a2b3c4d5e6f7081ff").refusalWords == "404 not_found")
            #expect(
                try await bea.call(.put, "/appusers/\(bea.id)", ["email": "bea@example.com", "properties": ["plan": "gold"]]).status == 200)
            #expect(try await bea.read().json?["appUser"]?["properties"] == ["plan": "gold"])
            #expect(try await ann.call(.put, "/appusers/\(ann.id)", ["email": "bea@example.com"]).refusalWords == "409 conflict")
            // Nobody is made by what is refused.
            let body: JSON = ["client": MessengerScene.client("web"), "email": "bea@example.com"]
            #expect(try await scene.call(.post, "/appusers", body).refusalWords == "409 conflict")
            #expect(try await scene.server.admin(.get, "consumers")["consumers"]?.array?.count == 2)
        }
    }

    @Test func `pushes reach the devices on which a user is logged in, until the logout or another token`() async throws {
        try await MessengerScene.run { scene async throws in
            let phone = try await scene.member("ann", MessengerScene.client("ios", token: "d-ios"))
            let tablet = try await scene.member("ann", MessengerScene.client("android", token: "d-android"))
            let conversation = try await phone.begin("hello")
            func say(_ text: String) async throws -> JSON { try await scene.act("say", ["consumer": "ann", "text": .string(text)]) }
            func shown(_ device: String) async throws -> [JSON] {
                try await scene.server.admin(.get, "devices/\(device)/notifications")["notifications"]?.array ?? []
            }
            #expect(try await say("one")["delivery"] == "push")
            let ios = try await shown("d-ios").last?["payload"]
            #expect(ios?["aps"]?["badge"] == 1 && ios?["SmoochNotification"] != nil && ios?["conversationId"] == .string(conversation))
            let android = try await shown("d-android").last?["payload"]?["data"]
            let message = try JSON(parsing: android?["message"]?.string ?? "")
            #expect(android?["smoochNotification"] == "true" && message["text"] == "one" && message["role"] == "appMaker")

            #expect(try await phone.call(.put, "/appusers/\(phone.id)/clients/ios-1", ["pushNotificationToken": "d-new"]).status == 200)
            #expect(try await tablet.call(.post, "/appusers/\(tablet.id)/logout", ["client": ["id": "android-1"]]).status == 200)
            #expect(try await say("two")["done"]?.array?.count == 2)
            #expect(try await shown("d-ios").count == 1)
            #expect(try await shown("d-android").count == 1)
            #expect(try await shown("d-new").last?["badge"] == 2)
            let unknown = try await phone.call(.put, "/appusers/\(phone.id)/clients/x", ["pushNotificationToken": "d"])
            #expect(unknown.refusalWords == "404 not_found")
        }
    }

    @Test func `who logs in where another user was not logged out leaves a finding, and the pushes of both`() async throws {
        try await MessengerScene.run { scene async throws in
            let device = MessengerScene.client("ios", token: "d-1")
            let ann = try await scene.member("ann", device)
            _ = try await ann.begin("hello")
            _ = try await scene.member("bea", device)
            #expect(try await scene.entry("logIn")["findings"]?.array?.first?["code"] == "client-of-another")
            #expect(try await scene.act("say", ["consumer": "ann", "text": "for ann"])["delivery"] == "push")
            let listed = try await scene.server.admin(.get, "devices")["devices"]?.array?.first
            #expect(listed?["registrations"]?.array?.count == 2, "\(listed?.text ?? "")")
        }
    }

    @Test func `an auth code is redeemed once, in time`() async throws {
        try await MessengerScene.run { scene async throws in
            _ = try await scene.member("ann")
            func redeem(_ code: JSON?) async throws -> TestAnswer {
                try await scene.call(.post, "/appusers/authcode", ["authCode": code ?? "", "client": MessengerScene.client("android")])
            }
            let code = try await scene.act("issueAuthCode", ["consumer": "ann"])["code"]
            let redeemed = try await redeem(code)
            let id = redeemed.json?["appUser"]?["_id"]?.string ?? ""
            let basic = "Basic " + Data64.encode("\(id):\(redeemed.json?["appUser"]?["sessionToken"]?.string ?? "")")
            #expect(try await scene.call(.get, "/appusers/\(id)", by: basic).json?["appUser"]?["userId"] == "ann")
            for (given, name) in [(code, "code-reused"), ("x", "code-unknown")] as [(JSON?, String)] {
                #expect(try await redeem(given).refusalWords == "401 unauthorized")
                #expect(try await scene.entry("redeemAuthCode")["answer"]?["name"]?.string == name)
            }
            let late = try await scene.act("issueAuthCode", ["consumer": "ann", "lifetime": "10s"])["code"]
            try await scene.advance("10s")
            #expect(try await redeem(late).status == 401)
            #expect(try await scene.entry("redeemAuthCode")["answer"]?["name"] == "code-expired")
            // A session is for whom the brand does not know.
            let made = try await scene.call(.post, "/appusers", ["client": MessengerScene.client("web")])
            let upgraded = try await scene.call(.post, "/appusers/upgrade", ["clientId": "web-1"])
            #expect(upgraded.json?["appUser"]?["_id"] == made.json?["appUser"]?["_id"])
            for id in ["android-1", "x"] as [JSON] {
                #expect(try await scene.call(.post, "/appusers/upgrade", ["clientId": id]).status == 404)
            }
        }
    }

    @Test func `an integration leads to one app only, also after it has been changed`() async throws {
        try await MessengerScene.run { scene async throws in
            func make(_ integration: String) async throws -> TestAnswer {
                let app: JSON = ["appId": "other", "integrations": [["id": .string(integration), "platform": "ios"]]]
                return try await scene.server.send(.post, "/__admin/sandboxes", json: ["name": "other", "tenants": ["khoros": app]])
            }
            let ios = MessengerScene.integrations["ios"] ?? ""
            #expect(try await make(ios).status == 409)
            #expect(try await make("fresh").status == 201)
            #expect(try await scene.config("fresh").json?["config"]?["app"]?["_id"] == "other")
            let taken: JSON = ["integrations": [["id": .string(ios), "platform": "ios"]]]
            #expect(try await scene.server.send(.patch, "/__admin/sandboxes/other/tenants/khoros", json: taken).status == 409)
            let moved: JSON = ["integrations": [["id": "newer", "platform": "ios"]]]
            #expect(try await scene.server.send(.patch, "/__admin/sandboxes/other/tenants/khoros", json: moved).status == 200)
            #expect(try await scene.config("newer").status == 200)
            #expect(try await scene.config("fresh").status == 404)
            #expect(try await scene.server.send(.delete, "/__admin/sandboxes/other").status == 204)
            #expect(try await scene.config("newer").status == 404)
        }
    }
}

/// The padded alphabet of RFC 4648 §4.
enum Data64 {
    static func encode(_ text: String) -> String { Data(text.utf8).base64EncodedString() }
}
