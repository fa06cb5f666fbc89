import SparringEngine
import SparringJSON
import SparringVendorKit

/// What sets agents' scripts off.
extension Messaging {
    /// The consumer published an event.
    func playScript(on event: JSON, _ sequence: Int?, in dialog: Conversation.Dialog, of conversation: Conversation) throws {
        guard dialog.type == "MAIN", event.isContent else { return }
        let text = event["contentType"] == "text/plain" ? event["message"]?.string : nil
        try playScript(on: text == nil ? [.content] : [.content, .text], in: conversation, text: text, sequence: sequence)
    }

    /// A conversation was changed.
    func playScript(from before: Conversation, to after: Conversation) throws {
        if before.state == "OPEN", after.state == "CLOSE" { try playScript(on: [.closed], in: after) }
        if after.state == "OPEN", before.skill != after.skill { try playScript(on: [.opened], in: after) }
    }
}
