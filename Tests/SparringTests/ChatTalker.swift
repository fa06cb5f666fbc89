import SparringJSON
import SparringLocks
import Support
import Testing

/// One customer of a CXone brand who writes from one or more devices as fast as answers come, sends again what was not answered, and holds the
/// server after each of its deaths to what it told.
final class ChatTalker: Talking {
    private struct State {
        var sockets: [SocketClient] = []
        /// The ids of the thread's messages, oldest first, as it was when the customer last came back.
        var history: [String] = []
        /// Since then.
        var acknowledged: Set<String> = []
        /// Since then, by device: what was sent, and what was heard.
        var sent: [[String]] = []
        var heard: [[String]] = []
        var total = 0
    }

    enum Mode: String, CaseIterable { case single, multi, live }

    /// Messages that each device keeps unanswered: whenever the server dies, some are under way.
    private static let window = 3

    private let brand: String
    private let mode: Mode
    private let number: Int
    private let devices: Int
    private let state: Mutex<State>

    init(_ number: Int, devices: Int, brand: String) {
        (self.number, self.devices, self.brand) = (number, devices, brand)
        mode = Mode.allCases[number % Mode.allCases.count]
        var state = State()
        (state.sent, state.heard) = (Array(repeating: [], count: devices), Array(repeating: [], count: devices))
        self.state = Mutex(state, .first)
    }

    var acknowledged: Int { state.withLock { $0.total } }

    /// A channel for each mode.
    static func prepare(_ server: ServerProcess) async throws -> String {
        let channels = Mode.allCases.map { ["channelId": .string("chat_\($0)"), "mode": .string($0.rawValue)] as JSON }
        let body: JSON = ["channels": .array(channels), "historyPage": 50]
        let patched = try await server.send(
            "PATCH", "/__admin/sandboxes/default/tenants/cxone", body: body.bytes, headers: [("Content-Type", "application/json")])
        try #require(patched.status == 200, "\(patched.text)")
        return try #require(try await server.get("/__admin/sandboxes/default").json?["tenants"]?["cxone"]?["brandId"]?.string)
    }

    // MARK: On the wire

    /// A UUID by three numbers.
    private static func uuid(_ first: Int, _ second: Int, _ third: Int) -> String {
        func digits(_ number: Int, _ count: Int) -> String {
            let text = String(number, radix: 16)
            return String(repeating: "0", count: count - text.count) + text
        }
        return "\(digits(first, 8))-\(digits(second, 4))-4000-8000-\(digits(third, 12))"
    }

    private var customer: JSON { ["idOnExternalPlatform": .string("customer-\(number)")] }
    private var thread: JSON { ["idOnExternalPlatform": .string(Self.uuid(number, 0xFFFF, 1))] }

    private func event(_ type: String, _ data: JSON?, id: String, _ device: Int, action: String = "chatWindowEvent") -> JSON {
        [
            "action": .string(action), "eventId": .string(id),
            "payload": .members([
                "brand": ["id": .integer(Int64(brand) ?? 0)], "channel": ["id": .string("chat_\(mode)")], "customerIdentity": customer,
                "eventType": .string(type), "data": data, "visitor": ["id": .string(Self.uuid(number, device, 0))],
            ]),
        ]
    }

    /// Sends an event and returns the answer to it; what else comes meanwhile is kept.
    private func ask(_ type: String, _ data: JSON?, on socket: SocketClient, _ device: Int, action: String = "chatWindowEvent") async throws
        -> JSON
    {
        let id = Self.uuid(number, device, 1)
        socket.send(event(type, data, id: id, device, action: action))
        return try await socket.message("the answer to \(type)") { $0["eventId"]?.string == id }
    }

    private func message(_ id: String) -> JSON {
        [
            "thread": thread, "idOnExternalPlatform": .string(id), "messageContent": ["type": "TEXT", "payload": ["text": .string(id)]],
            "customer": ["customFields": []], "contact": ["customFields": []], "attachments": [], "deviceFingerprint": ["os": "iOS"],
        ]
    }

    // MARK: Coming back

    /// Connects each device, loads the thread page by page, and checks it against what the server acknowledged.
    func comeBack(to server: ServerProcess) async throws {
        var sockets: [SocketClient] = []
        for device in 0..<devices {
            let query = "brandId=\(brand)&channelId=chat_\(mode)&visitorId=\(Self.uuid(number, device, 0))&sdkPlatform=ios&sdkVersion=3.3.1"
            let socket = try await SocketClient(port: Int(server.ready["port"]?.integer ?? 0), target: "/?\(query)")
            let signIn: JSON = ["disableChannelInfo": true, "sdkPlatform": "ios", "sdkVersion": "3.3.1"]
            let authorized = try await ask("AuthorizeCustomer", signIn, on: socket, device, action: "register")
            #expect(authorized["postback"]?["eventType"] == "ConsumerAuthorized", "\(authorized.text)")
            expectHistory(try await history(on: socket, device))
            sockets.append(socket)
        }
        let found = try await history(on: sockets[0], 0)
        state.withLock { state in
            (state.sockets, state.history, state.acknowledged) = (sockets, found, [])
            state.heard = Array(repeating: [], count: devices)
            // What was not answered and is not there is sent again, first of all.
            for device in 0..<devices { state.sent[device].removeAll { found.contains($0) } }
        }
    }

    private func history(on socket: SocketClient, _ device: Int) async throws -> [String] {
        let recovery = mode == .live ? "RecoverLivechat" : "RecoverThread"
        var data = try await ask(recovery, ["thread": thread], on: socket, device)["postback"]?["data"]
        var messages = data?["messages"]?.array ?? []
        var token = data?["messagesScrollToken"]?.string ?? ""
        while token != "" {
            let more: JSON = [
                "scrollToken": .string(token), "oldestMessageDatetime": messages.last?["createdAt"] ?? .null, "thread": thread,
            ]
            data = try await ask("LoadMoreMessages", more, on: socket, device)["postback"]?["data"]
            messages += try #require(data?["messages"]?.array)
            token = data?["scrollToken"]?.string ?? ""
        }
        for message in messages { #expect(message["messageContent"]?["payload"]?["text"] == message["idOnExternalPlatform"]) }
        return messages.reversed().compactMap { $0["idOnExternalPlatform"]?.string }
    }

    private func expectHistory(_ found: [String]) {
        let told = state.withLock { $0 }
        #expect(Array(found.prefix(told.history.count)) == told.history, "what was there before has not changed")
        #expect(Set(found).count == found.count, "each message is there once")
        let new = Array(found.dropFirst(told.history.count))
        #expect(told.acknowledged.isSubset(of: new), "\(told.acknowledged.subtracting(new)) was acknowledged")
        for (sent, heard) in zip(told.sent, told.heard) {
            // Of each device a beginning of what it sent, in that order.
            let own = new.filter(Set(sent).contains)
            #expect(own == Array(sent.prefix(own.count)))
            #expect(heard == Array(new.prefix(heard.count)), "each device heard the messages in the thread's order, each once")
        }
        #expect(Set(new).isSubset(of: told.sent.joined()), "nobody sent these")
    }

    // MARK: Writing

    func talk(in group: inout ThrowingTaskGroup<Void, any Error>, life: Int, answered: @escaping @Sendable () -> Void) {
        for (device, socket) in state.withLock({ $0.sockets }).enumerated() {
            group.addTask { try await self.talk(device, on: socket, life, answered) }
        }
    }

    private func talk(_ device: Int, on socket: SocketClient, _ life: Int, _ answered: @Sendable () -> Void) async throws {
        var again = state.withLock { $0.sent[device] }[...]
        var unanswered: Set<String> = []
        var count = 0
        func send() {
            let id = again.popFirst() ?? Self.uuid(number, device, 2 + life * 0x100_0000 + count)
            state.withLock { state in if !state.sent[device].contains(id) { state.sent[device].append(id) } }
            unanswered.insert(id)
            socket.send(event("SendMessage", message(id), id: id, device))
            count += 1
        }
        for _ in 0..<Self.window { send() }
        while true {
            switch try await socket.next() {
            case .message(let frame) where frame["eventType"] == "MessageCreated":
                let id = frame["data"]?["message"]?["idOnExternalPlatform"]?.string ?? ""
                state.withLock { $0.heard[device].append(id) }
            case .message(let frame) where frame["eventType"] == nil:
                let id = try #require(frame["eventId"]?.string, "\(frame.text)")
                try #require(unanswered.remove(id) != nil && frame["error"] == nil, "\(frame.text)")
                state.withLock { state in
                    state.acknowledged.insert(id)
                    state.total += 1
                }
                send()
                answered()
            case .message, .text, .pong: break
            case .closed(let code, _):
                Issue.record("the server closed with \(code ?? 0)")
                return
            case .ended: return
            }
        }
    }

    /// Writes a text of somebody's choice, from the first device.
    func write(_ text: String) async throws {
        let socket = state.withLock { $0.sockets[0] }
        var data = message(Self.uuid(number, 0, 0xFFFF))
        data["messageContent"]?["payload"]?["text"] = .string(text)
        let answer = try await ask("SendMessage", data, on: socket, 0)
        #expect(answer["error"] == nil, "\(answer.text)")
    }

    // MARK: The end

    /// Each message of the thread was acknowledged as a new one once in the journal, in the thread's order.
    func check(at server: ServerProcess) async throws {
        var journalled: [String] = []
        for entry in try await server.journal("cxone.sendMessage") {
            let data = try JSON(parsing: entry["request"]?["body"]?.string ?? "")["payload"]?["data"]
            guard data?["thread"] == thread, let id = data?["idOnExternalPlatform"]?.string else { continue }
            #expect(entry["answer"]?["name"] == "acknowledged")
            journalled.append(id)
        }
        #expect(journalled == state.withLock { $0.history })
    }
}
