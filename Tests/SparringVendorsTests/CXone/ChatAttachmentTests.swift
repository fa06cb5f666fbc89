import HTTPTypes
import SparringEngine
import SparringJSON
import Support
import Testing

/// Files of messages (CXone reference 3.5).
@Suite struct ChatAttachmentTests {
    private static let path = "/chat/1.0/brand/1386/channel/chat_single/attachment"

    @Test func `a file is uploaded, named in a message and fetched`() async throws {
        try await ChatScene.run { scene in
            let answer = try await scene.server.send(
                .post, Self.path, json: ["content": "/9j/4AAQ", "fileName": "a.jpg", "mimeType": "image/jpeg"])
            let url = try #require(answer.json?["fileUrl"]?.string, "\(answer.text)")
            let base = scene.server.addresses.baseURL
            #expect(url.hasPrefix("\(base)/chat/attachments/1386/") && url.hasSuffix(".jpg"))
            let fetched = try await scene.server.send(.get, String(url.dropFirst(base.count)))
            #expect(fetched.body == [0xFF, 0xD8, 0xFF, 0xE0, 0x00, 0x10] && fetched.headers[.contentType] == "image/jpeg")
            let chatter = try await scene.chatter(.single, "ada")
            _ = try await chatter.say("", 1, ["attachments": [["url": .string(url), "friendlyName": "a.jpg", "mimeType": "image/jpeg"]]])
            let attachment = try await chatter.pushed("MessageCreated")["data"]?["message"]?["attachments"]?.array?.first
            #expect(attachment?["url"]?.string == url && attachment?["fileName"] == "a.jpg", "iOS needs fileName")
            try await scene.act("file", ["consumer": "ada", "fileName": "b.txt", "mimeType": "text/plain", "content": "aGk="])
            let sent = try await chatter.pushed("MessageCreated")["data"]?["message"]?["attachments"]?.array?.first?["url"]?.string ?? ""
            #expect(try await scene.server.send(.get, String(sent.dropFirst(base.count))).text == "hi")
        }
    }

    /// Files that the channel does not take; the refusals have its restrictions, and status 200.
    @Test(
        arguments: [
            (["fileRestrictions": ["isAttachmentsEnabled": false]], "image/png", "attachments-disabled"),
            (["fileRestrictions": ["allowedFileSize": 0]], "image/png", "file-too-large"),
            ([:], "application/zip", "file-type-refused"),
            (["fileRestrictions": ["allowedFileTypes": [["mimeType": "application/zip"]]]], "image/png", "file-type-refused"),
            ([:], "image/png; x=y", "attachment-uploaded"),
        ] as [(JSON.Object, String, String)])
    func `what the channel does not take is refused as the SDKs decode it`(_ channel: JSON.Object, _ type: String, _ name: String)
        async throws
    {
        try await ChatScene.run(channel) { scene in
            let answer = try await scene.server.send(
                .post, Self.path, json: ["content": "aGk=", "fileName": "x", "mimeType": .string(type)])
            #expect(answer.status == 200 && (answer.json?["fileUrl"] == nil) == (name != "attachment-uploaded"))
            #expect(try await scene.entry("uploadAttachment")["answer"]?["name"]?.string == name)
            let settings = try await scene.channel(.single).json?["settings"]?["fileRestrictions"]
            if name != "attachment-uploaded" { #expect(answer.json == settings) }
        }
    }

    /// The SDK for iOS takes a refusal for one of the size where its limit is less than the configuration's, and else for one of the type.
    @Test(arguments: [("file-too-large", "1", true), ("file-type-refused", "2", true), ("attachments-disabled", "2", false)])
    func `a refusal that a fault forces has the channel's own restrictions`(_ fault: String, _ size: String, _ isEnabled: Bool) async throws
    {
        let own: JSON = ["allowedFileSize": 2, "allowedFileTypes": [["mimeType": "image/png", "description": "PNG"]]]
        try await ChatScene.run(["fileRestrictions": own]) { scene in
            try await scene.arm("cxone.uploadAttachment \(fault) times=1")
            let file: JSON = ["content": "aGk=", "fileName": "x", "mimeType": "image/png"]
            let answer = try await scene.server.send(.post, Self.path, json: file)
            #expect(
                answer.json == [
                    "allowedFileSize": .string(size), "allowedFileTypes": [["mimeType": "image/png", "description": "PNG"]],
                    "isAttachmentsEnabled": .bool(isEnabled),
                ])
            #expect(try await scene.server.send(.post, Self.path, json: file).json?["fileUrl"] != nil)
        }
    }

    @Test func `what is no Base64 is refused`() async throws {
        try await ChatScene.run { scene in
            let answer = try await scene.server.send(
                .post, Self.path, json: ["content": "data:image/png;base64,aGk=", "fileName": "x", "mimeType": "image/png"])
            #expect(answer.status == 400)
        }
    }

    @Test func `the full content of a message opens to the token for its URL, and to nothing else`() async throws {
        try await ChatScene.run { scene in
            let chatter = try await scene.chatter(.single, "ada")
            _ = try await chatter.say("hello", 1)
            let id = try #require(try await chatter.pushed("MessageCreated")["data"]?["message"]?["id"]?.string)
            let url = "/chat/1.0/brand/1386/messages/\(id)"
            let token =
                try await chatter.send("GenerateAuthorizationToken", ["thread": Chatter.thread(1), "url": .string(url)])[
                    "postback"]?["data"]?["authorizationToken"]?["token"]?.string ?? ""
            let message = try await scene.server.send(.get, url, headers: [.authorization: "Bearer \(token)"])
            #expect(message.status == 200 && message.json?["messageContent"]?["payload"]?["text"] == "hello")
            #expect(try await scene.server.send(.get, url).status == 401)
            #expect(try await scene.server.send(.get, url + "0", headers: [.authorization: "Bearer \(token)"]).status == 401)
        }
    }
}
