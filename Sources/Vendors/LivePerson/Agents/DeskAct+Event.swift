import SparringVendorKit

extension DeskAct where Kind == LivePerson.Act {
    /// The event that is published (LivePerson reference 5.11); nil for an act that publishes none, and for a receipt and a secure form, which need
    /// to know the dialog.
    var event: JSON? {
        if let chatState = kind.chatState { return ["type": "ChatStateEvent", "chatState": .string(chatState)] }
        switch kind {
        case .say:
            return .members(["type": "ContentEvent", "contentType": "text/plain", "message": json["text"], "quickReplies": quickReplies])
        case .card: return .members(["type": "RichContentEvent", "content": json["content"], "quickReplies": quickReplies])
        case .file:
            return [
                "type": "ContentEvent", "contentType": "hosted/file",
                "message": .members([
                    "caption": json["caption"] ?? "", "relativePath": json["relativePath"], "fileType": json["fileType"],
                    "preview": json["preview"],
                ]),
            ]
        default: return nil
        }
    }

    /// A list of titles becomes buttons that say them.
    private var quickReplies: JSON? {
        guard let titles = json["quickReplies"]?.array else { return json["quickReplies"] }
        return [
            "type": "quickReplies", "itemsPerRow": 8,
            "replies": .array(
                titles.map {
                    ["type": "button", "title": $0, "tooltip": $0, "click": ["actions": [["type": "publishText", "text": $0]]]]
                }),
        ]
    }
}
