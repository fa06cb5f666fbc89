import SparringVendorKit

extension DeskAct where Kind == CXone.Act {
    /// The content of the message that the act says (CXone reference 7.2). Nil for an act that says nothing.
    var content: JSON? {
        switch kind {
        case .say:
            let text = json["text"] ?? ""
            guard let titles = json["quickReplies"]?.array else { return ["type": "TEXT", "payload": ["text": text]] }
            return [
                "type": "QUICK_REPLIES",
                "payload": [
                    "text": ["content": text],
                    "actions": .array(
                        titles.map { title -> JSON in
                            let postback: JSON = ["reply": title]
                            return ["type": "REPLY_BUTTON", "text": title, "postback": .string(postback.text)]
                        }),
                ],
                "fallbackText": text,
            ]
        case .card:
            var content = json["content"] ?? [:]
            if let text = json["text"] { content["fallbackText"] = text }
            return content
        case .file: return ["type": "TEXT", "payload": ["text": ""]]
        default: return nil
        }
    }
}
