import SparringVendorKit

/// Bayeux over HTTP: long-polling and callback-polling (Bayeux 1.0 §5.1 and §5.2).
extension Khoros {
    /// The timer of a client that has not polled.
    static let silence = "silence of a client that polls"

    /// A request that brings messages: as an array or one of them, in the body, or as JSON in the parameter `message`.
    func poll(_ db: Database, _ call: Call) throws -> Decision {
        var given = call.body
        if let text = call.field("message") ?? call.query("message"), call.body?["channel"] == nil {
            do { given = try JSON(parsing: Array(text.utf8)) } catch {
                throw Refusal("request-malformed", "message is not JSON: \(error)")
            }
        }
        guard let messages = given?.array ?? given.map({ [$0] }), !messages.isEmpty, messages.allSatisfy({ $0.object != nil }) else {
            throw Refusal("request-malformed", "there is no message of Bayeux, but \(given?.typeName ?? "nothing")")
        }
        let session = messages.lazy.compactMap { $0["clientId"]?.string }.first
        let socket = session.flatMap { call.sandbox.openSocket(carrying: $0) }
        return .carry("messages", messages, on: socket?.isPolled == true ? socket : nil)
    }

    /// Faye's servers forget a client that has not asked for more for about twice the time of their advice.
    func expectPoll(_ socket: Socket, _ call: Call) {
        guard socket.isPolled else { return }
        socket.setTimer(Self.silence, at: call.now + call.settings(of: self).realtime.timeout * 2)
    }
}
