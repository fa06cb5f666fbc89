import HTTPTypes
import SparringJSON
import Support

/// The window: the SDK flows' "User clicks messaging button" and what the socket needs for it (LivePerson reference 5).
extension ReferenceClient {
    /// [showConversation]
    func openWindow() async throws {
        guard !isStopped else { return }
        isWindowOpen = true
        try await keepUp()
    }

    func closeWindow() async throws {
        guard isWindowOpen else { return }
        isWindowOpen = false
        try await takeArrivals()
        try await stage.mark("window-closed")
        try await dropLine()
    }

    func say(_ texts: [String]) async throws {
        outbox += texts
        try await keepUp()
    }

    /// Lets time pass, in steps in which the socket is kept alive.
    func pass(_ wait: Double) async throws {
        var left = wait
        while left > 0 {
            let step = min(left, 30)
            try await rest(step)
            left -= step
            try await takePushes()
            guard isWindowOpen else { continue }
            try await takeArrivals()
            if line != nil, seconds - lastSent >= 30 { _ = try await request("GetClock", [:]) }
            try await keepUp()
        }
    }

    /// Brings the window to where it should be: connected, told everything, and with everything said.
    func keepUp() async throws {
        var (losses, rounds) = (0, 0)
        while isWindowOpen, !isStopped, rounds < 100 {
            rounds += 1
            if line == nil {
                if losses > 0 || isReturning { try await rest(1) }
                losses += 1
                if losses > 12 { return try await giveUp() }
                if token == nil || mustExtend {
                    mustExtend = false
                    guard try await signIn() else { return }
                }
                guard try await openLine() else { return }
                isReturning = true
                continue
            }
            if !isFollowing { guard try await follow() else { continue } }
            if !outbox.isEmpty { guard try await sayNext() else { continue } }
            try await takeArrivals()
            if line != nil, outbox.isEmpty { return try await fillGaps() }
        }
    }

    /// Follows the conversations, and the one that is open; false where the socket was lost meanwhile.
    private func follow() async throws -> Bool {
        let states: JSON = ["minLastUpdatedTime": 0, "convState": ["OPEN"]]
        switch try await asked("cqm.SubscribeExConversations", states) {
        case .done: break
        case .unavailable where line != nil:
            isWindowOpen = false
            try await giveUp()
            return false
        default: return false
        }
        try await takeArrivals()
        if conversation == nil {
            guard !outbox.isEmpty else {
                isFollowing = true
                return true
            }
            let body: JSON = ["ttrDefName": "NORMAL", "channelType": "MESSAGING", "brandId": .string(stage.scene.account)]
            guard case .done(let opened) = try await asked("cm.ConsumerRequestConversation", body) else { return false }
            conversation = opened["conversationId"]?.string
        }
        guard try await subscribe() else { return false }
        isFollowing = true
        return true
    }

    /// From the first that is missing on; what was said comes at once.
    private func subscribe() async throws -> Bool {
        guard let conversation else { return true }
        let heard = heardEvents
        let body: JSON = ["dialogId": .string(conversation), "conversationId": .string(conversation), "fromSeq": .integer(next)]
        guard case .done = try await asked("ms.SubscribeMessagingEvents", body) else {
            // It is somebody else's: a new user starts over.
            if line != nil { (self.conversation, next, ahead) = (nil, 0, [:]) }
            return false
        }
        let limit = ContinuousClock.now + .seconds(1)
        while heardEvents == heard, line != nil, ContinuousClock.now < limit {
            try await takeArrivals()
            if heardEvents == heard { try await ClientStage.glance() }
        }
        // What was thought lost, and is there.
        outbox.removeAll { history.contains($0) }
        return line != nil
    }

    private func sayNext() async throws -> Bool {
        guard let text = outbox.first else { return true }
        guard conversation != nil else {
            isFollowing = false
            return try await follow()
        }
        let body: JSON = [
            "dialogId": conversation.map { .string($0) } ?? .null,
            "event": ["type": "ContentEvent", "contentType": "text/plain", "message": .string(text)],
        ]
        switch try await asked("ms.PublishEvent", body) {
        case .done:
            outbox.removeAll { $0 == text }
            return true
        case .refused where line != nil:
            outbox.removeFirst()
            return true
        case .unavailable where line != nil:
            outbox.removeFirst()
            try await giveUp()
            return true
        default: return false
        }
    }

    /// A request, tried again on the same socket where the server says that it may be.
    func asked(_ type: String, _ body: JSON) async throws -> Decision {
        try await retrying {
            switch try await self.request(type, body) {
            case .answered(code: 200, let answer): .done(answer)
            case .answered(code: 429, _), .answered(code: 500..., _): .unavailable(retryAfter: nil)
            case .answered(_, let answer): .refused(answer)
            case .lost: .refused("lost")
            }
        }
    }

    // MARK: What comes

    func take(_ message: JSON) async throws {
        switch message["type"]?.string {
        case "cqm.ExConversationChangeNotification":
            for change in message["body"]?["changes"]?.array ?? [] where change["type"] == "UPSERT" {
                guard conversation == nil, change["result"]?["conversationDetails"]?["state"] == "OPEN" else { continue }
                conversation = change["result"]?["convId"]?.string
            }
        case "ms.MessagingEventNotification":
            heardEvents += 1
            for change in message["body"]?["changes"]?.array ?? [] { try await hear(change) }
        default: break
        }
    }

    private func hear(_ change: JSON) async throws {
        guard let sequence = change["sequence"]?.integer, sequence >= next else { return }
        ahead[sequence] = change
        while let change = ahead.removeValue(forKey: next) {
            next += 1
            try await show(change, next - 1)
        }
    }

    private func show(_ change: JSON, _ sequence: Int64) async throws {
        guard let text = change["event"]?["message"]?.string else { return }
        history.append(text)
        try await stage.mark(
            "message-shown", ["dialog": conversation.map { .string($0) } ?? .null, "sequence": .integer(sequence)])
    }

    /// A message that came before its turn says that another is missing.
    private func fillGaps() async throws {
        for _ in 1...3 where !ahead.isEmpty && line != nil { _ = try await subscribe() }
    }

    // MARK: Receipts and files

    func read() async throws {
        guard let conversation, next > 0, isWindowOpen, line != nil else { return }
        for status in ["ACCEPT", "READ"] {
            _ = try await asked(
                "ms.PublishEvent",
                [
                    "dialogId": .string(conversation),
                    "event": ["type": "AcceptStatusEvent", "status": .string(status), "sequenceList": [.integer(next - 1)]],
                ])
        }
        try await takeArrivals()
        try await keepUp()
    }

    /// A photo: a URL, the bytes, and then the message; with a fresh URL where the first has expired.
    func sharePhoto() async throws {
        for _ in 1...3 {
            guard case .done(let room) = try await asked("ms.GenerateURLForUploadFile", ["fileSize": 256, "fileType": "PNG"]),
                let conversation
            else { return }
            let place = try FileScene.Place(["body": room])
            let put = try await send(.put, place.target, bytes: FileScene.png(), timeOut: 90)
            guard put?.status == 201 else { continue }
            let event: JSON = [
                "type": "ContentEvent", "contentType": "hosted/file",
                "message": ["caption": "my receipt", "relativePath": .string(place.path), "fileType": "PNG"],
            ]
            _ = try await asked("ms.PublishEvent", ["dialogId": .string(conversation), "event": event])
            return try await takeArrivals()
        }
    }
}
