package import GRDB
import HTTPTypes
import SparringContract
import SparringJSON
package import SparringJournal
import SparringVariation

/// Messages to sockets, no matter what causes them: written together with their cause, sent after the commit.
extension Sandbox {
    /// Writes the entries of what is about to be sent. Within the savepoint of what causes it.
    package func record(_ outbox: Outbox, causedBy: JournalEntry.Origin?, _ db: Database) throws {
        if outbox.isEmpty { return }
        outbox.disturb { socket, message, body in
            let chosen = faults.choose(FaultOccasion(socket, message, body), at: [FaultPoint(message)])
            if !chosen.touched.isEmpty { effects.onRollback { [self] in faults.takeBack(chosen.touched) } }
            return Disturbance(chosen)
        }
        if let variation {
            try outbox.vary { socket, message in try variation.next(message.vendor, message.qualifiedName, lane: socket.lane, db) }
        }
        for item in outbox.all {
            let socket = item.socket
            var entry: JournalEntry
            switch item.action {
            case .send(let message, let body, _):
                entry = self.entry(.notification, cause: item.cause)
                entry.operation = message.qualifiedName
                entry.answer = JournalEntry.Answer(
                    name: message.name, status: nil, headers: [:], body: message.frame(body), delivery: item.disturbance.sendingWords,
                    received: item.disturbance.received)
                (entry.faults, entry.effects) = (item.disturbance.numbers, item.disturbance.effects)
                entry.varied = item.varied?.changes.recorded ?? []
                try faults.write(item.disturbance.touched, sandbox: id, store, db)
                entry.details = ["socket": .integer(Int64(socket.number))]
            case .relay(let message, let bytes, let findings):
                entry = self.entry(.notification, cause: "relayed")
                entry.operation = message?.qualifiedName ?? socket.opener.qualifiedName
                entry.answer = JournalEntry.Answer(
                    name: message?.name, status: nil, headers: [:], body: bytes, delivery: item.disturbance.sendingWords,
                    received: item.disturbance.received)
                (entry.faults, entry.effects, entry.findings) = (item.disturbance.numbers, item.disturbance.effects, findings)
                try faults.write(item.disturbance.touched, sandbox: id, store, db)
                entry.details = ["socket": .integer(Int64(socket.number)), "source": "vendor"]
            case .end(let how):
                var words = how.words("closing")
                if case .close(_, let reason) = how, !reason.isEmpty { words += " '\(reason)'" }
                entry = self.entry(.socket, cause: Cause(words + (item.cause.map { ": \($0.words)" } ?? ""), code: item.cause?.code))
                (entry.operation, entry.faults) = (socket.opener.qualifiedName, item.cause?.faults ?? [])
                entry.details = .members([
                    "socket": .integer(Int64(socket.number)), "frozen": how == .freeze ? true : nil, "ending": how.json,
                ])
            }
            entry.lane = socket.lane
            entry.causedBy = causedBy
            try journal.append(entry, db)
        }
        if variation != nil { outbox.reorder() }
    }

    /// Sends what has been committed.
    package func send(_ items: some Sequence<Outbox.Item>) {
        for item in items {
            switch item.action {
            case .send(let message, let body, let reply):
                send(item.varied?.frame ?? message.frame(body), reply, item)
                check(message, item.varied?.body ?? message.onWire(body), item)
            case .relay(_, let bytes, _): send(bytes, .none, item)
            case .end(let how): item.socket.end(how, cause: item.cause ?? "")
            }
        }
    }

    private func send(_ frame: [UInt8], _ reply: SocketReply, _ item: Outbox.Item) {
        let (socket, disturbance) = (item.socket, item.disturbance)
        if let cut = disturbance.cut { return socket.reset(cause: .fault(cut.by)) }
        if let ending = disturbance.ending { return socket.end(ending.how, cause: .fault(ending.by)) }
        let delay = disturbance.delays[.onResponseStart].map { ($0, what: "a message on socket \(socket.number) of \(socket.lane)") }
        for other in item.varied?.before ?? [] { socket.send(other, .none) }
        socket.send(frame, reply, disturbance.messageChanges, as: item.varied?.frames, after: delay)
        if item.varied?.isTwice == true { socket.send(frame, .none) }
    }

    /// Writes in a savepoint, what is sent with it; sends once that is committed, in the order of the commits.
    package func write<Value: Sendable>(
        sending outbox: Outbox, causedBy: JournalEntry.Origin, _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            store.submit { [self] db in
                let value = try body(db)
                try record(outbox, causedBy: causedBy, db)
                return value
            } finished: { [self] result in
                switch result {
                case .success: send(outbox.all)
                case .failure(let error): missed(error)
                }
                continuation.resume(with: result)
            }
        }
    }

    /// - Parameter body: as it goes out.
    private func check(_ message: ContractMessage, _ body: JSON, _ item: Outbox.Item) {
        var violations = message.check(body)
        if let changes = item.varied?.changes { violations.removeAll { changes.explains($0) } }
        guard !violations.isEmpty else { return }
        var entry = self.entry(.finding, cause: Cause("Sparring's own message \(message.id) breaks the contract", code: Cause.failed))
        entry.operation = message.qualifiedName
        entry.lane = item.socket.lane
        entry.findings = violations.map(Finding.init)
        note(entry)
    }
}

extension FaultOccasion {
    init(_ socket: Socket, _ message: ContractMessage, _ body: JSON) {
        self.init(
            point: message.qualifiedName, lane: socket.lane, account: socket.tenant.id, headers: socket.request.headers,
            bodies: message.hasStandIns ? [message.onWire(body), body] : [body], now: socket.sandbox.clock.now)
    }
}
