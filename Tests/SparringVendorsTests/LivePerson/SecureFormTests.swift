import HTTPTypes
import SparringJSON
import Support
import Testing

/// Secure forms: an agent's invitation, keys for the page of the form, the consumer's submission, and a key for what was typed.
@Suite struct SecureFormTests {
    /// Ada in a conversation, in which she may be sent a form.
    private struct FormScene {
        let scene: MessagingScene
        let ada: SocketClient
        let dialog: String

        /// - Parameter messaging: the account's member of that name.
        static func run(_ messaging: JSON? = nil, _ body: (FormScene) async throws -> Void) async throws {
            var tenants = MessagingScene.tenants
            if let messaging { tenants["liveperson"]?["messaging"] = messaging }
            try await MessagingScene.run(tenants: tenants) { scene in
                let ada = try await scene.socket("ada")
                try await body(FormScene(scene: scene, ada: ada, dialog: try await scene.conversation(ada)))
            }
        }

        /// - Returns: the event as Ada hears it, and the id of the form.
        func invite(_ members: JSON = ["title": "Card details"]) async throws -> (event: JSON, id: String) {
            try await scene.act("form", members)
            let event = try #require(try await scene.heard(ada)["event"])
            return (event, try #require(event["message"]?["invitationId"]?.string, "\(event.text)"))
        }

        func keys(_ invitation: String, _ dialog: String? = nil, on socket: SocketClient? = nil) async throws -> JSON {
            try await (socket ?? ada).request(
                "ms.GenerateUploadToken",
                [
                    "uploadable": [
                        "type": "SecureForm", "formId": "1", "invitationId": .string(invitation),
                        "dialogId": .string(dialog ?? self.dialog),
                    ]
                ])
        }

        func submit(_ invitation: String, as submission: String = "s-1", _ dialog: String? = nil, on socket: SocketClient? = nil)
            async throws -> JSON
        {
            let message: JSON = ["submissionId": .string(submission), "invitationId": .string(invitation)]
            let event: JSON = ["type": "ContentEvent", "contentType": "forms/secure-submission", "message": message]
            return try await (socket ?? ada).request("ms.PublishEvent", ["dialogId": .string(dialog ?? self.dialog), "event": event])
        }

        func read(_ invitation: String, as submission: String = "s-1", _ dialog: String? = nil, by agent: SocketClient) async throws -> JSON
        {
            try await agent.request(
                ".ams.ms.token.GenerateDownloadToken",
                [
                    "downloadable": [
                        "type": "SecureForm", "dialogId": .string(dialog ?? self.dialog), "submissionId": .string(submission),
                        "invitationId": .string(invitation),
                    ]
                ])
        }
    }

    private static func words(_ reply: JSON) -> String {
        "\(reply["code"]?.text ?? "") \(reply["body"]?.string ?? reply["body"]?.text ?? "")"
    }

    @Test func `a form is sent, filled in and read, and none of what was typed goes through the conversation`() async throws {
        try await FormScene.run { forms in
            let (event, form) = try await forms.invite(["title": "Card details", "formId": 1_550_964_770])
            #expect(event["type"] == "ContentEvent" && event["contentType"] == "forms/secure-invitation")
            #expect(event["message"] == ["formId": 1_550_964_770, "invitationId": .string(form), "title": "Card details"])
            #expect(form.contains("-1550964770-") && form.hasSuffix("-1"), "the vendor's form: \(form)")

            let keys = try await forms.keys(form)
            #expect(keys["code"] == 200 && keys["type"] == "ms.UploadTokenResponse", "\(keys.text)")
            let token = try #require(keys["body"]?["token"])
            #expect(token["readOtk"] != nil && token["writeOtk"] != nil && token["readOtk"] != token["writeOtk"])
            #expect(try await forms.keys(form)["body"]?["token"]?["writeOtk"] != token["writeOtk"], "each request gets new keys")

            let submitted = try await forms.submit(form)
            #expect(submitted["code"] == 200 && submitted["body"] == ["sequence": 1], "\(submitted.text)")
            #expect(try await forms.scene.heard(forms.ada)["event"]?["message"]?["submissionId"] == "s-1")

            let agent = try await forms.scene.agentSocket(bearer: try await forms.scene.bearer())
            let told = try await agent.request(".ams.ms.QueryMessages", ["dialogId": .string(forms.dialog), "newerThanSequence": 0])
            let types = (told["body"]?.array ?? []).compactMap { $0["event"]?["contentType"]?.string }
            #expect(types == ["forms/secure-invitation", "forms/secure-submission"], "\(told.text)")
            let key = try await forms.read(form, by: agent)
            #expect(key["code"] == 200 && key["body"]?["token"]?["type"] == "SecureFormReadToken", "\(key.text)")
            let viewed = try await agent.request(
                ".ams.ms.PublishEvent",
                ["dialogId": .string(forms.dialog), "event": ["type": "AcceptStatusEvent", "status": "VIEWED", "sequenceList": [1]]])
            #expect(viewed["code"] == 200, "\(viewed.text)")
            #expect(try await forms.scene.server.journal("?kind=finding") == [])
            #expect(try await forms.scene.server.journal("?kind=message").allSatisfy { $0["findings"] == nil })
        }
    }

    @Test func `an agent's own client sends one with an id of its own`() async throws {
        try await FormScene.run { forms in
            let agent = try await forms.scene.agentSocket(bearer: try await forms.scene.bearer())
            let message: JSON = ["formId": "813633132", "invitationId": "mine-1", "title": "sample"]
            let event: JSON = ["type": "ContentEvent", "contentType": "forms/secure-invitation", "message": message]
            let body: JSON = ["dialogId": .string(forms.dialog), "event": event]
            let outside = try await agent.request(".ams.ms.PublishEvent", body)
            #expect(outside["code"] == 400, "who takes no part sends nothing: \(outside.text)")
            #expect(Self.words(try await forms.keys("mine-1")) == "404 mock-form-unknown", "it was not published")
            try await forms.scene.act("join")
            #expect(try await agent.request(".ams.ms.PublishEvent", body)["code"] == 200)
            #expect(try await forms.scene.heard(forms.ada)["event"] == event)
            #expect(try await forms.keys("mine-1")["code"] == 200)
        }
    }

    // MARK: Refusals

    @Test func `a form is submitted once, and another one after it`() async throws {
        try await FormScene.run { forms in
            let (_, first) = try await forms.invite()
            #expect(try await forms.submit(first)["code"] == 200)
            _ = try await forms.scene.heard(forms.ada)
            #expect(Self.words(try await forms.submit(first, as: "s-2")) == "400 mock-form-submitted")
            #expect(Self.words(try await forms.keys(first)) == "400 mock-form-submitted")
            let cause = try await forms.scene.server.journal("?operation=liveperson.publishSecureSubmission").last?["cause"]?.string
            #expect(cause?.hasSuffix("was submitted with event 1") == true, "\(cause ?? "")")
            let (_, second) = try await forms.invite()
            #expect(second != first && second.hasSuffix("-2"), "\(second)")
            #expect(try await forms.submit(second, as: "s-2")["body"] == ["sequence": 3])
        }
    }

    @Test func `a form expires where the account says when, and not otherwise`() async throws {
        for lifetime in ["10m", nil] as [JSON?] {
            try await FormScene.run(.members(["idleLimit": "1h", "secureFormLifetime": lifetime])) { forms in
                let (_, form) = try await forms.invite()
                try await forms.scene.advance("599s")
                #expect(try await forms.keys(form)["code"] == 200)
                try await forms.scene.advance("1s")
                let (keys, submitted) = (try await forms.keys(form), try await forms.submit(form))
                let expected = lifetime == nil ? "200" : "400 mock-form-expired"
                #expect(Self.words(keys).hasPrefix(expected) && Self.words(submitted).hasPrefix(expected), "\(keys.text) \(submitted.text)")
            }
        }
    }

    @Test func `what is nobody's form, or somebody else's, is refused`() async throws {
        try await FormScene.run { forms in
            let (_, form) = try await forms.invite()
            #expect(Self.words(try await forms.keys("nothing")) == "404 mock-form-unknown")
            #expect(Self.words(try await forms.submit("nothing")) == "404 mock-form-unknown")
            #expect(Self.words(try await forms.keys(form, "elsewhere")).hasSuffix("mock-dialog-unknown"))
            let grace = try await forms.scene.socket("grace")
            let other = try await forms.scene.conversation(grace)
            #expect(Self.words(try await forms.submit(form, other, on: grace)) == "404 mock-form-unknown", "a form belongs to its dialog")
            #expect(Self.words(try await forms.submit(form, on: grace)).hasSuffix("mock-dialog-unknown"))
            // What only agents see is no form of the consumer's.
            try await forms.scene.act("form", ["title": "Draft", "invitationId": "draft", "messageAudience": "AGENTS_AND_MANAGERS"])
            #expect(Self.words(try await forms.submit("draft")) == "404 mock-form-unknown")
            #expect(try await forms.submit(form)["code"] == 200)
        }
    }

    @Test func `an agent reads only what was submitted under that id`() async throws {
        try await FormScene.run { forms in
            let agent = try await forms.scene.agentSocket(bearer: try await forms.scene.bearer())
            let (_, form) = try await forms.invite()
            func cause() async throws -> String {
                try await forms.scene.server.journal("?operation=liveperson.agentGenerateDownloadToken").last?["cause"]?.string ?? ""
            }
            #expect(Self.words(try await forms.read(form, by: agent)) == "404 mock-submission-unknown")
            #expect(try await cause().contains("was submitted yet"))
            #expect(try await forms.submit(form)["code"] == 200)
            #expect(Self.words(try await forms.read(form, as: "s-2", by: agent)) == "404 mock-submission-unknown")
            #expect(try await cause().contains("was submitted as 's-2'"))
            #expect(Self.words(try await forms.read("nothing", by: agent)) == "404 mock-submission-unknown")
            #expect(Self.words(try await forms.read(form, as: "s-1", "elsewhere", by: agent)).hasSuffix("mock-dialog-unknown"))
            #expect(try await forms.read(form, by: agent)["code"] == 200)
        }
    }

    @Test func `its refusals are armed by name`() async throws {
        try await FormScene.run { forms in
            let (_, form) = try await forms.invite()
            try await forms.scene.server.arm("liveperson.publishSecureSubmission form-expired times=1")
            try await forms.scene.server.arm("liveperson.SecureForms.* rate-limited times=1 message:/type=ms.GenerateUploadToken")
            #expect(Self.words(try await forms.submit(form)) == "400 mock-form-expired")
            #expect(try await forms.keys(form)["code"] == 429)
            #expect(try await forms.submit(form)["code"] == 200)
        }
    }

    // MARK: Elsewhere

    @Test func `a consumer who is away gets a push`() async throws {
        try await MessagingScene.run { scene in
            let phone = try await Phone(try await Scene(scene.server))
            try await phone.register()
            let ada = try await scene.socket("ada")
            _ = try await scene.conversation(ada)
            ada.close()
            _ = try await ada.end()
            try await scene.server.admin(.get, "journal/wait?kind=socket&timeout=60s")
            #expect(try await scene.act("form", ["title": "Card details"])["delivery"] == "push")
            #expect(try await phone.texts() == ["Alex: Sent a secure form"])
        }
    }

    @Test func `the consumer's history has of a form what LivePerson documents`() async throws {
        try await FormScene.run { forms in
            let (_, form) = try await forms.invite()
            #expect(try await forms.submit(form)["code"] == 200)
            let token = try await forms.scene.token("ada")
            let content = "/messaging_history/api/account/acme/conversations/conversation/content/search"
            let answer = try await forms.scene.server.send(
                .get, "\(content)?conversationId=\(forms.dialog)", headers: [.authorization: "Bearer \(token)"])
            let messages = (answer.json?["messageEventRecords"]?.array ?? []).compactMap { $0["event"]?["message"] }
            #expect(
                messages == [["invitationId": .string(form), "title": "Card details"], ["invitationId": .string(form)]], "\(answer.text)")
        }
    }
}
