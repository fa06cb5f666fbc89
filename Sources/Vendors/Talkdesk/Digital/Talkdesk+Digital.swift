import SparringVendorKit

/// Calls of the public API that take the same tokens (Talkdesk reference 3.4).
extension Talkdesk {
    func createConversation(_ db: Database, _ call: Call, _ token: TalkdeskTokenState.Token) throws -> Decision {
        try once(call, db) {
            let (touchpoint, known) = (call.field("touchpoint_id") ?? "", call.settings(of: self).touchpoints)
            guard known.containsSame(as: touchpoint) else {
                throw Refusal("touchpoint-unknown", "touchpoint_id is \(touchpoint.quoted); \(Self.inventory("touchpoints", known))")
            }
            let id = call.draw("conversation").plainHex
            try DigitalState.insert(conversation: id, touchpoint: touchpoint, of: call.tenant.id, at: call.now, call.sandbox.id, db)
            return Answer("conversation-created", ["id": .string(id)], cause: "conversation \(id)")
        }
    }

    func addMessage(_ db: Database, _ call: Call, _ token: TalkdeskTokenState.Token) throws -> Decision {
        try once(call, db) {
            let id = call.path("conversationId")
            guard try DigitalState.hasConversation(id, of: call.tenant.id, call.sandbox.id, db) else {
                throw Refusal("conversation-unknown", "there is no conversation \(id.quoted)")
            }
            var body: JSON = [
                "id": .string(id), "created_at": .string(call.now.description), "message_id": .string(call.draw("message").plainHex),
            ]
            // Uploads are not emulated: no attachment is known.
            guard let attachments = call.body?["attachments"]?.array, !attachments.isEmpty else {
                return Answer("message-added", body, cause: "a message in conversation \(id)")
            }
            body["partial_fail_reason"] = "An attachment was not found"
            return Answer("message-added-in-part", body, cause: "the text is kept; attachments are not emulated")
        }
    }

    func requestCallback(_ db: Database, _ call: Call, _ token: TalkdeskTokenState.Token) throws -> Decision {
        let (own, contact) = (call.field("talkdesk_phone_number") ?? "", call.field("contact_phone_number") ?? "")
        let known = call.settings(of: self).phoneNumbers
        guard known.containsSame(as: own) else {
            throw Refusal("talkdesk-number-unknown", "talkdesk_phone_number is \(own.quoted); \(Self.inventory("phoneNumbers", known))")
        }
        guard Self.isNumber(contact) else {
            throw Refusal("phone-number-refused", "contact_phone_number is \(contact.quoted), not + and 7 to 15 digits (E.164)")
        }
        return .answer("callback-requested", cause: "\(own) is to call \(contact)")
    }

    /// The values that an account has, and the setting that lists them, in words.
    private static func inventory(_ setting: String, _ known: [String]) -> String {
        "the account has \(known.isEmpty ? "none" : known.joined(separator: ", ")), by its setting '\(setting)'"
    }

    private static func isNumber(_ text: String) -> Bool {
        text.utf8.first == UInt8(ascii: "+") && 8...16 ~= text.utf8.count && text.utf8.dropFirst().allSatisfy { 0x30...0x39 ~= $0 }
    }

    private static let idempotencyKey = HTTPField.Name("x-idempotency-key")!

    /// Acts once for each idempotency key.
    private func once(_ call: Call, _ db: Database, _ act: () throws -> Answer) throws -> Decision {
        let (key, account, sandbox) = (call.header(Self.idempotencyKey) ?? "", call.tenant.id, call.sandbox.id)
        let request = call.request.rawPath + "\n" + (call.body?.text ?? "")
        if !key.isEmpty, let kept = try DigitalState.kept(key, of: account, sandbox, db) {
            guard kept.request.isSame(as: request) else {
                throw Refusal("idempotency-key-reused", "the key \(key.quoted) came before with another request")
            }
            return .answer(kept.answer, kept.body, cause: "as before, for the same idempotency key")
        }
        let answer = try act()
        if !key.isEmpty, case .json(let body) = answer.body {
            try DigitalState.keep(.init(request: request, answer: answer.name, body: body), key, of: account, sandbox, db)
        }
        return .answer(answer)
    }
}
