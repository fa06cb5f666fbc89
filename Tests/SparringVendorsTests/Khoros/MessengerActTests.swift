import HTTPTypes
import SparringJSON
import Support
import Testing

/// An act of the business is refused where its contract, or a condition that no schema expresses, does not allow it.
@Suite struct MessengerActTests {
    static let wrong: [(String, JSON, String)] = [
        ("agent/say", [:], "400 request-malformed /text"),
        ("agent/say", ["text": ""], "400 request-malformed /text"),
        ("agent/say", ["text": 7], "400 request-malformed /text"),
        ("agent/say", ["text": "x", "quickReplies": ["Yes", ""]], "400 request-malformed /quickReplies/1"),
        ("agent/say", ["text": "x", "quickReply": ["Yes"]], "400 request-malformed /quickReply"),
        ("agent/card", ["text": "x"], "400 request-malformed /type"),
        ("agent/card", ["type": "form", "fields": ["order"]], "400 request-malformed /fields/0"),
        ("agent/card", ["type": "carousel", "items": [:]], "400 request-malformed /items"),
        ("agent/card", ["type": "text", "displaySettings": "tall"], "400 request-malformed /displaySettings"),
        ("agent/file", ["fileName": "", "mimeType": "a/b", "url": "/x"], "400 request-malformed /fileName"),
        ("agent/file", ["fileName": "a", "mimeType": "a/b"], "422 configuration-invalid /url"),
        ("agent/file", ["fileName": "a", "mimeType": "a/b", "url": "/x", "content": "aGk="], "422 configuration-invalid /url"),
        ("agent/file", ["fileName": "a", "mimeType": "a/b", "content": "a"], "422 configuration-invalid /content"),
        ("agent/typing", ["text": "x"], "400 request-malformed /text"),
        ("agent/open", ["displayNam": "x"], "400 request-malformed /displayNam"),
        ("users/auth-code", ["lifetime": "soon"], "400 request-malformed /lifetime"),
        ("users/auth-code", ["lifetime": "11y"], "400 request-malformed /lifetime"),
        ("users/auth-code", ["agent": "ada"], "400 request-malformed /agent"),
        ("users/auth-code", ["consumer": 7], "400 request-malformed /consumer"),
    ]

    @Test func `an act that cannot be is refused with its place, and says nothing`() async throws {
        try await MessengerScene.run { scene async throws in
            let ann = try await scene.member("ann")
            let conversation = try await ann.begin("hello")
            for (operation, act, words) in Self.wrong {
                let body = JSON.object(["consumer": "ann"]).merging(act)
                let refused = try await scene.server.problem(.post, "/__admin/sandboxes/default/khoros/\(operation)", body)
                #expect(refused.words == words, "\(operation) \(body.text): \(refused)")
            }
            #expect(try await ann.texts(of: conversation) == ["hello"])
        }
    }

    /// Android's `Base64.DEFAULT` breaks lines.
    @Test func `a file's content may be in lines`() async throws {
        try await MessengerScene.run { scene async throws in
            _ = try await scene.member("ann")
            let file: JSON = ["consumer": "ann", "fileName": "a.txt", "mimeType": "text/plain", "content": "aG\nk=\n"]
            #expect(try await scene.act("file", file)["sequence"] == 1)
        }
    }
}
