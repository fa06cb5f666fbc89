import SparringJSON
import SparringLocks
import Support
import Testing

/// One consumer who talks from one or more devices as fast as answers come, remembers what the server told it, and holds the server to that
/// after each of its deaths.
final class Talker: Talking {
    private struct State {
        var sockets: [SocketClient] = []
        /// The texts by sequence, as they were when the consumer last came back.
        var history: [String] = []
        /// Since then, by sequence.
        var acknowledged: [Int: String] = [:]
        /// Since then, by device, whether answered or not.
        var sent: [[String]] = []
        /// Values that the conversation's `ttr` may have: the last that was acknowledged, and those sent after it.
        var ttrs: [Int64] = [3600]
        /// The other conversations' states; nil where the answer to the closing has not come.
        var others: [String: String?] = [:]
        var unansweredOpenings = 0
        var total = 0
    }

    /// A request that waits for its answer, by its purpose.
    private enum Request {
        case publish(String)
        case set(ttr: Int64)
        case open
        case close(String)
    }

    /// Requests that each device keeps unanswered: whenever the server dies, some are under way.
    private static let window = 3

    private let target: String
    private let token: String
    private let conversation: String
    private let number: Int
    private let devices: Int
    private let state = Mutex(State(), .first)

    init(_ number: Int, devices: Int, at server: ServerProcess) async throws {
        self.number = number
        self.devices = devices
        let account = try #require(
            try await server.get("/__admin/sandboxes/default").json?["tenants"]?["liveperson"]?["accountId"]?.string)
        target = "/ws_api/account/\(account)/messaging/consumer?v=3"
        token = try #require(try await server.post("/api/account/\(account)/signup", [:]).json?["jwt"]?.string)
        let socket = try await Self.socket(server, target, token)
        let opened = try await socket.request("cm.ConsumerRequestConversation", [:])
        conversation = try #require(opened["body"]?["conversationId"]?.string, "\(opened.text)")
        socket.close()
    }

    var acknowledged: Int { state.withLock { $0.total } }

    private static func socket(_ server: ServerProcess, _ target: String, _ token: String) async throws -> SocketClient {
        try await SocketClient(
            port: Int(server.ready["port"]?.integer ?? 0), target: target, headers: [("Authorization", "jwt \(token)")])
    }

    // MARK: Coming back

    /// Connects each device with the same token, follows the dialog from its beginning, and compares it with what the server sent before.
    func comeBack(to server: ServerProcess) async throws {
        var sockets: [SocketClient] = []
        var changes: [[JSON]] = []
        for _ in 0..<devices {
            let socket = try await Self.socket(server, target, token)
            let followed = try await socket.request(
                "ms.SubscribeMessagingEvents", ["dialogId": .string(conversation), "fromSeq": 0])
            #expect(followed["code"] == 200, "\(followed.text)")
            changes.append(try #require(try await socket.notification("ms.MessagingEventNotification")["body"]?["changes"]?.array))
            sockets.append(socket)
        }
        #expect(changes.allSatisfy { $0 == changes[0] }, "all devices get the same")
        expectHistory(changes[0])
        try await expectConversations(sockets[0])
        state.withLock { state in
            state.history = changes[0].compactMap { $0["event"]?["message"]?.string }
            state.acknowledged = [:]
            state.sent = Array(repeating: [], count: devices)
            state.sockets = sockets
        }
    }

    private func expectHistory(_ changes: [JSON]) {
        let told = state.withLock { $0 }
        #expect(changes.map { $0["sequence"]?.integer } == changes.indices.map { Int64($0) }, "sequences are gapless and in order")
        let texts = changes.compactMap { $0["event"]?["message"]?.string }
        #expect(Array(texts.prefix(told.history.count)) == told.history, "what was there before has not changed")
        for (sequence, text) in told.acknowledged {
            #expect(texts.indices.contains(sequence) && texts[sequence] == text, "\(text) was acknowledged as \(sequence)")
        }
        // Of each device a beginning of what it sent, in that order: each once, the unacknowledged at most once, none of nobody.
        var unexplained = texts.dropFirst(told.history.count)[...]
        for sent in told.sent {
            let own = unexplained.filter(Set(sent).contains)
            #expect(own == Array(sent.prefix(own.count)))
            unexplained.removeAll(where: Set(sent).contains)
        }
        #expect(unexplained == [], "nobody sent these")
    }

    private func expectConversations(_ socket: SocketClient) async throws {
        _ = try await socket.request("cqm.SubscribeExConversations", ["convState": ["OPEN", "CLOSE"], "minLastUpdatedTime": 0])
        let body = try await socket.notification("cqm.ExConversationChangeNotification")["body"]
        var states: [String: String] = [:]
        for change in try #require(body?["changes"]?.array) {
            let result = try #require(change["result"])
            let id = try #require(result["convId"]?.string)
            let details = try #require(result["conversationDetails"])
            states[id] = try #require(details["state"]?.string)
            guard id == conversation else { continue }
            let ttr = try #require(details["ttr"]?["value"]?.integer)
            state.withLock { state in
                #expect(state.ttrs.contains(ttr), "the ttr is \(ttr); acknowledged was \(state.ttrs[0])")
                state.ttrs = [ttr]
            }
        }
        #expect(states.removeValue(forKey: conversation) == "OPEN")
        state.withLock { state in
            for (id, told) in state.others {
                let found = states.removeValue(forKey: id)
                #expect(found != nil && (told == nil || told == found), "\(id) is \(found ?? "gone"), told was \(told ?? "nothing yet")")
                state.others[id] = found
            }
            #expect(states.count <= state.unansweredOpenings, "nobody asked for these conversations: \(states)")
            state.unansweredOpenings = 0
            for (id, found) in states {
                #expect(found == "OPEN")
                state.others[id] = "OPEN"
            }
        }
    }

    // MARK: Talking

    func talk(in group: inout ThrowingTaskGroup<Void, any Error>, life: Int, answered: @escaping @Sendable () -> Void) {
        for (device, socket) in state.withLock({ $0.sockets }).enumerated() {
            group.addTask { try await self.talk(device, on: socket, life, answered) }
        }
    }

    private func talk(_ device: Int, on socket: SocketClient, _ life: Int, _ answered: @Sendable () -> Void) async throws {
        var unanswered: [String: Request] = [:]
        var count = 0
        var nextHeard = Int64(state.withLock { $0.history.count })
        func send(_ request: Request? = nil) {
            let request = request ?? choose(device, life, count)
            unanswered["\(count)"] = request
            socket.send(message(request, id: "\(count)", device))
            count += 1
        }
        for _ in 0..<Self.window { send() }
        while true {
            switch try await socket.next() {
            case .message(let message) where message["kind"] == "resp":
                let awaited = unanswered.removeValue(forKey: message["reqId"]?.string ?? "")
                let request = try #require(awaited, "\(message.text)")
                try #require(message["code"] == 200, "\(message.text)")
                send(try take(message["body"], to: request))
                answered()
            case .message(let message) where message["type"] == "ms.MessagingEventNotification":
                for change in message["body"]?["changes"]?.array ?? [] {
                    #expect(change["sequence"] == .integer(nextHeard), "heard in order, each once")
                    nextHeard += 1
                }
            case .message, .text, .pong: break
            case .closed(let code, _):
                Issue.record("the server closed with \(code ?? 0)")
                return
            case .ended: return
            }
        }
    }

    /// Mostly messages; the first device also changes the conversation and opens others.
    private func choose(_ device: Int, _ life: Int, _ count: Int) -> Request {
        switch (device, count % 10) {
        case (0, 4): .set(ttr: Int64(100_000 * (life + 1) + count))
        case (0, 8): .open
        default: .publish("message \(count) of device \(device) of consumer \(number), life \(life)")
        }
    }

    /// Notes that it is being sent, as it might take effect from now on.
    private func message(_ request: Request, id: String, _ device: Int) -> JSON {
        let (type, body): (String, JSON) = state.withLock { state in
            switch request {
            case .publish(let text):
                state.sent[device].append(text)
                return (
                    "ms.PublishEvent",
                    [
                        "dialogId": .string(conversation),
                        "event": ["type": "ContentEvent", "contentType": "text/plain", "message": .string(text)],
                    ]
                )
            case .set(let ttr):
                state.ttrs.append(ttr)
                return (
                    "cm.UpdateConversationField", update(conversation, ["field": "TTRField", "ttrType": "CUSTOM", "value": .integer(ttr)])
                )
            case .open:
                state.unansweredOpenings += 1
                return ("cm.ConsumerRequestConversation", [:])
            case .close(let id):
                state.others[id] = .some(nil)
                return ("cm.UpdateConversationField", update(id, ["field": "ConversationStateField", "conversationState": "CLOSE"]))
            }
        }
        return ["kind": "req", "id": .string(id), "type": .string(type), "body": body]
    }

    private func update(_ conversation: String, _ field: JSON) -> JSON {
        ["conversationId": .string(conversation), "conversationField": field]
    }

    /// Notes what an answer acknowledges.
    ///
    /// - Returns: what is to follow it; nil: anything.
    private func take(_ body: JSON?, to request: Request) throws -> Request? {
        switch request {
        case .publish(let text):
            let sequence = Int(try #require(body?["sequence"]?.integer))
            state.withLock { state in
                let other = state.acknowledged.updateValue(text, forKey: sequence)
                #expect(other == nil, "\(sequence) was given to \(text) too")
                state.total += 1
                // Alone, a device knows what comes next; what others say takes numbers too.
                if devices == 1 { #expect(sequence == state.history.count + state.acknowledged.count - 1) }
                #expect(sequence >= state.history.count)
            }
            return nil
        case .set(let ttr):
            state.withLock { state in state.ttrs.removeFirst(state.ttrs.firstIndex(of: ttr) ?? 0) }
            return nil
        case .open:
            let id = try #require(body?["conversationId"]?.string)
            state.withLock { state in
                state.unansweredOpenings -= 1
                state.others[id] = "OPEN"
            }
            return .close(id)
        case .close(let id):
            state.withLock { $0.others[id] = "CLOSE" }
            return nil
        }
    }

    // MARK: The end

    func check(at server: ServerProcess) async throws {
        try await sayGoodbye()
        try await expectJournal(at: server)
    }

    /// Publishing goes on with the next number.
    private func sayGoodbye() async throws {
        let (socket, next) = state.withLock { ($0.sockets[0], $0.history.count) }
        let text = "goodbye of consumer \(number)"
        let answer = try await socket.request("ms.PublishEvent", message(.publish(text), id: "", 0)["body"])
        #expect(answer["body"]?["sequence"] == .integer(Int64(next)), "\(answer.text)")
        state.withLock { $0.history.append(text) }
    }

    /// Each event of the dialog has its entry, with its sequence.
    private func expectJournal(at server: ServerProcess) async throws {
        var journalled: [Int64: String] = [:]
        for entry in try await server.journal("liveperson.publishText") {
            let request = try JSON(parsing: entry["request"]?["body"]?.string ?? "")
            guard request["body"]?["dialogId"]?.string == conversation else { continue }
            let sequence = try #require(try JSON(parsing: entry["answer"]?["body"]?.string ?? "")["body"]?["sequence"]?.integer)
            let other = journalled.updateValue(request["body"]?["event"]?["message"]?.string ?? "", forKey: sequence)
            #expect(other == nil, "\(sequence) is there twice")
        }
        let history = state.withLock { $0.history }
        #expect(journalled.count == history.count)
        for (sequence, text) in history.enumerated() { #expect(journalled[Int64(sequence)] == text) }
    }
}
